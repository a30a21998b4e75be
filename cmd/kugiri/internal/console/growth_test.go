package console

import (
	"net/http/httptest"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/emulator"
	"github.com/kugiri-db/kugiri/storage/growth"
)

// longRequests lists what may be long in requests of the page. Each has a part that repeats.
var longRequests = []struct{ name, to, begin, more, end string }{
	{"brackets of a design", "design?do=plan", "models: ", "[", ""},
	{"braces of a design", "design?do=plan", "models: ", "{a: ", ""},
	{"dashes of a design", "design?do=plan", "models: ", "- ", ""},
	{"anchors of a design", "design?do=plan", "table: t\nmodels: [", "&a%d x, *a%[1]d, ", "]"},
	{"aliases of a design", "design?do=plan", "table: &a [x]\nmodels: [", "*a, ", "]"},
	{"members of a design", "design?do=plan", "table: t\n", "m%d: 1\n", ""},
	{"blanks of a design", "design?do=plan", "", " ", ""},
	{"comments of a design", "design?do=plan", "", "# x\n", ""},
	{"models", "design?do=plan", "table: t\nmodels:\n",
		"  - {name: m%d, key: [id], attributes: [id]}\n", ""},
	{"attributes", "design?do=plan",
		"table: t\nmodels:\n  - {name: m, key: [id], attributes: [id, ", "a%d, ", "z]}\n"},
	{"the same attributes", "design?do=plan",
		"table: t\nmodels:\n  - {name: m, key: [id], attributes: [id, ", "a, ", "z]}\n"},
	{"parts of a key", "design?do=plan",
		"table: t\nmodels:\n  - {name: m, attributes: [id], key: [", "a%d, ", "id]}\n"},
	{"patterns", "design?do=plan",
		"table: t\nmodels:\n  - {name: m, key: [id], attributes: [id]}\npatterns:\n",
		"  - {name: p%d, model: m, equal: [id]}\n", ""},
	{"attributes of a pattern", "design?do=plan",
		"table: t\nmodels:\n  - {name: m, key: [id], attributes: [id]}\npatterns:\n" +
			"  - {name: p, model: m, equal: [", "a%d, ", "id]}\n"},
	{"a long name", "design?do=plan", "table: ", "x", "\nmodels: []"},
	{"members of a text", "design?do=values", "table: t\n", "m%d: 1\n", ""},
	{"elements of a change", "design?do=edit",
		`{"design":"table: t\npatterns: []\n","changes":[{"path":"models","value":[`,
		`{"name":"m%d"},`, `{"name":"m"}]}]}`},
	{"changes", "design?do=edit", `{"design":"table: t\nmodels: [a]\n","changes":[`,
		`{"path":"x%d","value":1},`, `{"path":"x","value":1}]}`},
	{"changes of models", "design?do=edit",
		`{"design":"table: t\nmodels:\n  - {name: a}\n","changes":[`,
		`{"path":"models[0].x%d","value":1},`, `{"path":"x","value":1}]}`},
	{"changes of a list", "design?do=edit",
		`{"design":"table: t\nmodels:\n  - {name: a}\n","changes":[`,
		`{"path":"models[0].name","value":"a%d"},`, `{"path":"x","value":1}]}`},
	{"brackets of a model", "design?do=from", "", "[", ""},
	{"members of a model", "design?do=from", `{"format":"onetable:1.1.0","models":{`,
		`"M%d":{"pk":{"type":"String","value":"${id}"},"id":{"type":"String"}},`,
		`"M":{"pk":{"type":"String"}}}}`},
	{"attributes of a model", "design?do=from", `{"format":"onetable:1.1.0","models":{"M":{`,
		`"a%d":{"type":"String"},`, `"pk":{"type":"String"}}}}`},
	{"references of a model", "design?do=from",
		`{"format":"onetable:1.1.0","models":{"M":{"pk":{"type":"String","value":"`, `${id}#`,
		`"},"id":{"type":"String"}}}}`},
	{"brackets of a file", "load?name=tables.json", "", "[", ""},
	{"members of a file", "load?name=tables.json", `{"TableName":"tab",`, `"m%d":1,`, `"m":1}`},
	{"attributes of a file", "load?name=tables.json",
		`{"TableName":"tab","AttributeDefinitions":[`,
		`{"AttributeName":"a%d","AttributeType":"S"},`,
		`{"AttributeName":"a","AttributeType":"S"}]}`},
	{"resources of a template", "load?name=template.yaml", "Resources:\n",
		"  R%d: {Type: AWS::S3::Bucket}\n", ""},
	{"functions of a template", "load?name=template.yaml",
		"Resources:\n  R:\n    Type: AWS::DynamoDB::Table\n    Properties:\n      TableName: ",
		"!Join ['', [", "x"},
	{"a sum of a template", "load?name=template.yaml",
		"Resources:\n  R:\n    Type: AWS::DynamoDB::Table\n    Properties:\n      TableName: !Sub '",
		"${AWS::Region}", "'\n"},
	{"aliases of a template", "load?name=template.yaml", "x: &a [x]\nResources: [", "*a, ", "]"},
	{"brackets of Terraform", "load?name=main.tf", "locals { a = ", "[", ""},
	{"a sum of Terraform", "load?name=main.tf", "locals {\n  a = 1", " + 1", "\n}\n"},
	{"locals of Terraform", "load?name=main.tf", "locals {\n", "  a%d = local.a\n", "  a = 1\n}\n"},
	{"rows of a file", "load?name=table.csv", "id\n", "x%d\n", ""},
	{"columns of a file", "load?name=table.csv", "", "c%d,", "c\n"},
	{"statements", "dynamodb DynamoDB_20120810.BatchExecuteStatement", `{"Statements":[`,
		`{"Statement":"SELECT * FROM tab"},`, `{"Statement":"SELECT * FROM tab"}]}`},
	{"brackets of statements", "dynamodb DynamoDB_20120810.ExecuteStatement", "", "[", ""},
	{"blanks of a statement", "dynamodb DynamoDB_20120810.ExecuteStatement", `{"Statement":"`, " ",
		`SELECT"}`},
	{"a target", "dynamodb ", "", "x", ""},
}

