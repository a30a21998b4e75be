package designfile

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/kugiri-db/kugiri/storage/growth"
)

// edited is a file with comments, quotes, and lists of each kind.
const edited = `# a shop
table: shop   # its name
models:
  # who buys
  - name: Customer
    key: [id]
    items: 100_000
    unknown: {a: 1} # stays
    attributes:
      - {name: id, format: ulid}
      - mail   # of the person
      - name: since
        format: timestamp

  # what is bought
  - name: "Order"
    key:
    - id
    attributes: [{name: id, format: ulid}, {name: customer, of: Customer.id}]
patterns:
  - {name: a customer, model: Customer, equal: [id], one: true, rate: 50}
  - name: orders
    model: Order
    equal: [customer]  # one
    rate: 20
`

// TestEdit checks that an edit changes the lines that it has to, and no others.
func TestEdit(t *testing.T) {
	for _, c := range []struct{ name, path, value, old, text string }{
		{"a text", "table", `"store"`, "table: shop ", "table: store "},
		{"a text with quotes", "models[1].name", `"Purchase"`, `"Order"`, "Purchase"},
		{"a text that looks like a number", "table", `"17"`, "table: shop ", `table: "17" `},
		{"a number in an object of one line", "patterns[0].rate", "7.5", "rate: 50", "rate: 7.5"},
		{"a number in lines", "models[0].items", "5", "100_000", "5"},
		{"an element of a list", "patterns[1].equal[0]", `"buyer"`, "[customer]", "[buyer]"},
		{"a list", "patterns[1].equal", `["customer", "id"]`, "[customer]", "[customer, id]"},
		{"a list of lines", "models[1].key", `["id", "customer"]`, "    - id\n",
			"      [id, customer]\n"},
		{"a name becomes an object", "models[0].attributes[1]", `{"name": "mail", "mutable": true}`,
			"- mail ", "- {name: mail, mutable: true} "},
		{"a new member in a line", "patterns[0].consistent", "true", "rate: 50}",
			"rate: 50, consistent: true}"},
		{"a new member among lines", "models[0].puts", "3", "# stays\n", "# stays\n    puts: 3\n"},
		{"a new member of the file", "indexes", "3", "its name\n", "its name\nindexes: 3\n"},
		{"a new list of the file", "transactions", `[{"name": "t", "puts": ["Order"]}]`,
			"    rate: 20\n", "    rate: 20\ntransactions:\n  - {name: t, puts: [Order]}\n"},
		{"no member in a line", "patterns[0].one", "null", ", one: true", ""},
		{"no last member in a line", "patterns[0].rate", "null", ", rate: 50", ""},
		{"no member among lines", "models[0].items", "null", "    items: 100_000\n", ""},
		{"no member at the end", "patterns[1].rate", "null", "    rate: 20\n", ""},
		{"no first member", "patterns[1].name", "null", "name: orders\n    model", "model"},
		{"a member that is not there", "patterns[1].one", "null", "", ""},
		{"a new element in a line", "models[1].attributes[2]", `"state"`, "Customer.id}]",
			"Customer.id}, state]"},
		{"a new element below lines", "models[0].attributes[3]", `{"name": "x", "bytes": 9}`,
			"format: timestamp\n", "format: timestamp\n      - {name: x, bytes: 9}\n"},
		{"a new pattern", "patterns[2]", `{"name": "all of it", "model": "Order"}`,
			"    rate: 20\n", "    rate: 20\n  - {name: all of it, model: Order}\n"},
		{"a new model", "models[2]",
			`{"name": "Line", "key": ["id"], "attributes": ["id", {"name": "no2", "type": "number"}]}`,
			"Customer.id}]\n", "Customer.id}]\n  - name: Line\n    key: [id]\n    attributes:\n" +
				"      - id\n      - {name: no2, type: number}\n"},
		{"no element in a line", "models[1].attributes[0]", "null", "{name: id, format: ulid}, ",
			""},
		{"no element of lines", "models[0].attributes[2]", "null",
			"      - name: since\n        format: timestamp\n", ""},
		{"no model, with its comment", "models[1]", "null",
			edited[strings.Index(edited, "  # what is bought"):strings.Index(edited, "patterns:")],
			""},
		{"no only element", "patterns[1].equal[0]", "null", "[customer]", "[]"},
	} {
		t.Run(c.name, func(t *testing.T) {
			require.Contains(t, edited, c.old)
			for _, ends := range []string{"\n", "\r\n"} {
				file := strings.ReplaceAll(edited, "\n", ends)
				got, err := Edit([]byte(file),
					[]Change{{Path: c.path, Value: json.RawMessage(c.value)}})
				require.NoError(t, err)
				want := strings.Replace(edited, c.old, c.text, 1)
				assert.Equal(t, strings.ReplaceAll(want, "\n", ends), string(got))
			}
		})
	}
}

