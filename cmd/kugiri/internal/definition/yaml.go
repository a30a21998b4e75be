package definition

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Limits of a file.
const (
	maxBytes = 10 << 20
	maxDepth = 100
	maxNodes = 1 << 20 // with those that aliases repeat
)

// parseYAML parses YAML or JSON. The short forms of intrinsic functions, such as !Sub, become their
// long forms.
func parseYAML(text []byte) (any, error) {
	var doc yaml.Node
	if err := yaml.Unmarshal(text, &doc); err != nil {
		return nil, err
	}
	if len(doc.Content) == 0 {
		return nil, errors.New("the file is empty")
	}
	p := &yamlParser{left: maxNodes}
	return p.value(doc.Content[0], 0)
}

type yamlParser struct{ left int }

func (p *yamlParser) value(n *yaml.Node, depth int) (any, error) {
	if p.left--; p.left < 0 || depth > maxDepth {
		return nil, fmt.Errorf("line %d: the file is too large or too deep", n.Line)
	}
	var v any
	var err error
	switch n.Kind {
	case yaml.AliasNode:
		return p.value(n.Alias, depth+1)
	case yaml.SequenceNode:
		v, err = p.list(n, depth)
	case yaml.MappingNode:
		v, err = p.object(n, depth)
	default:
		v, err = scalar(n)
	}
	if err != nil {
		return nil, err
	}
	return longForm(n.Tag, v), nil
}

func (p *yamlParser) list(n *yaml.Node, depth int) (any, error) {
	list := make([]any, 0, len(n.Content))
	for _, element := range n.Content {
		v, err := p.value(element, depth+1)
		if err != nil {
			return nil, err
		}
		list = append(list, v)
	}
	return list, nil
}

func (p *yamlParser) object(n *yaml.Node, depth int) (any, error) {
	object := make(map[string]any, len(n.Content)/2)
	var merged []any
	for i := 0; i < len(n.Content); i += 2 {
		key := n.Content[i]
		v, err := p.value(n.Content[i+1], depth+1)
		if err != nil {
			return nil, err
		}
		switch _, twice := object[key.Value]; {
		case key.Tag == "!!merge":
			merged = append(merged, v)
		case twice:
			return nil, fmt.Errorf("line %d: %s is there twice", key.Line, key.Value)
		default:
			object[key.Value] = v
		}
	}
	for _, m := range merged {
		merge(object, m)
	}
	return object, nil
}

// merge adds the members of a merge key that an object does not have.
func merge(object map[string]any, from any) {
	switch from := from.(type) {
	case []any:
		for _, each := range from {
			merge(object, each)
		}
	case map[string]any:
		for name, v := range from {
			if _, own := object[name]; !own {
				object[name] = v
			}
		}
	}
}

// scalar returns a string, bool, int, float64 or nil. Dates stay texts.
func scalar(n *yaml.Node) (v any, err error) {
	if strings.HasPrefix(n.Tag, "!") && !strings.HasPrefix(n.Tag, "!!") || n.Tag == "!!timestamp" ||
		n.Tag == "!!binary" {
		return n.Value, nil
	}
	if err := n.Decode(&v); err != nil {
		return nil, fmt.Errorf("line %d: %w", n.Line, err)
	}
	return v, nil
}

// longForm returns the long form of an intrinsic function.
func longForm(tag string, v any) any {
	name, short := strings.CutPrefix(tag, "!")
	switch {
	case !short, strings.HasPrefix(name, "!"), name == "":
		return v
	case name == "Ref", name == "Condition":
		return map[string]any{name: v}
	}
	if text, ok := v.(string); ok && name == "GetAtt" {
		resource, attribute, _ := strings.Cut(text, ".")
		v = []any{resource, attribute}
	}
	return map[string]any{"Fn::" + name: v}
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
