package definition

import (
	"fmt"
	"maps"
	"strings"
)

// serverless reads the tables of a serverless.yml (Serverless Framework, "Variables").
func (r *reader) serverless(file string, root map[string]any) {
	v := &variables{reader: r, root: root, file: file, files: map[string]any{}}
	at := r.lines.member(place{file: file}, root, "resources")
	template := v.merged(at, v.resolve(root["resources"]))
	v.extend(at, template)
	tags, stack := v.stackTags(), v.stackName()
	own := *r
	own.Stack = stack
	own.template(at, template)
	for i := len(r.tables); i < len(own.tables); i++ {
		own.tables[i].addTags(tags)
	}
	r.tables, r.notes = own.tables, own.notes
}

// stackName returns the name of the stack: the given one, that of the provider, or the framework's.
func (v *variables) stackName() string {
	if v.Stack != "" {
		return v.Stack
	}
	if name, err := scalarText(v.provider("stackName")); err == nil {
		return name
	}
	service := v.resolve(v.root["service"])
	if object, ok := service.(map[string]any); ok {
		service = object["name"]
	}
	name, _ := scalarText(service)
	return name + "-" + v.stage()
}

// stackTags returns the tags of the stack, which CloudFormation gives to its tables.
func (v *variables) stackTags() map[string]string {
	tags, _ := v.provider("stackTags").(map[string]any)
	all := map[string]string{}
	for name, value := range tags {
		text, err := scalarText(value)
		if err != nil {
			at := v.lines.member(place{file: v.file}, v.root, "provider").within("stackTags")
			v.note(v.lines.member(at, tags, name), "%v", unresolvedError(value, err))
			continue
		}
		all[name] = text
	}
	return all
}

// provider returns a setting of the provider, or nil.
func (v *variables) provider(name string) any {
	provider, _ := v.root["provider"].(map[string]any)
	if provider[name] == nil {
		return nil
	}
	return v.resolve(provider[name])
}

// merged returns the template of resources, which may be a list of templates. It notes what is no
// template.
func (v *variables) merged(at place, resources any) map[string]any {
	all := map[string]any{}
	parts, isList := resources.([]any)
	if !isList {
		parts = []any{resources}
	}
	o := origin{file: at.file, members: map[string]int{}}
	for i, part := range parts {
		here := at
		if isList {
			here = v.lines.element(at, parts, i)
		}
		sections, ok := part.(map[string]any)
		if reason := unresolvedError(part, nil); reason != nil || !ok && part != nil {
			v.note(here, "is left out: %v", orNoObject(reason))
			continue
		}
		for _, name := range sortedKeys(sections) {
			member := v.lines.member(here, sections, name)
			o.members[name] = member.line
			v.mergeSection(member, all, name, sections[name])
		}
	}
	v.lines.add(all, o)
	return all
}

func orNoObject(reason error) error {
	if reason == nil {
		return fmt.Errorf("want an object")
	}
	return reason
}

// mergeSection adds a section to a template that may have it already.
func (v *variables) mergeSection(at place, all map[string]any, name string, section any) {
	members, ok := section.(map[string]any)
	reason := unresolvedError(section, nil)
	if reason != nil || !ok && name == "Resources" && section != nil {
		v.note(at, "is left out: %v", orNoObject(reason))
		return
	}
	if !ok {
		all[name] = section
		return
	}
	into, _ := all[name].(map[string]any)
	if into == nil {
		all[name] = members
		return
	}
	both := overlaid(into, members)
	o := origin{file: at.file, members: map[string]int{}}
	for member := range both {
		from := into
		if _, ok := members[member]; ok {
			from = members
		}
		o.members[member] = v.lines.member(at, from, member).line
	}
	v.lines.add(both, o)
	all[name] = both
}

