package definition

import (
	"reflect"
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2/hclparse"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/hashicorp/hcl/v2/hclwrite"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/zclconf/go-cty/cty"
	"pgregory.net/rapid"

	_ "github.com/kugiri-db/kugiri/storage/rapidseed" // fixes the seed
)

// TestWriteHCL compares files with those of package hclwrite, which formats as Terraform does.
func TestWriteHCL(t *testing.T) {
	number := int64(7)
	type argumentOf struct {
		name  string
		value any
		other cty.Value
	}
	name := argumentOf{"name", "orders", cty.StringVal("orders")}
	capacity := argumentOf{"read_capacity", &number, cty.NumberIntVal(7)}
	tags := argumentOf{"tags", map[string]any{"team": "a", "cost center": "b"},
		cty.ObjectVal(
			map[string]cty.Value{"team": cty.StringVal("a"), "cost center": cty.StringVal("b")})}
	list := argumentOf{"non_key_attributes", []string{"a", "b"},
		cty.TupleVal([]cty.Value{cty.StringVal("a"), cty.StringVal("b")})}
	for _, c := range []struct {
		name      string
		arguments []argumentOf
	}{
		{"nothing", nil},
		{"one argument", []argumentOf{name}},
		{"two of other lengths", []argumentOf{name, capacity}},
		{"a list", []argumentOf{list, name}},
		{"an object last", []argumentOf{name, capacity, tags}},
		{"an object between", []argumentOf{name, tags, capacity}},
		{"an object without members", []argumentOf{{"tags", map[string]any{}, cty.EmptyObjectVal}}},
		{"a truth", []argumentOf{{"enabled", true, cty.True}, name}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var own hclBody
			other := hclwrite.NewEmptyFile()
			block, otherBlock := own.add("resource", "kind",
				"a name"), other.Body().AppendNewBlock("resource",
				[]string{"kind", "a name"}).Body()
			for range 2 { // first the block, and then a block of it
				for _, a := range c.arguments {
					block.set(a.name, hclValue(reflect.ValueOf(a.value)))
					otherBlock.SetAttributeValue(a.name, a.other)
				}
				block.empty()
				otherBlock.AppendNewline()
				block, otherBlock = block.add("ttl"), otherBlock.AppendNewBlock("ttl", nil).Body()
			}
			own.empty()
			other.Body().AppendNewline()
			own.add("last")
			other.Body().AppendNewBlock("last", nil)
			var text strings.Builder
			own.write(&text, "")
			assert.Equal(t, string(hclwrite.Format(other.Bytes())), text.String())
		})
	}
}

// TestWriteHCLTexts reads texts back.
func TestWriteHCLTexts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.OneOf(rapid.StringOf(rapid.SampledFrom([]rune("a${%}\"\\\n\t\r\x00\u200b"))),
			rapid.String()).Draw(t, "text")
		file, diagnostics := hclparse.NewParser().ParseHCL([]byte("text = "+hclQuoted(text)+"\n"),
			"x.tf")
		require.False(t, diagnostics.HasErrors(), diagnostics)
		value, diagnostics := file.Body.(*hclsyntax.Body).Attributes["text"].Expr.Value(nil)
		require.False(t, diagnostics.HasErrors(), diagnostics)
		require.True(t, value.RawEquals(cty.StringVal(text)), value) // both of them normalize
	})
}
