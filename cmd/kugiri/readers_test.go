package main

import (
	"bytes"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/access"
	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/codelint"
	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/console"
	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/definition"
	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/settings"
	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/sqlite"
	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/transfer"
	"github.com/kugiri-db/kugiri/emulator"
	"github.com/kugiri-db/kugiri/storage/growth"
)

// TestReadersOfCommandsCostWhatTheyRead: no file of a command, and no request of the console's
// page, costs more than it weighs.
func TestReadersOfCommandsCostWhatTheyRead(t *testing.T) {
	growth.Weigh(t, slices.Concat(definitionReaders(t), importReaders, fileReaders(t),
		consoleReaders()))
}

// reading returns what writes a text into a file, and reads that.
func reading(t *testing.T, name string, read func(file string)) func(text []byte) {
	file := filepath.Join(t.TempDir(), name)
	return func(text []byte) {
		require.NoError(t, os.WriteFile(file, text, 0o600))
		read(file)
	}
}

const (
	stack    = "Resources:\n  T:\n    Type: AWS::DynamoDB::Table\n    Properties:\n      TableName: "
	resource = `resource "aws_dynamodb_table" "t" { name = `
)

// definitionReaders are those of templates.
func definitionReaders(t *testing.T) []growth.Reader {
	of := func(name, file string, most int, inputs ...growth.Input) growth.Reader {
		return growth.Reader{Name: name, Most: most, Inputs: inputs,
			Packages: []string{"cmd/kugiri/internal/definition"},
			Read: reading(t, file, func(file string) {
				none := func(string) (string, bool) { return "", false }
				definition.Read(t.Context(), definition.Values{Region: "us-east-1",
					Account: "000000000000", Env: none}, file)
			})}
	}
	const most = 10 << 20
	return []growth.Reader{
		of("templates", "t.yaml", most, slices.Concat(growth.AllYAML, []growth.Input{
			{Name: "resources", Begin: "Resources:\n", More: "  R%d: {Type: AWS::DynamoDB::Table}\n"},
			{Name: "a join", Begin: stack + "!Join ['', [", More: "x, ", End: "x]]\n"},
			{Name: "joins in joins", Begin: stack, More: "!Join ['', ["},
			{Name: "a sum", Begin: stack + "!Sub '", More: "${AWS::Region}", End: "'\n"},
			{Name: "parameters", Begin: "Parameters:\n", More: "  P%d: {Default: !Ref P}\n",
				End: stack + "!Ref P0\n"},
			{Name: "outputs", Begin: stack + "t\nOutputs:\n", More: "  O%d: {Value: !Ref T}\n"},
			{Name: "conditions", Begin: "Conditions:\n", More: "  C%d: !Equals [a, a]\n",
				End: stack + "t\n"},
		})...),
		of("templates of JSON", "t.json", most, slices.Concat(growth.AllText, []growth.Input{
			{Name: "resources", Begin: `{"Resources":{`, More: `"R%d":{"Type":"AWS::DynamoDB::Table"},`,
				End: `"R":{}}}`},
		})...),
		of("Serverless", "serverless.yml", most, []growth.Input{
			{Name: "variables", Begin: "service: a\nprovider: {name: aws}\ncustom:\n",
				More: "  a%d: ${self:service}\n",
				End:  "resources: {Resources: {T: {Type: AWS::DynamoDB::Table, Properties: {TableName: '${self:custom.a0}'}}}}\n"},
			{Name: "a sum", Begin: "service: a\nprovider: {name: aws}\nresources: {Resources: {T: {Type: AWS::DynamoDB::Table, Properties: {TableName: '",
				More: "${self:service}", End: "'}}}}\n"},
		}...),
		of("Terraform", "t.tf", most, slices.Concat(growth.AllText, []growth.Input{
			{Name: "locals", Begin: "locals {\n", More: "  a%d = local.a\n",
				End: "  a = 1\n}\n" + resource + "local.a0 }\n"},
			{Name: "a sum", Begin: resource + "1", More: " + 1", End: " }\n"},
			{Name: "a template", Begin: resource + `"`, More: "${1}", End: "\" }\n"},
			{Name: "a list", Begin: resource + `join("", [`, More: `"x",`, End: "]) }\n"},
			{Name: "blocks", More: `resource "x" "a%d" {}` + "\n"},
			{Name: "tables", More: `resource "aws_dynamodb_table" "a%d" { name = "a%[1]d" }` + "\n"},
			{Name: "negations", Begin: resource, More: "!", End: "true }\n"},
		})...),
	}
}

