package definition

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
	"sync"
)

// serverless reads the tables of a serverless.yml (Serverless Framework, "Variables").
func (r *reader) serverless(file string, root map[string]any) {
	v := &variables{reader: r, root: root}
	resources, err := v.resolve(root["resources"], 0)
	if err != nil {
		r.note(file+": resources", "%v", err)
		return
	}
	service, _ := scalarText(root["service"])
	own := *r
	if own.Stack == "" {
		own.Stack = service + "-" + v.stage()
	}
	own.template(file, mergedTemplate(resources))
	r.tables, r.notes = own.tables, own.notes
}

// mergedTemplate returns the template of resources, which may be a list of templates.
func mergedTemplate(resources any) map[string]any {
	all := map[string]any{}
	parts, ok := resources.([]any)
	if !ok {
		parts = []any{resources}
	}
	for _, part := range parts {
		sections, _ := part.(map[string]any)
		for name, section := range sections {
			members, _ := section.(map[string]any)
			into, _ := all[name].(map[string]any)
			if into == nil {
				into = map[string]any{}
				all[name] = into
			}
			for member, v := range members {
				into[member] = v
			}
		}
	}
	return all
}

// variables resolves ${source:address, default} in a serverless.yml.
type variables struct {
	*reader
	root map[string]any
}

// variable matches the innermost variables. CloudFormation's ${AWS::Region} has no single colon,
// and ${Name} none at all.
var variable = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(
		`\$\{\s*((?:self|opt|env|param|sls|aws|file|ssm|s3|cf|git|strToBool)(?:\([^(){}]*\))?:[^:{}][^{}]*)\}`)
})

// errUnknownVariable is the error of a variable whose value only the cloud or another file has.
var errUnknownVariable = errors.New("cannot be resolved here")

// resolve replaces the variables in a value. Values that cannot be resolved stay as they are, and
// are noted where a table uses them.
func (v *variables) resolve(value any, depth int) (any, error) {
	if depth > maxDepth {
		return nil, errors.New("the variables refer to themselves, or are too deep")
	}
	switch value := value.(type) {
	case string:
		return v.text(value, depth)
	case []any:
		list := make([]any, len(value))
		for i := range value {
			var err error
			if list[i], err = v.resolve(value[i], depth+1); err != nil {
				return nil, err
			}
		}
		return list, nil
	case map[string]any:
		object := make(map[string]any, len(value))
		for name, member := range value {
			resolved, err := v.resolve(member, depth+1)
			if err != nil {
				return nil, err
			}
			object[name] = resolved
		}
		return object, nil
	}
	return value, nil
}

// text replaces the variables in a text. A text that is one variable becomes its value, whatever
// type that has.
func (v *variables) text(text string, depth int) (any, error) {
	for range maxDepth {
		at := variable().FindStringSubmatchIndex(text)
		if at == nil {
			return text, nil
		}
		found, err := v.lookup(text[at[2]:at[3]], depth+1)
		if errors.Is(err, errUnknownVariable) {
			// eval says that it cannot be resolved
			return map[string]any{"Fn::" + text[at[0]:at[1]]: nil}, nil
		}
		if err != nil {
			return nil, err
		}
		if at[0] == 0 && at[1] == len(text) {
			return v.resolve(found, depth+1)
		}
		inside, err := scalarText(found)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", text[at[0]:at[1]], err)
		}
		text = text[:at[0]] + inside + text[at[1]:]
	}
	return nil, fmt.Errorf("%q: the variables refer to themselves", text)
}

// lookup returns the value of the first of some sources that has one.
func (v *variables) lookup(sources string, depth int) (any, error) {
	for _, source := range strings.Split(sources, ",") {
		source = strings.TrimSpace(source)
		if value, ok := literal(source); ok {
			return value, nil
		}
		kind, address, _ := strings.Cut(source, ":")
		value, err := v.source(kind, address, depth)
		if err != nil || value != nil {
			return value, err
		}
	}
	return nil, errUnknownVariable
}

// literal returns a value that is written in a variable: 'dev', 5, true, null.
func literal(source string) (any, bool) {
	for _, quote := range [...]string{"'", `"`} {
		if len(source) >= 2 && strings.HasPrefix(source, quote) &&
			strings.HasSuffix(source, quote) {
			return source[1 : len(source)-1], true
		}
	}
	if strings.Contains(source, ":") || source == "" {
		return nil, false
	}
	v, err := parseYAML([]byte(source))
	return v, err == nil
}

// source returns the value of one source, nil if it has none.
func (v *variables) source(kind, address string, depth int) (any, error) {
	switch kind {
	case "self":
		return v.self(address, depth)
	case "opt", "param":
		if value, ok := v.Parameters[address]; ok {
			return value, nil
		}
	case "env":
		if value, ok := v.Env(address); ok {
			return value, nil
		}
	case "sls":
		if address == "stage" {
			return v.stage(), nil
		}
	case "aws":
		switch address {
		case "region":
			return v.Region, nil
		case "accountId":
			return v.Account, nil
		}
	}
	return nil, nil
}

// self returns a value of the file itself, such as self:custom.table.
func (v *variables) self(address string, depth int) (any, error) {
	var at any = v.root
	for _, name := range strings.Split(address, ".") {
		members, _ := at.(map[string]any)
		if at = members[name]; at == nil {
			return nil, nil
		}
		resolved, isText := at.(string)
		if !isText {
			continue
		}
		var err error
		if at, err = v.resolve(resolved, depth+1); err != nil {
			return nil, err
		}
	}
	return at, nil
}

// stage returns the stage: that of the options or of the provider, or dev.
func (v *variables) stage() string {
	if stage, ok := v.Parameters["stage"]; ok {
		return stage
	}
	provider, _ := v.root["provider"].(map[string]any)
	if stage, ok := provider["stage"].(string); ok && !strings.Contains(stage, "${") {
		return stage
	}
	return "dev"
}
