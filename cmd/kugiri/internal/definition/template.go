package definition

import (
	"errors"
	"maps"
	"reflect"
	"slices"
	"strings"
)

// The types of resources that are tables.
const (
	plainTable  = "AWS::DynamoDB::Table"
	globalTable = "AWS::DynamoDB::GlobalTable"
	simpleTable = "AWS::Serverless::SimpleTable"

	amplifyTable = "Custom::AmplifyDynamoDBTable"
	cdkReplica   = "Custom::DynamoDBReplica"
)

// The types of resources that are templates.
const (
	nestedStack       = "AWS::CloudFormation::Stack"
	nestedApplication = "AWS::Serverless::Application"
)

func isTable(resource map[string]any) bool {
	switch resource["Type"] {
	case plainTable, globalTable, simpleTable, amplifyTable:
		return true
	}
	return false
}

// template reads the tables of a CloudFormation or SAM template.
func (r *reader) template(at place, root map[string]any) {
	s := &stack{reader: r, file: at.file, name: r.Stack, parameters: map[string]any{},
		names: map[string]string{}, holds: map[string]bool{}, inner: map[string]output{}}
	r.output = s.ownOutput
	r.noteSections(at, root)
	declared, _ := root["Parameters"].(map[string]any)
	for _, name := range sortedKeys(declared) {
		s.parameters[name] = r.parameter(name, declared[name])
	}
	s.mappings, _ = root["Mappings"].(map[string]any)
	s.conditions = s.unroll(at, root, "Conditions")
	s.resources = s.unroll(at, root, "Resources")
	s.outputs = s.unroll(at, root, "Outputs")
	globals, _ := root["Globals"].(map[string]any)
	simple, _ := globals["SimpleTable"].(map[string]any)
	for _, name := range sortedKeys(s.resources) {
		here := r.lines.member(place{at.file, at.line, ""}, s.resources, name)
		resource, ok := s.resources[name].(map[string]any)
		switch {
		case strings.HasPrefix(name, "Fn::"):
			r.note(here, "cannot be resolved here")
		case !ok || resource[unresolved] != nil || resource["Type"] == nil:
			r.note(here, "is left out: %v", unresolvedError(s.resources[name], errNoType))
		case isTable(resource):
			if resource["Type"] == simpleTable {
				resource = r.withGlobals(resource, simple)
			}
			s.resource(here, name, resource)
		default:
			s.otherResource(here, name, resource)
		}
	}
	s.addReplicas()
}

var errNoType = errors.New("it has no Type")

// sections are the sections of a template that say nothing of tables by themselves.
var sections = []string{"AWSTemplateFormatVersion", "Conditions", "Description", "Globals", "Hooks",
	"Mappings", "Metadata", "Outputs", "Parameters", "Resources", "Rules", "Transform"}

// noteSections notes the parts of a template that are not read and may say something of tables.
func (r *reader) noteSections(at place, root map[string]any) {
	for _, name := range sortedKeys(root) {
		if !slices.Contains(sections, name) && !strings.HasPrefix(name, "x-") {
			r.note(r.lines.member(at, root, name), "is not read")
		}
	}
	for _, transform := range transforms(root) {
		switch transform {
		case "AWS::Serverless-2016-10-31", languageExtensions:
		default:
			r.note(r.lines.member(at, root, "Transform"), "%v is not run", transform)
		}
	}
}

// languageExtensions is the transform that makes members of loops.
const languageExtensions = "AWS::LanguageExtensions"

// transforms returns the transforms that a template names.
func transforms(root map[string]any) []any {
	if list, ok := root["Transform"].([]any); ok {
		return list
	}
	if root["Transform"] == nil {
		return nil
	}
	return []any{root["Transform"]}
}

// withGlobals returns a SimpleTable with the properties that Globals gives to all of them (SAM,
// "Globals section").
func (r *reader) withGlobals(resource, globals map[string]any) map[string]any {
	if len(globals) == 0 {
		return resource
	}
	own, _ := resource["Properties"].(map[string]any)
	properties := overlaid(globals, own)
	r.lines.copy(properties, own)
	all := maps.Clone(resource)
	all["Properties"] = properties
	r.lines.copy(all, resource)
	return all
}

// overlaid returns an object with the members of two. Objects in both become one.
func overlaid(under, over map[string]any) map[string]any {
	all := maps.Clone(under)
	for name, v := range over {
		below, ok1 := all[name].(map[string]any)
		above, ok2 := v.(map[string]any)
		if ok1 && ok2 && len(all) > 0 {
			v = overlaid(below, above)
		}
		all[name] = v
	}
	return all
}

// parameter returns the value of a parameter, nil if it has none.
func (r *reader) parameter(name string, declared any) any {
	p, _ := declared.(map[string]any)
	kind, _ := p["Type"].(string)
	var value string
	switch given, is := r.Parameters[name]; {
	case is:
		value = given
	case r.nested != nil && r.nested[name] != nil:
		if list, ok := r.nested[name].([]any); ok {
			return list
		}
		text, err := scalarText(r.nested[name])
		if err != nil {
			return nil
		}
		value = text
	default:
		if p["Default"] == nil || strings.HasPrefix(kind, "AWS::SSM::") {
			return nil
		}
		text, err := scalarText(p["Default"])
		if err != nil {
			return nil
		}
		value = text
	}
	if kind == "CommaDelimitedList" || strings.HasPrefix(kind, "List<") {
		parts := strings.Split(value, ",")
		for i := range parts {
			parts[i] = strings.TrimSpace(parts[i])
		}
		return anyList(parts)
	}
	return value
}

