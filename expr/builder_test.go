package expr

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/storage/item"
)

func namedPath(name string, more ...PathStep) Path {
	return NewPath(append([]PathStep{{Name: name, Index: -1}}, more...)...)
}

func TestBuilderConditions(t *testing.T) {
	it := item.New(
		item.Attribute{Name: "n", Value: `{"N":"5"}`},
		item.Attribute{Name: "l", Value: `{"L":[{"M":{"a":{"S":"xyz"}}}]}`},
	)
	type built func(b *Builder, op func(name string, parts ...Part) Part) Part
	n := func(b *Builder) Part { return b.Path(namedPath("n")) }
	deep := func(b *Builder) Part {
		return b.Path(namedPath("l", PathStep{Index: 0}, PathStep{Name: "a", Index: -1}))
	}
	for _, k := range []struct {
		name  string
		build built
		want  bool
		err   string
	}{
		{"equal", func(b *Builder, op func(string, ...Part) Part) Part {
			return op("=", n(b), b.Value(`{"N":"5"}`))
		}, true, ""},
		{"not", func(b *Builder, op func(string, ...Part) Part) Part {
			return op("NOT", op("=", n(b), b.Value(`{"N":"5"}`)))
		}, false, ""},
		{"nested", func(b *Builder, op func(string, ...Part) Part) Part {
			return op("begins_with", deep(b), b.Value(`{"S":"xy"}`))
		}, true, ""},
		{"and, or", func(b *Builder, op func(string, ...Part) Part) Part {
			return op("AND", op("attribute_not_exists", b.Path(namedPath("x"))),
				op("OR", op("<", n(b), b.Value(`{"N":"5"}`)),
					op("IN", n(b), b.Value(`{"N":"4"}`), b.Value(`{"N":"5"}`))))
		}, true, ""},
		{"size", func(b *Builder, op func(string, ...Part) Part) Part {
			return op("BETWEEN", op("size", deep(b)), b.Value(`{"N":"1"}`), b.Value(`{"N":"3"}`))
		}, true, ""},
		{"no condition", func(b *Builder, _ func(string, ...Part) Part) Part { return n(b) }, false,
			"Expected a condition"},
		{"sum", func(b *Builder, op func(string, ...Part) Part) Part {
			return op("=", op("+", n(b), n(b)), b.Value(`{"N":"10"}`))
		}, false, "The function is not allowed in a condition expression; function: +"},
		{"unknown function",
			func(b *Builder, op func(string, ...Part) Part) Part { return op("set_add", n(b)) },
			false, "Expected a condition"},
		{"operand types",
			func(b *Builder, op func(string, ...Part) Part) Part {
				return op("<", n(b), b.Value(`{"BOOL":true}`))
			}, false,
			"Incorrect operand type for operator or function; operator or function: <, operand type: BOOL"},
		{"a condition compared", func(b *Builder, op func(string, ...Part) Part) Part {
			return op("AND", op("=", op(">", n(b), b.Value(`{"N":"4"}`)), b.Value(`{"BOOL":true}`)),
				op("IN", op("attribute_exists", b.Path(namedPath("x"))), b.Value(`{"BOOL":false}`)),
				op("<>", op("attribute_exists", n(b)), n(b)))
		}, true, ""},
		{"the order of conditions", func(b *Builder, op func(string, ...Part) Part) Part {
			return op(">", op("=", n(b), b.Value(`{"N":"4"}`)), b.Value(`{"N":"1"}`))
		}, false, "Incorrect operand type for operator or function; operator or function: >, operand type: BOOL"},
		{"a value that is missing", func(b *Builder, op func(string, ...Part) Part) Part {
			return op("attribute_not_exists", b.Value(`{"N":"1"}`))
		}, false, "Operator or function requires a document path; operator or function: attribute_not_exists"},
	} {
		t.Run(k.name, func(t *testing.T) {
			b := new(Builder)
			root := k.build(b, func(name string, parts ...Part) Part {
				p, err := b.Operator(name, parts...)
				require.NoError(t, err)
				return p
			})
			c, err := b.Condition(root)
			if k.err != "" {
				assert.EqualError(t, err, k.err)
				return
			}
			require.NoError(t, err)
			assert.Equal(t, k.want, c.Match(it))
		})
	}
}

