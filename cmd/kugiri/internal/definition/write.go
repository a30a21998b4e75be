package definition

import (
	"bytes"
	"fmt"
	"reflect"
	"strings"
	"unicode"

	"go.yaml.in/yaml/v3"
)

// Format is a form in which tables are written.
type Format string

// The formats.
const (
	CloudFormation Format = "cloudformation" // a template in YAML
	Terraform      Format = "terraform"      // resources in HCL
	CDK            Format = "cdk"            // a stack in TypeScript
)

// Formats are all formats.
var Formats = []Format{CloudFormation, Terraform, CDK}

// Write writes tables, and notes what the format does not have.
func Write(f Format, tables []*Described) ([]byte, []Note, error) {
	var notes []Note
	for _, t := range tables {
		notes = append(notes, t.Notes...)
	}
	switch f {
	case CloudFormation:
		text, err := writeTemplate(tables)
		return text, notes, err
	case Terraform:
		text, more := writeTerraform(tables)
		return text, append(notes, more...), nil
	case CDK:
		return writeCDK(tables), notes, nil
	}
	return nil, nil, fmt.Errorf("there is no format %q", f)
}

// member is a member of an object, in the order in which objects are written.
type member struct {
	name  string
	value any // []member, []any, or a scalar; of a policy map[string]any
}

// membersOf returns the fields of a structure that are set. The names are the fields'.
func membersOf(v reflect.Value) (list []member) {
	for i := range v.NumField() {
		field := v.Field(i)
		if v.Type().Field(i).IsExported() && !field.IsZero() {
			list = append(list, member{v.Type().Field(i).Name, valueOf(field)})
		}
	}
	return list
}

func valueOf(v reflect.Value) any {
	switch v.Kind() {
	case reflect.Pointer:
		return valueOf(v.Elem())
	case reflect.Struct:
		return membersOf(v)
	case reflect.Slice:
		list := make([]any, v.Len())
		for i := range list {
			list[i] = valueOf(v.Index(i))
		}
		return list
	case reflect.String:
		return v.String()
	}
	return v.Interface()
}

// logicalNames returns a name of letters and digits for each table.
func logicalNames(tables []*Described) []string {
	names, taken := make([]string, len(tables)), map[string]bool{}
	for i, t := range tables {
		var b strings.Builder
		up := true
		for _, r := range *t.properties.TableName {
			isWord := r < unicode.MaxASCII && (unicode.IsLetter(r) || unicode.IsDigit(r))
			switch {
			case isWord && up:
				b.WriteRune(unicode.ToUpper(r))
			case isWord:
				b.WriteRune(r)
			}
			up = !isWord
		}
		name := b.String() + "Table"
		if unicode.IsDigit(rune(name[0])) {
			name = "Table" + name
		}
		for n := 2; taken[name]; n++ {
			name = fmt.Sprint(b.String(), "Table", n)
		}
		taken[name] = true
		names[i] = name
	}
	return names
}

// writeTemplate writes a template of CloudFormation.
func writeTemplate(tables []*Described) ([]byte, error) {
	var resources []member
	for i, name := range logicalNames(tables) {
		resources = append(resources, member{name, []member{
			{"Type", plainTable}, {"DeletionPolicy", "Retain"}, {"UpdateReplacePolicy", "Retain"},
			{"Properties", membersOf(reflect.ValueOf(*tables[i].properties))},
		}})
	}
	node, err := yamlOf(
		[]member{{"AWSTemplateFormatVersion", "2010-09-09"}, {"Resources", resources}})
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	e := yaml.NewEncoder(&b)
	e.SetIndent(2)
	if err := e.Encode(node); err != nil {
		return nil, err
	}
	return b.Bytes(), e.Close()
}

// yamlOf returns a value as YAML that keeps the order of members.
func yamlOf(v any) (*yaml.Node, error) {
	node := new(yaml.Node)
	switch v := v.(type) {
	case []member:
		node.Kind = yaml.MappingNode
		for _, m := range v {
			value, err := yamlOf(m.value)
			if err != nil {
				return nil, err
			}
			name := new(yaml.Node)
			name.SetString(m.name)
			node.Content = append(node.Content, name, value)
		}
		return node, nil
	case []any:
		node.Kind = yaml.SequenceNode
		for _, each := range v {
			value, err := yamlOf(each)
			if err != nil {
				return nil, err
			}
			node.Content = append(node.Content, value)
		}
		return node, nil
	}
	return node, node.Encode(v)
}
