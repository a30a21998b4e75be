package expr

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/storage/item"
	"github.com/kugiri-db/kugiri/storage/item/jsontext"
)

// The fuzz tests bind and evaluate any text, with names and values of every type. A text may only
// be rejected with an Error, and results must be in canonical form.

func fuzzScope(t *testing.T) (*Scope, item.Item) {
	return newScope(t, `#a=s #x=x #p=pk #q=quo"te`, checkValues), newItem(t, testItem)
}

func addSeeds(f *testing.F, kinds ...Kind) {
	for _, tt := range parseTests {
		for _, kind := range kinds {
			if tt.kind == kind {
				f.Add(tt.input)
			}
		}
	}
}

// requireCanonical requires an attribute map as package item writes it.
func requireCanonical(t *testing.T, text string) {
	s := jsontext.NewScanner(text)
	attrs, err := item.ParseAttributes(&s)
	require.NoError(t, err, text)
	require.Nil(t, attrs.Invalid, text)
	require.Equal(t, text, string(attrs.Item.JSON()))
}

func FuzzCondition(f *testing.F) {
	addSeeds(f, KindCondition, KindFilter)
	f.Add("NOT contains(ss, :s) AND size(l) BETWEEN :n1 AND size(#a) OR m.#q.x IN (:n, l[2][0])")
	f.Fuzz(func(t *testing.T, src string) {
		scope, it := fuzzScope(t)
		c, err := scope.Condition(KindFilter, src)
		if err != nil {
			require.IsType(t, Error(""), err)
			return
		}
		not, err := scope.Condition(KindFilter, "NOT ("+c.tree.String()+")")
		if err == nil { // parentheses may be redundant, and the text too long
			require.NotEqual(t, c.Match(it), not.Match(it))
		}
		c.Match("")
	})
}

func FuzzKeyCondition(f *testing.F) {
	addSeeds(f, KindKeyCondition, KindCondition)
	f.Add("#p = :s AND sk BETWEEN :n1 AND :n")
	f.Add("(:s = #p) AND begins_with(sk, :s)")
	f.Fuzz(func(t *testing.T, src string) {
		scope, _ := fuzzScope(t)
		terms, err := scope.KeyCondition(src)
		if err != nil {
			require.IsType(t, Error(""), err)
			return
		}
		require.NotEmpty(t, terms)
		for _, term := range terms {
			require.NotEmpty(t, term.Name)
			require.NotEmpty(t, term.Value)
			require.Equal(t, term.Op == "BETWEEN", term.Hi != "")
		}
	})
}

func FuzzSearchCondition(f *testing.F) {
	addSeeds(f, KindSearchCondition, KindCondition)
	f.Add("#p = :s AND (:n = y)")
	f.Fuzz(func(t *testing.T, src string) {
		scope, _ := fuzzScope(t)
		terms, err := scope.SearchCondition(src)
		if err != nil {
			require.IsType(t, Error(""), err)
			return
		}
		require.NotEmpty(t, terms)
		for _, term := range terms {
			require.NotEmpty(t, term.Name)
			require.NotEmpty(t, term.Value)
			require.Equal(t, KeyEqual, term.Op)
		}
	})
}

func FuzzUpdate(f *testing.F) {
	addSeeds(f, KindUpdate)
	f.Add("SET m.k = list_append(l, :l), l[1] = n + :n, l[9] = if_not_exists(x, :m) REMOVE m.n, ss ADD ns :ns DELETE bs :bs")
	f.Fuzz(func(t *testing.T, src string) {
		scope, it := fuzzScope(t)
		u, err := scope.Update(src)
		if err != nil {
			require.IsType(t, Error(""), err)
			return
		}
		updated, err := u.Apply(it)
		if err != nil {
			require.IsType(t, Error(""), err)
			return
		}
		requireCanonical(t, string(updated.JSON()))
		for _, image := range []item.Item{it, updated} {
			if touched := u.Touched(image); touched != "" {
				requireCanonical(t, string(touched))
			}
		}
		rest := updated.With(removals(u.Attributes())...)
		require.Equal(t, it.With(removals(u.Attributes())...), rest, "nothing else changes")
	})
}

func removals(names []string) []item.Attribute {
	changes := make([]item.Attribute, len(names))
	for i, name := range names {
		changes[i].Name = name
	}
	return changes
}

func FuzzProjection(f *testing.F) {
	addSeeds(f, KindProjection)
	f.Add("m.#q.x, m.k, l[2][0], l[0], #a")
	f.Fuzz(func(t *testing.T, src string) {
		scope, it := fuzzScope(t)
		p, err := scope.Projection(src)
		if err != nil {
			require.IsType(t, Error(""), err)
			return
		}
		requireCanonical(t, string(p.AppendJSON(nil, it)))
		for _, name := range p.Attributes() {
			require.NotEmpty(t, name)
		}
	})
}