// TestEditsTogether checks changes of several places: their paths are those before.
func TestEditsTogether(t *testing.T) {
	got, err := Edit([]byte(edited), []Change{
		{"models[0].name", json.RawMessage(`"Person"`)},
		{"models[1].attributes[1].of", json.RawMessage(`"Person.id"`)},
		{"patterns[0]", json.RawMessage(`null`)},
		{"patterns[1].order", json.RawMessage(`"id"`)},
		{"patterns[1].descending", json.RawMessage(`true`)},
	})
	require.NoError(t, err)
	assert.Equal(t, strings.NewReplacer(
		"name: Customer", "name: Person", "Customer.id", "Person.id",
		"  - {name: a customer, model: Customer, equal: [id], one: true, rate: 50}\n", "",
		"rate: 20\n", "rate: 20\n    order: id\n    descending: true\n").Replace(edited), string(got))
}

// TestEditRefuses checks that what cannot be changed alone is said, with its place.
func TestEditRefuses(t *testing.T) {
	for _, c := range []struct{ name, file, path, value, want string }{
		{"no YAML", "a: [", "a", "1", "did not find"},
		{"no path", "a: 1", "a[x]", "1", "a[x]: this is no path of a field"},
		{"no JSON", "a: 1", "a", "x", "a: the value is not JSON"},
		{"no such list", "a: 1", "b[0]", "1", "b[0]: there is no such field"},
		{"no such element", "a: [1]", "a[2]", "1", "a[2]: there is no such element"},
		{"a name in a list", "a: [1]", "a.b", "1", "a.b: " + inText},
		{"a text of many lines", "a: |\n  x\n  y\n", "a", "1", "a: " + inText},
		{"what an alias repeats", "a: &x [1]\nb: *x\n", "a[0]", "2", "a[0]: " + inText},
		{"a wide object", "a: 1\n" + growth.Text("b:\n", "  m%d: 1\n", "", maxMembers+1), "a", "2",
			"line 3: the object has more than 1000 members"},
		{"comments within", "a:\n  - 1 # one\n  - 2\n", "a", "[3]", "a: there are comments within"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := Edit([]byte(c.file), []Change{{c.path, json.RawMessage(c.value)}})
			assert.ErrorContains(t, err, c.want)
		})
	}
	_, err := Edit([]byte(edited), []Change{
		{"patterns[1].equal", json.RawMessage(`[]`)},
		{"patterns[1].equal[0]", json.RawMessage(`"id"`)},
	})
	assert.ErrorContains(t, err, "two changes meet here")
}

// TestEditAny checks that an edit of the example with any text is read as it was.
func TestEditAny(t *testing.T) {
	paths := []string{"table", "models[0].name", "models[1].attributes[2]", "patterns[2].equal[0]",
		"models[0].attributes[9]", "models[1].ttl", "patterns[0].begins", "patterns[6]"}
	rapid.Check(t, func(t *rapid.T) {
		path := rapid.SampledFrom(paths).Draw(t, "path")
		value, _ := json.Marshal(rapid.StringN(0, 20, 80).Draw(t, "value"))
		got, err := Edit(Example(), []Change{{path, value}})
		if err != nil && path == "models[0].attributes[9]" {
			return // there are fewer
		}
		require.NoError(t, err)
		back, err := Values(got)
		require.NoError(t, err)
		assert.Contains(t, string(back), string(value))
	})
}

// FuzzEdit checks that Edit does not panic, and that a file that it returns can be read.
func FuzzEdit(f *testing.F) {
	f.Add([]byte(edited), "models[0].name", []byte(`"x"`))
	f.Add(Example(), "patterns[1]", []byte("null"))
	f.Fuzz(func(t *testing.T, text []byte, path string, value []byte) {
		if out, err := Edit(text, []Change{{path, value}}); err == nil {
			_, err := Values(out)
			require.NoError(t, err)
		}
	})
}