func TestBuilderOperands(t *testing.T) {
	b := new(Builder)
	path := b.Path(namedPath("a"))
	truth, err := b.Operator("=", path, b.Value(`{"N":"1"}`))
	require.NoError(t, err)
	_, err = b.Operator("AND", truth, path)
	assert.Equal(t, errNoCondition, err)
}

func TestConditionAttributesOfABuilder(t *testing.T) {
	b := new(Builder)
	p, err := b.Operator("=", b.Path(namedPath("a", PathStep{Name: "b", Index: -1})),
		b.Path(namedPath("c")))
	require.NoError(t, err)
	c, err := b.Condition(p)
	require.NoError(t, err)
	assert.Equal(t, []string{"a", "c"}, c.Attributes())
	assert.True(t, c.Nested("a"))
	assert.False(t, c.Nested("c"))
}

func TestBuilderUpdates(t *testing.T) {
	old := item.New(item.Attribute{Name: "n", Value: `{"N":"5"}`},
		item.Attribute{Name: "s", Value: `{"SS":["a","b"]}`})
	b := new(Builder)
	sum, err := b.Operator("+", b.Path(namedPath("n")), b.Value(`{"N":"2"}`))
	require.NoError(t, err)
	u, err := b.Update(
		Change{Section: "SET", Path: namedPath("m"), Value: sum},
		Change{Section: "ADD", Path: namedPath("s"), Value: b.Value(`{"SS":["c"]}`)},
		Change{Section: "REMOVE", Path: namedPath("n")},
	)
	require.NoError(t, err)
	it, err := u.Apply(old)
	require.NoError(t, err)
	assert.Equal(t, item.JSON(`{"m":{"N":"7"},"s":{"SS":["a","b","c"]}}`), it.JSON())

	for _, k := range []struct {
		name    string
		changes func(b *Builder) []Change
		err     string
	}{
		{"overlap", func(b *Builder) []Change {
			return []Change{{Section: "REMOVE", Path: namedPath("a")},
				{Section: "REMOVE", Path: namedPath("a", PathStep{Index: 1})}}
		}, "Two document paths overlap with each other; must remove or rewrite one of these paths; path one: [a], path two: [a, [1]]"},
		{"no set", func(b *Builder) []Change {
			return []Change{{Section: "DELETE", Path: namedPath("a"), Value: b.Value(`{"N":"1"}`)}}
		}, "Incorrect operand type for operator or function; operator: DELETE, operand type: NUMBER, typeSet: ALLOWED_FOR_ADD_OPERAND"},
		{"too few operands", func(b *Builder) []Change {
			p, _ := b.Operator("list_append", b.Path(namedPath("a")))
			return []Change{{Section: "SET", Path: namedPath("a"), Value: p}}
		}, "Incorrect number of operands for operator or function; operator or function: list_append, number of operands: 1"},
		{"a condition", func(b *Builder) []Change {
			p, _ := b.Operator("=", b.Path(namedPath("a")), b.Value(`{"N":"1"}`))
			return []Change{{Section: "SET", Path: namedPath("a"), Value: p}}
		}, "Expected an operand"},
	} {
		t.Run(k.name, func(t *testing.T) {
			b := new(Builder)
			_, err := b.Update(k.changes(b)...)
			assert.EqualError(t, err, k.err)
		})
	}
}

func TestPathGet(t *testing.T) {
	it := item.New(item.Attribute{Name: "l", Value: `{"L":[{"S":"x"}]}`})
	assert.Equal(t, item.Value(`{"S":"x"}`), namedPath("l", PathStep{Index: 0}).Get(it))
	assert.Empty(t, namedPath("l", PathStep{Index: 1}).Get(it))
	assert.Empty(t, namedPath("l").Get(""))
}