// extend applies the section extensions to the resources of a template (Serverless Framework,
// "Override AWS CloudFormation Resource"). It is deleted.
func (v *variables) extend(at place, template map[string]any) {
	section := template["extensions"]
	resources, _ := template["Resources"].(map[string]any)
	at = v.lines.member(at, template, "extensions")
	delete(template, "extensions")
	extensions, ok := section.(map[string]any)
	if reason := unresolvedError(section, nil); reason != nil || !ok && section != nil {
		v.note(at, "is left out: %v", orNoObject(reason))
		return
	}
	for _, name := range sortedKeys(extensions) {
		here := v.lines.member(at, extensions, name)
		extension, ok := extensions[name].(map[string]any)
		resource, declared := resources[name].(map[string]any)
		switch {
		case !ok:
			v.note(here, "is left out: %v", orNoObject(unresolvedError(extensions[name], nil)))
		case declared:
			resources[name] = v.extended(here, resource, extension)
		case v.root["functions"] == nil: // else the framework makes resources, but no table
			v.note(here, "is left out: there is no such resource")
		}
	}
}

// extended returns a resource with what an extension says of it.
func (v *variables) extended(at place, resource, extension map[string]any) map[string]any {
	all := maps.Clone(resource)
	o := origin{file: at.file, members: map[string]int{}}
	for name := range resource {
		o.members[name] = v.lines.member(at, resource, name).line
	}
	for _, name := range sortedKeys(extension) {
		here := v.lines.member(at, extension, name)
		switch name {
		case "Properties":
			all[name] = v.replaced(here, resource[name], extension[name])
			o.members[name] = here.line
		case "Condition", "DeletionPolicy", "UpdateReplacePolicy":
			all[name], o.members[name] = extension[name], here.line
		case "CreationPolicy", "DependsOn", "Metadata", "UpdatePolicy": // say nothing of a table
		default:
			v.note(here, "is left out: the framework refuses it")
		}
	}
	v.lines.add(all, o)
	return all
}

// replaced returns an object in which members of another one replace those with the same names.
func (v *variables) replaced(at place, under, over any) any {
	below, _ := under.(map[string]any)
	above, ok := over.(map[string]any)
	if !ok {
		v.note(at, "is left out: %v", orNoObject(unresolvedError(over, nil)))
		return under
	}
	all := map[string]any{}
	o := origin{file: at.file, members: map[string]int{}}
	for _, from := range [...]map[string]any{below, above} {
		for name, value := range from {
			all[name], o.members[name] = value, v.lines.member(at, from, name).line
		}
	}
	v.lines.add(all, o)
	return all
}

// unresolved is the name of the function that stands for a variable without a value. Its argument
// says why.
const unresolved = "Fn::Unresolved"

// unresolvedError returns why a value has none, or another error if it has one.
func unresolvedError(value any, otherwise error) error {
	object, _ := value.(map[string]any)
	if reason, ok := object[unresolved].(string); ok {
		return fmt.Errorf("%s", reason)
	}
	return otherwise
}

// stage returns the stage: that of the options or of the provider, or dev.
func (v *variables) stage() string {
	if stage, ok := v.Parameters["stage"]; ok {
		return stage
	}
	if v.staged { // the stage is made of itself
		return "dev"
	}
	v.staged = true
	defer func() { v.staged = false }()
	if stage, err := scalarText(v.provider("stage")); err == nil && stage != "" {
		return stage
	}
	return "dev"
}

// parameter returns a parameter of the stage, or of all stages: in params, or in stages of version
// 4.
func (v *variables) parameter(name string) any {
	for _, section := range [...]string{"params", "stages"} {
		stages, _ := v.root[section].(map[string]any)
		for _, stage := range [...]string{v.stage(), "default"} {
			values, _ := stages[stage].(map[string]any)
			if section == "stages" {
				values, _ = values["params"].(map[string]any)
			}
			if value := values[name]; value != nil {
				return value
			}
		}
	}
	return nil
}

// dotEnv returns a variable of the files .env.STAGE and .env, which the framework reads if it is
// told so.
func (v *variables) dotEnv(name string) any {
	if v.root["useDotenv"] != true {
		return nil
	}
	for _, file := range [...]string{".env." + v.stage(), ".env"} {
		text, err := readFile(v.ctx, v.beside(file))
		if err != nil {
			continue
		}
		for _, line := range strings.Split(string(text), "\n") {
			key, value, ok := strings.Cut(strings.TrimPrefix(strings.TrimSpace(line), "export "),
				"=")
			if ok && strings.TrimSpace(key) == name {
				return strings.Trim(strings.TrimSpace(value), `"'`)
			}
		}
	}
	return nil
}