// TestCostsGrowWithConsoleRequests: no part of a request of the page makes it cost more than its
// length is worth.
func TestCostsGrowWithConsoleRequests(t *testing.T) {
	if os.Getenv("TEST_FULL") == "" {
		t.Skip("it is slow: run it with TEST_FULL=true")
	}
	var table growth.Table
	t.Cleanup(func() { t.Logf("the widest growth of each kind of work:\n%s", &table) })
	h := Handler(Local(emulator.New(), "v1", nil), everybody)
	for _, l := range longRequests {
		t.Run(l.name, func(t *testing.T) {
			to, target, _ := strings.Cut(l.to, " ")
			costs, tooFast := growth.MeasureCPU(func(n int) {
				text := growth.Text(l.begin, l.more, l.end, n)
				r := httptest.NewRequest("POST", Path+to, strings.NewReader(text))
				if r.Header.Set("X-Amz-Target", target); target == "" {
					r.Header.Set("X-Amz-Target", text)
				}
				w := httptest.NewRecorder()
				h.ServeHTTP(w, r)
				require.NotEqual(t, 404, w.Code, l.to)
			})
			table.Add(l.to, l.name, costs)
			assert.False(t, tooFast, "it costs %v for the sizes %v", costs, growth.Sizes)
		})
	}
}

// TestDeepTerraform: what is in each other, for which the reader of Terraform calls itself, is
// refused before it reads a file.
func TestDeepTerraform(t *testing.T) {
	const many = 2_000
	h := Handler(Local(emulator.New(), "v1", nil), everybody)
	for _, c := range []struct {
		name, text, says string
	}{
		{"brackets", "locals { a = " + strings.Repeat("[", many), "levels deep"},
		{"operators", "locals { a = " + strings.Repeat("!", many), "levels deep"},
		{"one after the other", "locals {\n a = [" + strings.Repeat("[],", many) + "]\n}", "notes"},
		{"too long", strings.Repeat(" ", maxHCL+1), "bytes"},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := httptest.NewRecorder()
			h.ServeHTTP(w, httptest.NewRequest("POST", Path+"load?name=main.tf",
				strings.NewReader(c.text)))
			assert.Contains(t, w.Body.String(), c.says)
		})
	}
}