// attributes are the attributes of a resource that say nothing of how a table is.
var attributes = []string{"Condition", "DeletionPolicy", "DependsOn", "Metadata", "Properties",
	"Type", "UpdateReplacePolicy"}

// resource reads a table of a template.
func (s *stack) resource(at place, name string, resource map[string]any) {
	r := s.reader
	if c, ok := resource["Condition"]; ok {
		switch holds, err := s.condition(c); {
		case err != nil:
			r.leaveOut(at, "%v", err)
			return
		case !holds:
			return
		}
	}
	for _, attribute := range sortedKeys(resource) {
		if !slices.Contains(attributes, attribute) {
			r.note(r.lines.member(at, resource, attribute), "is not read")
		}
	}
	tableName, err := s.tableName(name, resource)
	if err != nil {
		r.leaveOut(at, "its name is unknown: %v", err)
		return
	}
	before := len(r.notes)
	p, ok := s.properties(at, resource)
	if !ok {
		r.leaveOut(at, "its key is unknown")
		return
	}
	p.TableName = &tableName
	switch resource["Type"] {
	case globalTable:
		s.global(at, p, len(r.notes) > before)
	case simpleTable:
		if err := p.simple(); err != nil {
			r.leaveOut(at, "%v", err)
			return
		}
	}
	r.add(at, p)
}

// properties evaluates the properties. ok is false if the key cannot be resolved.
func (s *stack) properties(at place, resource map[string]any) (p *tableProperties,
	ok bool) {
	r := s.reader
	p = new(tableProperties)
	given, isObject := resource["Properties"].(map[string]any)
	if !isObject && resource["Properties"] != nil {
		r.note(r.lines.member(at, resource, "Properties"), "want an object")
	}
	c := &coercer{reader: r, named: func(field string) string { return field }}
	if resource["Type"] == amplifyTable {
		c.named = lowerFirst
	}
	keySchema := c.named("KeySchema")
	given = maps.Clone(given)
	r.lines.copy(given, resource["Properties"])
	delete(given, c.named("TableName"))
	v, _ := s.collect(at, "", given)
	values, _ := v.(map[string]any)
	if given[keySchema] != nil && values[keySchema] == nil {
		return nil, false
	}
	if tags, ok := values["Tags"].(map[string]any); ok { // SAM writes an object
		values["Tags"] = tagList(tags)
	}
	if resource["Type"] == amplifyTable {
		p.amplify(c, at, values)
		return p, true
	}
	c.store(at, values, reflect.ValueOf(p).Elem())
	return p, true
}

// required are the members without which an element of a list means nothing.
var required = map[string][]string{
	"AttributeDefinitions":   {"AttributeName", "AttributeType"},
	"KeySchema":              {"AttributeName", "KeyType"},
	"GlobalSecondaryIndexes": {"IndexName", "KeySchema", "Projection"},
	"LocalSecondaryIndexes":  {"IndexName", "KeySchema", "Projection"},
	"VectorIndexes": {"IndexName", "VectorAttribute", "Dimensions", "SearchSchema",
		"Projection"},
	"Tags":     {"Key", "Value"},
	"Replicas": {"Region"},
}

// collect evaluates a value. What cannot be resolved in it is noted and left out, and with it the
// element of a list that means nothing without it. ok is false if nothing is left. list is the name
// of the list that the value is an element of.
func (s *stack) collect(at place, list string, v any) (result any, ok bool) {
	switch v := v.(type) {
	case []any:
		return s.collectList(at, list, v)
	case map[string]any:
		name, argument, is := intrinsic(v)
		if !is {
			return s.collectMembers(at, list, v)
		}
		if name == "Fn::If" {
			branch, err := s.branch(argument)
			if err != nil {
				s.note(at, "%v", err)
				return nil, false
			}
			return s.collect(at, list, branch)
		}
	}
	result, err := s.eval(v)
	if err != nil {
		s.note(at, "%v", err)
		return nil, false
	}
	return result, true
}

func (s *stack) collectList(at place, name string, v []any) (any, bool) {
	if err := s.enter(); err != nil {
		s.note(at, "%v", err)
		return nil, false
	}
	defer s.leave()
	result := make([]any, 0, len(v))
	o := origin{file: at.file}
	for i, element := range v {
		here := s.lines.element(at, v, i)
		e, ok := s.collect(here, name, element)
		if !ok && (name == "KeySchema" || name == "keySchema") {
			return nil, false // another key than the one that the file means
		}
		if ok && e != (noValue{}) {
			result, o.elements = append(result, e), append(o.elements, here.line)
		}
	}
	s.lines.add(result, o)
	return result, true
}

func (s *stack) collectMembers(at place, list string, v map[string]any) (any, bool) {
	if err := s.enter(); err != nil {
		s.note(at, "%v", err)
		return nil, false
	}
	defer s.leave()
	object := make(map[string]any, len(v))
	whole := true
	for _, name := range sortedKeys(v) {
		m, ok := s.collect(s.lines.member(at, v, name), name, v[name])
		whole = whole && (ok || !slices.Contains(required[list], name))
		if ok && m != (noValue{}) {
			object[name] = m
		}
	}
	if !whole {
		s.note(at, "is left out")
		return nil, false
	}
	s.lines.copy(object, v)
	return object, true
}

func tagList(tags map[string]any) []any {
	var list []any
	for _, key := range sortedKeys(tags) {
		list = append(list, map[string]any{"Key": key, "Value": tags[key]})
	}
	return list
}
