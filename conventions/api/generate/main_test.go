package main

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestGeneratedFilesAreFresh(t *testing.T) {
	files, err := generate("../model")
	require.NoError(t, err)
	assert.Len(t, files, 2)
	for name, want := range files {
		got, err := os.ReadFile(filepath.Join("..", name))
		require.NoError(t, err)
		assert.True(t, string(want) == string(got),
			"%s is not what the model says: run go generate ./conventions/api", name)
	}
}

// TestTypes shows the Go types for models. The model of each case has an operation Do with the
// input In and the output Out.
func TestTypes(t *testing.T) {
	for _, c := range []struct{ name, shapes, types, constraints string }{
		{"simple members",
			`"In": {"type": "structure", "members": {"s": {"shape": "S"}, "B": {"shape": "B"}, "L": {"shape": "L"},
				"D": {"shape": "D"}, "T": {"shape": "T"}}, "required": ["B"]},
			"S": {"type": "string"}, "B": {"type": "boolean"}, "L": {"type": "long"}, "D": {"type": "double"}, "T": {"type": "timestamp"}`,
			"type In struct { S *string `wire:\"s\"` B *bool `wire:\"B,required\"` L *int64 `wire:\"L\"` D *float64 `wire:\"D\"` T *Timestamp `wire:\"T\"` }",
			""},
		{"constrained types",
			`"In": {"type": "structure", "members": {"S": {"shape": "S"}, "N": {"shape": "N"}, "E": {"shape": "E"}}},
			"S": {"type": "string", "min": 0, "max": 9, "pattern": "\\d"}, "N": {"type": "integer", "min": 1},
			"E": {"type": "string", "enum": ["B", "A"]}`,
			"type E string type In struct { S *S `wire:\"S\"` N *N `wire:\"N\"` E *E `wire:\"E\"` } type N int64 type S string",
			"reflect.TypeFor[E](): {Enum: []string{\"B\", \"A\"}}, reflect.TypeFor[N](): {Min: 1, Integer: true}, " +
				"reflect.TypeFor[S](): {Min: 0, Max: 9, Pattern: `\\d`},"},
		{"integers are bounded in requests",
			`"In": {"type": "structure", "members": {"I": {"shape": "I"}}}, "I": {"type": "integer"},
			"Out": {"type": "structure", "members": {"O": {"shape": "O"}}}, "O": {"type": "integer"}`,
			"type I int64 type In struct { I *I `wire:\"I\"` } type Out struct { O *int64 `wire:\"O\"` }",
			"reflect.TypeFor[I](): {Integer: true},"},
		{"lists and maps",
			`"In": {"type": "structure", "members": {"L": {"shape": "L"}, "C": {"shape": "C"}, "M": {"shape": "M"}}},
			"L": {"type": "list", "member": {"shape": "K"}}, "K": {"type": "string", "min": 1},
			"C": {"type": "list", "member": {"shape": "L"}, "min": 1},
			"M": {"type": "map", "key": {"shape": "K"}, "value": {"shape": "L"}}`,
			"type C [][]K type In struct { L []K `wire:\"L\"` C C `wire:\"C\"` M Map[[]K] `wire:\"M\"` } type K string",
			"reflect.TypeFor[C](): {Min: 1}, reflect.TypeFor[K](): {Min: 1},"},
		{"keys of a constrained map",
			`"In": {"type": "structure", "members": {"M": {"shape": "M"}}},
			"M": {"type": "map", "key": {"shape": "K"}, "value": {"shape": "V"}, "max": 2},
			"K": {"type": "string", "min": 1}, "V": {"type": "string"}`,
			"type In struct { M M `wire:\"M\"` } type K string type M Map[string]",
			"reflect.TypeFor[K](): {Min: 1}, reflect.TypeFor[M](): {Max: 2, Keys: reflect.TypeFor[K]()},"},
		{"attributes in requests and answers",
			`"In": {"type": "structure", "members": {"A": {"shape": "A"}, "V": {"shape": "AttributeValue"}, "L": {"shape": "L"}, "Both": {"shape": "Both"}}},
			"Out": {"type": "structure", "members": {"A": {"shape": "A"}, "L": {"shape": "L"}, "Both": {"shape": "Both"}}},
			"Both": {"type": "structure", "members": {"A": {"shape": "A"}}},
			"A": {"type": "map", "key": {"shape": "K"}, "value": {"shape": "AttributeValue"}}, "K": {"type": "string", "max": 9},
			"L": {"type": "list", "member": {"shape": "A"}}, "AttributeValue": {"type": "structure", "members": {}}`,
			"type Both struct { A item.Attributes `wire:\"A\"` } " +
				"type In struct { A item.Attributes `wire:\"A\"` V AttributeValue `wire:\"V\"` L []item.Attributes `wire:\"L\"` Both *Both `wire:\"Both\"` } " +
				"type Out struct { A item.JSON `wire:\"A\"` L []item.JSON `wire:\"L\"` Both *Both `wire:\"Both\"` }",
			""},
		{"shapes that no operation has",
			`"In": {"type": "structure", "members": {}}, "Error": {"type": "structure", "members": {}}`,
			"type In struct { }", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			types, err := resolveText(t, c.shapes)
			require.NoError(t, err)
			shapes, err := printShapes(types)
			require.NoError(t, err)
			assert.Equal(t, c.types, body(shapes, `(?s)^.*?/item"\n(.*)$`))
			constraints, err := printConstraints(types)
			require.NoError(t, err)
			assert.Equal(t, c.constraints, body(constraints, `(?s)^.*Constraint\{(.*)\}\n$`))
		})
	}
}

func TestBadModels(t *testing.T) {
	for _, c := range []struct{ name, shapes, err string }{
		{"a shape that is not there",
			`"In": {"type": "structure", "members": {"A": {"shape": "A"}}}`,
			"the model has no shape A"},
		{"an unknown type", `"In": {"type": "quaternion"}`,
			"shape In has the unknown type quaternion"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := resolveText(t, c.shapes)
			assert.EqualError(t, err, c.err)
		})
	}
}

func TestShapesOfOneNameAreTheSame(t *testing.T) {
	m := newModel()
	require.NoError(t, m.read(modelFile(t, `"S": {"type": "string", "min": 1}`)))
	require.NoError(t,
		m.read(modelFile(t, `"S": {"type": "string", "min": 1, "documentation": "other"}`)))
	file := modelFile(t, `"S": {"type": "string", "min": 2}`)
	assert.EqualError(t, m.read(file), file+": shape S is another one than in the models before it")
}

// modelFile writes a model.
func modelFile(t *testing.T, shapes string) string {
	operation := `{"input": {"shape": "In"}`
	if regexp.MustCompile(`"Out":`).MatchString(shapes) {
		operation += `, "output": {"shape": "Out"}`
	}
	file := filepath.Join(t.TempDir(), "model.json")
	require.NoError(t,
		os.WriteFile(file, []byte(`{"operations": {"Do": `+operation+`}}, "shapes": {`+shapes+`}}`),
			0o600))
	return file
}

func resolveText(t *testing.T, shapes string) ([]goType, error) {
	m := newModel()
	require.NoError(t, m.read(modelFile(t, shapes)))
	return resolve(m)
}

// body returns the text that a pattern captures, with single spaces.
func body(text []byte, pattern string) string {
	found := regexp.MustCompile(pattern).FindSubmatch(text)[1]
	return string(
		regexp.MustCompile(`^ | $`).ReplaceAll(
			regexp.MustCompile(`\s+`).ReplaceAll(found, []byte(" ")), nil))
}