// longLines returns lines with an item each, which has a part as often as a line may have it.
func longLines(begin, more, end string) func(bytes int) []byte {
	return func(bytes int) (text []byte) {
		const most = 4<<20 - 1<<10
		for bytes > 0 {
			size := min(bytes, most) - len(begin) - len(end)
			each := len(fmt.Sprintf(more+",", size/len(more)))
			if !strings.Contains(more, "%") {
				each = len(more) + 1
			}
			line := growth.Text(begin, more+",", "", max(1, size/each))
			text = append(append(text, line[:len(line)-1]...), end+"\n"...)
			bytes -= min(bytes, most)
		}
		return text
	}
}

// importReaders are those of the files of an import.
var importReaders = func() (list []growth.Reader) {
	for format, more := range map[transfer.Format][]growth.Input{
		transfer.JSONLines: {
			{Name: "lines of items", More: `{"pk":{"S":"a"}}` + "\n"},
			{Name: "attributes", Begin: `{"a":{"S":""}`, More: `,"a%d":{"S":"v"}`, End: "}"},
			{Name: "requests", Begin: `{"t":[{"PutRequest":{"Item":{"pk":{"S":"a"}}}}`,
				More: `,{"PutRequest":{"Item":{"pk":{"S":"a%d"}}}}`, End: "]}"},
			{Name: "requests of nothing", Begin: `{"t":[{"PutRequest":{}}`,
				More: `,{"PutRequest":{}}`, End: "]}"},
			{Name: "requests for many tables", Begin: `{"t":[{"PutRequest":{"Item":{}}}]`,
				More: `,"t%d":[{"PutRequest":{"Item":{}}}]`, End: "}"},
			{Name: "items of a model", Begin: `{"DataModel":[{"TableName":"t","TableData":[{}`,
				More: `,{"a":{"S":""}}`, End: "]}]}"},
			{Name: "tables of a model", Begin: `{"DataModel":[{"TableName":"t","TableData":[]}`,
				More: `,{}`, End: "]}"},
			{Name: "an item of attributes", Of: longLines("{", `"a%d":{"S":""}`, "}")},
			{Name: "an item of numbers", Of: longLines(`{"a":{"L":[`, `{"N":"1"}`, "]}}")},
			{Name: "an item of a set", Of: longLines(`{"a":{"SS":[`, `""`, "]}}")},
			{Name: "an item of maps", Of: longLines(`{"a":{"L":[`, `{"M":{}}`, "]}}")},
			{Name: "items of attributes in a list", Of: func(bytes int) []byte {
				return slices.Concat([]byte("["), longLines("{", `"a%d":{"S":""}`, "}")(bytes),
					[]byte("]"))
			}},
		},
		transfer.Plain: {
			{Name: "lines of items", More: `{"pk":"a"}` + "\n"},
			{Name: "items in a list", Begin: `[{"a":1}`, More: `,{"a":1}`, End: "]"},
			{Name: "an item of attributes", Of: longLines("{", `"a%d":0`, "}")},
			{Name: "an item of numbers", Of: longLines(`{"a":[`, `0`, "]}")},
			{Name: "an item of maps", Of: longLines(`{"a":[`, `{}`, "]}")},
		},
		transfer.ScanJSON: {
			{Name: "items", Begin: `{"Items":[`, More: `{"pk":{"S":"a"}},`,
				End: `{"pk":{"S":"a"}}]}`},
			{Name: "answers", More: `{"Items":[]}`},
			{Name: "members", Begin: `{"Count":0`, More: `,"Count":0`, End: "}"},
		},
		transfer.CSV: {
			// records that are all equal, of two bytes each, are no table: 0.2 µs each, as others
			{Name: "records", Begin: "pk\n", More: "%d\n"},
			{Name: "columns", Begin: "pk", More: ",c%d", End: "\n"},
			{Name: "commas", Begin: "pk\n", More: ","},
		},
	} {
		list = append(list, growth.Reader{Name: "imports of " + string(format),
			Packages: []string{"cmd/kugiri/internal/transfer"},
			Read: func(text []byte) {
				in, err := transfer.Decompressed(bytes.NewReader(text))
				if err != nil {
					return
				}
				r, err := transfer.NewReader(format, "f", in, nil)
				for err == nil {
					_, err = r.Next()
				}
			},
			Inputs: slices.Concat(growth.AllText, more)})
	}
	return append(list, growth.Reader{Name: "definitions of import",
		Packages: []string{"cmd/kugiri/internal/transfer"},
		Read:     func(text []byte) { transfer.ReadDefinition("f", text) },
		Inputs: slices.Concat(growth.AllText, []growth.Input{
			{Name: "members of a description", Begin: `{"Table":{`, More: `"a%d":0,`,
				End: `"a":0}}`},
			{Name: "attributes", Begin: `{"TableName":"t","AttributeDefinitions":[`,
				More: `{"AttributeName":"a%d","AttributeType":"S"},`, End: `{}]}`},
		})})
}()

