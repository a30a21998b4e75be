package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/access"
	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/definition"
	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/settings"
	"github.com/kugiri-db/kugiri/conventions/design/designfile"
	"github.com/kugiri-db/kugiri/conventions/design/source"
	"github.com/kugiri-db/kugiri/conventions/mask"
	"github.com/kugiri-db/kugiri/conventions/policy/policyfile"
	"github.com/kugiri-db/kugiri/emulator/fault"
	"github.com/kugiri-db/kugiri/emulator/iam"
	"github.com/kugiri-db/kugiri/emulator/seed"
	"github.com/kugiri-db/kugiri/emulator/traffic/patternfile"
	"github.com/kugiri-db/kugiri/emulator/trigger"
)

// fileReading returns what reads a text from a file of a name.
func fileReading(t *testing.T, name string, read func(file string) error) func(string) error {
	file := filepath.Join(t.TempDir(), name)
	return func(text string) error {
		require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
		return read(file)
	}
}

// TestErrorsQuoteLittle: no error of a file has more than some hundred bytes of it.
func TestErrorsQuoteLittle(t *testing.T) {
	definitions := func(file string) error {
		_, err := definition.Read(t.Context(), definition.Values{Region: "us-east-1",
			Account: "000000000000", Env: func(string) (string, bool) { return "", false }}, file)
		return err
	}
	const entityOf = "tables: [{name: t, role: data, entities: ["
	const modelOf = "table: tab\nmodels:\n  - "
	const rightsOf = `{"accessKeys":{"A":{"account":"000000000000","user":"u"}},"policies":{"p":` +
		`{"Version":"2012-10-17","Statement":[`
	for _, c := range []struct {
		name  string
		read  func(text string) error
		texts []string // ~ stands for a long text
	}{
		{"policies", func(text string) error {
			_, err := policyfile.Compile([]byte(text))
			return err
		},
			[]string{entityOf + `{name: e, prefix: E, sort: "{e:~}"}]}]`,
				entityOf + `{name: e, prefix: E, sort: "~{"}]}]`,
				entityOf + `{name: e, prefix: "~#", sort: "a"}]}]`,
				entityOf + `{name: "~!", prefix: E, sort: "{e:ulid}"}]}]`,
				entityOf + `{~: e}]}]`, "~: 1", "tables: ~", "tables: [{name: t, role: ~}]", "~",
				"severities: {~: off}", "tables: [{name: '~ !', role: data}]", "[*~]", "a: !~ b"}},
		{"designs", func(text string) error {
			_, err := designfile.Parse([]byte(text))
			return err
		},
			[]string{modelOf + "{name: ~!, key: [id], attributes: [id]}",
				modelOf + "{name: M, key: [~], attributes: [id]}",
				modelOf + "{name: M, key: [id], attributes: [{name: id, type: ~}]}",
				modelOf + "{~: M}", "table: ~!", "~: 1", "~", "[*~]"}},
		{"models", func(text string) error {
			_, err := source.Read([]byte(text), source.Options{})
			return err
		}, []string{"~", `{"format":"~","models":{}}`,
			`{"format":"onetable:1.1.0","models":{"~":{"pk":{"type":"~"}}}}`}},
		{"masks", func(text string) error { _, err := mask.Parse([]byte(text)); return err },
			[]string{"~: 1", "~", "rules: [{table: t, attribute: a, method: ~}]", "rules: ~",
				"rules: [{table: t, attribute: a, pattern: '{~'}]", "rules: [{~: 1}]"}},
		{"access patterns", func(text string) error {
			_, err := patternfile.Read(strings.NewReader(text))
			return err
		}, []string{"~: 1", "~", "patterns: ~", "patterns: [{~: 1}]", "patterns: [{name: ~}]",
			"patterns: [{name: p, table: t, operation: ~}]"}},
		{"rights", func(text string) error { _, err := iam.Parse([]byte(text)); return err },
			[]string{`{"~":1}`, `"~"`, `{"accessKeys":{"~":{"account":"1"}}}`,
				`{"accessKeys":{"A":{"account":"~"}}}`,
				`{"accessKeys":{"A":{"account":"000000000000","user":"~"}}}`,
				`{"accessKeys":{"A":{"account":"000000000000","user":"u","policies":["~"]}}}`,
				rightsOf + `{"Effect":"~"}]}}}`,
				rightsOf + `{"Effect":"Allow","Action":"dynamodb:*","Resource":"~"}]}}}`,
				rightsOf + `{"Effect":"Allow","Action":"~","Resource":"*"}]}}}`,
				rightsOf + `{"Effect":"Allow","Action":"dynamodb:*","Resource":"*",` +
					`"Condition":{"~":{"a":"b"}}}]}}}`}},
		{"faults", func(text string) error { _, err := fault.Parse([]byte(text)); return err },
			[]string{`{"~":1}`, `"~"`, `{"effect":"~"}`, `{"match":{"~":1}}`,
				`{"effect":{"kind":"~"}}`, `{"match":{"operation":"~"}}`}},
		{"triggers", func(text string) error {
			_, err := trigger.ParseMapping("t", text)
			return err
		}, []string{`{"~":1}`, `"~"`, `{"StartingPosition":"~"}`,
			`{"FilterCriteria":{"Filters":[{"Pattern":"~"}]}}`}},
		{"seeds", func(text string) error {
			_, err := seed.Read("f.json", strings.NewReader(text))
			return err
		}, []string{`{"~":1}`, `"~"`, "~", `{"TableName":"~"}`, `{"~":[{"PutRequest":1}]}`,
			`{"TableName":"t","BillingMode":"~"}`, `{"TableName":"t","~":1}`,
			`{"t":[{"PutRequest":{"Item":{"~":{"X":1}}}}]}`,
			`{"t":[{"PutRequest":{"Item":{"a":{"~":"1"}}}}]}`,
			`{"t":[{"PutRequest":{"Item":{"a":{"N":"~"}}}}]}`}},
		{"templates", fileReading(t, "t.yaml", definitions), []string{
			"Resources:\n  T: *~", stack + "~\n\t- {", "Resources: {T: {~: 1}}", "~: [",
			"Resources:\n  ~: {Type: AWS::DynamoDB::Table, Properties: {KeySchema: ~}}",
			stack + "!Ref ~", stack + "!Sub '${~}'", stack + "'~'"}},
		{"Terraform", fileReading(t, "t.tf", definitions), []string{
			"~", resource + "~ }", resource + `"${~}" }`, resource + `"a", ~ }`, "locals { ~ = ",
			resource + `"~" }`}},
		{"configuration", fileReading(t, "k.yaml", func(file string) error {
			flags := pflag.NewFlagSet("", pflag.ContinueOnError)
			flags.String(settings.ConfigFlag, file, "")
			flags.Int("port", 0, "")
			return settings.Fill(flags, settings.Environment{}, &cobra.Command{})
		}), []string{"~: 1", "~", "port: ~", "[*~]"}},
		{"credentials", fileReading(t, "c.yaml", func(file string) error {
			_, err := access.ReadCredentials(file)
			return err
		}), []string{"~", "~: [", "A: {~: 1}", "A: ~"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			failed := 0
			for _, text := range c.texts {
				err := c.read(strings.ReplaceAll(text, "~", strings.Repeat("quoted", 75_000)))
				if err == nil {
					continue
				}
				failed++
				said := err.Error()
				assert.Less(t, len(said), 2000, "%s: %.300s", text, said)
			}
			assert.GreaterOrEqual(t, failed, len(c.texts)/2)
		})
	}
}
