package permit

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/conventions/api"
	"github.com/kugiri-db/kugiri/expr"
	"github.com/kugiri-db/kugiri/storage/item"
	"github.com/kugiri-db/kugiri/storage/item/jsontext"
)

// FuzzNamesInExpression: what a valid expression names is found, however it is written.
func FuzzNamesInExpression(f *testing.F) {
	for _, text := range []string{
		"NOT contains(ss, :s) AND size(l) BETWEEN :n AND size(#a) OR m.#q.x IN (:n, l[2][0])",
		"SET a = if_not_exists(b, :n) + :n REMOVE c.d, e[1] ADD f :n DELETE g :ss",
		"a, b.c, #a[0].#q, d", "#p = :s AND begins_with (sk, :s)", "\t( a )\n=\r:s", ":n = size\n(#a)",
		"SET a=b,c=:s", "attribute_exists(#a.b)and(:s)in(c)",
	} {
		f.Add(text)
	}
	names := api.Map[api.AttributeName]{{Key: "#a", Value: "alpha"}, {Key: "#q", Value: `quo"te`},
		{Key: "#p", Value: "pk"}}
	scan := jsontext.NewScanner(`{":s":{"S":"s"},":n":{"N":"1"},":ss":{"SS":["s"]}}`)
	values, err := item.ParseAttributes(&scan)
	require.NoError(f, err)
	f.Fuzz(func(t *testing.T, text string) {
		var own []expr.Name
		for _, n := range names {
			own = append(own, expr.Name{Placeholder: n.Key, Attribute: string(n.Value)})
		}
		scope, err := expr.NewScope(own, values.Item)
		require.NoError(t, err)
		found := namesInExpression(text, placeholdersOf(names))
		if c, err := scope.Condition(expr.KindFilter, text); err == nil {
			assert.Subset(t, found, c.Attributes(), text)
		}
		if u, err := scope.Update(text); err == nil {
			assert.Subset(t, found, u.Attributes(), text)
		}
		if p, err := scope.Projection(text); err == nil {
			assert.Subset(t, found, p.Attributes(), text)
		}
	})
}