// fileReaders are those of other files.
func fileReaders(t *testing.T) []growth.Reader {
	local, err := os.ReadFile("internal/sqlite/testdata/types.db")
	require.NoError(t, err)
	return []growth.Reader{
		{Name: "configuration", Packages: []string{"cmd/kugiri/internal/settings"},
			Read: reading(t, "kugiri.yaml", func(file string) {
				flags := pflag.NewFlagSet("", pflag.ContinueOnError)
				flags.String(settings.ConfigFlag, file, "")
				flags.StringSlice("cors", nil, "")
				settings.Fill(flags, settings.Environment{}, &cobra.Command{})
			}),
			Inputs: slices.Concat(growth.AllYAML, []growth.Input{
				{Name: "a list", Begin: "cors: [", More: "a, ", End: "a]\n"}})},
		{Name: "credentials of YAML", Packages: []string{"cmd/kugiri/internal/access"},
			Read: reading(t, "c.yaml", func(file string) { access.ReadCredentials(file) }),
			Inputs: slices.Concat(growth.AllYAML, []growth.Input{
				{Name: "access keys", More: "A%d: {secret: s}\n"}})},
		{Name: "credentials", Packages: []string{"cmd/kugiri/internal/access"},
			Read: reading(t, "c.txt", func(file string) { access.ReadCredentials(file) }),
			Inputs: slices.Concat(growth.AllText, []growth.Input{
				{Name: "access keys", More: "A%d s\n"}})},
		{Name: "programs of Go", Most: 8 << 20,
			Packages: []string{"cmd/kugiri/internal/codelint"},
			Read: reading(t, "p.go", func(file string) {
				codelint.Run(t.Context(), codelint.Names{}, []string{file})
			}),
			Inputs: slices.Concat(growth.AllText, []growth.Input{
				{Name: "sums", Begin: "package p\n\nvar pk = \"A#\"", More: ` + "B#"`, End: "\n"},
				{Name: "variables", Begin: "package p\n", More: "var pk%d = \"A#\" + x\n"},
				{Name: "as many variables as a file may have", Of: func(bytes int) []byte {
					return []byte(growth.Text("package p\n", "var pk%d = \"A#\" + x\n", "",
						min(bytes/26, 1<<19/8-1)))
				}},
				{Name: "calls", Begin: "package p\n\nvar pk = ", More: "f(", End: "\n"},
				{Name: "functions", Begin: "package p\n", More: "func f%d() { pk := \"A#\" + x }\n"},
			})},
		{Name: "databases of DynamoDB Local", Packages: []string{"cmd/kugiri/internal/sqlite"},
			Read: func(text []byte) {
				f, err := sqlite.Read(bytes.NewReader(text))
				if err != nil {
					return
				}
				tables, _ := f.Tables()
				for _, table := range tables {
					for _, err := range f.Rows(table) {
						if err != nil {
							break
						}
					}
				}
			},
			Inputs: []growth.Input{
				{Name: "zeros behind a database", Begin: string(local), More: "\x00"},
				{Name: "databases", More: string(local)},
			}},
	}
}

// consoleReaders are those of requests of the page.
func consoleReaders() (list []growth.Reader) {
	everybody := func(h http.Handler) http.Handler { return h }
	h := console.Handler(console.Local(emulator.New(), "v1", nil), everybody)
	for _, c := range []struct {
		to     string
		most   int
		inputs []growth.Input
	}{
		{"design?do=values", 1 << 20, growth.AllYAML},
		{"design?do=edit", 4 << 20, slices.Concat(growth.AllText, []growth.Input{
			{Name: "changes", Begin: `{"design":"table: t\nmodels: [a]\n","changes":[`,
				More: `{"path":"x%d","value":1},`, End: `{"path":"x","value":1}]}`},
			{Name: "a design", Begin: `{"changes":[{"path":"x","value":1}],"design":"`,
				More: `- \n`, End: `"}`},
		})},
		{"design?do=plan", 1 << 20, growth.AllYAML},
		{"design?do=from", 1 << 20, growth.AllText},
		{"load?name=t.yaml", 10 << 20, growth.AllYAML},
		{"load?name=t.json", 16 << 20, growth.AllText},
		{"load?name=t.csv", 16 << 20, growth.AllText},
		{"load?name=t.tf", 1 << 20, growth.AllText},
	} {
		list = append(list, growth.Reader{Name: "the console's " + c.to, Most: c.most,
			Inputs: c.inputs, Packages: []string{"cmd/kugiri/internal/console"},
			Read: func(text []byte) {
				h.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest("POST",
					console.Path+c.to, bytes.NewReader(text)))
			}})
	}
	return list
}
