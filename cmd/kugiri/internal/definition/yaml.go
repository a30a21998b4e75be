package definition

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/kugiri-db/kugiri/storage/budget"
)

// Limits of a file.
const (
	maxBytes = 10 << 20
	maxDepth = 100
	maxNodes = 1 << 20 // nodes, with those that aliases repeat
)

// Limits of what all files together are evaluated to.
var limits = budget.Limits{Bytes: 64 << 20, Steps: 1 << 20, Depth: maxDepth}

// document is a file of YAML or JSON.
type document struct {
	*reader
	name   string
	yaml11 bool // yes and on are booleans, as CloudFormation and SAM read templates
	steps  *budget.Budget
}

func (r *reader) document(name string) *document {
	return &document{reader: r, name: name,
		steps: budget.New(r.ctx, budget.Limits{Bytes: 1, Steps: maxNodes, Depth: 1})}
}

var byteOrderMark = []byte("\xef\xbb\xbf")

// yaml parses YAML or JSON. The short forms of intrinsic functions, such as !Sub, become their long
// forms. Of members with the same name the last one counts, and the others are noted.
func (d *document) yaml(text []byte) (any, error) {
	root, err := d.parse(text)
	if err != nil {
		return nil, err
	}
	return d.value(root, 0)
}

// yamlTemplate parses YAML or JSON as yaml does. If it is a template, yes and on are booleans.
func (d *document) yamlTemplate(text []byte) (any, error) {
	root, err := d.parse(text)
	if err != nil {
		return nil, err
	}
	for i := 0; i+1 < len(root.Content) && root.Kind == yaml.MappingNode; i += 2 {
		d.yaml11 = d.yaml11 || root.Content[i].Value == "Resources"
	}
	return d.value(root, 0)
}

func (d *document) parse(text []byte) (*yaml.Node, error) {
	if err := d.budget.Bytes(int64(len(text))); err != nil {
		return nil, err
	}
	if err := budget.CheckMarks(text); err != nil {
		return nil, err
	}
	var doc yaml.Node
	if err := yaml.Unmarshal(bytes.TrimPrefix(text, byteOrderMark), &doc); err != nil {
		return nil, err
	}
	if len(doc.Content) == 0 {
		return nil, errors.New("the file is empty")
	}
	return doc.Content[0], nil
}

func (d *document) value(n *yaml.Node, depth int) (any, error) {
	if depth > maxDepth {
		return nil, fmt.Errorf("line %d: the file is too large or too deep", n.Line)
	}
	if err := d.steps.Step(); err != nil {
		return nil, fmt.Errorf("line %d: the file is too large or too deep: %w", n.Line, err)
	}
	var v any
	var err error
	switch n.Kind {
	case yaml.AliasNode:
		return d.value(n.Alias, depth+1)
	case yaml.SequenceNode:
		v, err = d.list(n, depth)
	case yaml.MappingNode:
		v, err = d.object(n, depth)
	default:
		v, err = d.scalar(n)
	}
	if err != nil {
		return nil, err
	}
	return d.longForm(n, v), nil
}

func (d *document) list(n *yaml.Node, depth int) (any, error) {
	list := make([]any, 0, len(n.Content))
	o := origin{file: d.name}
	for _, element := range n.Content {
		v, err := d.value(element, depth+1)
		if err != nil {
			return nil, err
		}
		list = append(list, v)
		o.elements = append(o.elements, element.Line)
	}
	d.lines.add(list, o)
	return list, nil
}

func (d *document) object(n *yaml.Node, depth int) (any, error) {
	object := make(map[string]any, len(n.Content)/2)
	o := origin{file: d.name, members: make(map[string]int, len(n.Content)/2)}
	var merged []any
	for i := 0; i < len(n.Content); i += 2 {
		key := n.Content[i]
		v, err := d.value(n.Content[i+1], depth+1)
		if err != nil {
			return nil, err
		}
		if key.Tag == "!!merge" {
			merged = append(merged, v)
			continue
		}
		if first, twice := o.members[key.Value]; twice {
			d.note(place{d.name, first, ""},
				"%s is there twice: the last one counts, on line %d", key.Value, key.Line)
		}
		object[key.Value], o.members[key.Value] = v, key.Line
	}
	for _, m := range merged {
		d.merge(object, m, o.members)
	}
	d.lines.add(object, o)
	return object, nil
}

// merge adds the members of a merge key that an object does not have.
func (d *document) merge(object map[string]any, from any, members map[string]int) {
	switch from := from.(type) {
	case []any:
		for _, each := range from {
			d.merge(object, each, members)
		}
	case map[string]any:
		at, _ := address(from)
		for name, v := range from {
			if _, own := object[name]; !own {
				object[name], members[name] = v, d.lines[at].members[name]
			}
		}
	}
}

// scalar returns a string, bool, int, float64 or nil. Dates stay texts.
func (d *document) scalar(n *yaml.Node) (v any, err error) {
	if strings.HasPrefix(n.Tag, "!") && !strings.HasPrefix(n.Tag, "!!") || n.Tag == "!!timestamp" ||
		n.Tag == "!!binary" {
		return n.Value, nil
	}
	if d.yaml11 && n.Style == 0 && n.Tag == "!!str" {
		switch n.Value {
		case "yes", "Yes", "YES", "on", "On", "ON":
			return true, nil
		case "no", "No", "NO", "off", "Off", "OFF":
			return false, nil
		}
	}
	if err := n.Decode(&v); err != nil {
		return nil, fmt.Errorf("line %d: %w", n.Line, err)
	}
	return v, nil
}

// longForm returns the long form of an intrinsic function.
func (d *document) longForm(n *yaml.Node, v any) any {
	name, short := strings.CutPrefix(n.Tag, "!")
	switch {
	case !short, strings.HasPrefix(name, "!"), name == "":
		return v
	case name != "Ref" && name != "Condition":
		name = "Fn::" + name
	}
	if text, ok := v.(string); ok && name == "Fn::GetAtt" {
		resource, attribute, _ := strings.Cut(text, ".")
		v = []any{resource, attribute}
	}
	call := map[string]any{name: v}
	d.lines.add(call, origin{file: d.name, members: map[string]int{name: n.Line}})
	return call
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
