package definition

import (
	"fmt"
	"strings"

	"github.com/zclconf/go-cty/cty"
)

// plain returns a known value as JSON would have it.
func plain(v cty.Value) any {
	switch kind := v.Type(); {
	case v.IsNull() || !v.IsKnown():
		return nil
	case kind == cty.String:
		return v.AsString()
	case kind == cty.Bool:
		return v.True()
	case kind == cty.Number:
		f, _ := v.AsBigFloat().Float64()
		return f
	case kind.IsObjectType() || kind.IsMapType():
		object := map[string]any{}
		for name, member := range v.AsValueMap() {
			object[name] = plain(member)
		}
		return object
	case v.CanIterateElements():
		list := []any{}
		for it := v.ElementIterator(); it.Next(); {
			_, element := it.Element()
			list = append(list, plain(element))
		}
		return list
	}
	return nil
}

// keyOf returns a key of an instance as Terraform writes it.
func keyOf(key cty.Value) string {
	text, _ := scalarText(plain(key))
	if key.Type() == cty.String {
		return fmt.Sprintf("[%q]", text)
	}
	return "[" + strings.TrimSpace(text) + "]"
}
