// Package docs_test checks the pages of this directory against the program: their lists must be
// complete, and their examples valid.
package docs_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"

	"github.com/kugiri-db/kugiri/conventions/policy"
	"github.com/kugiri-db/kugiri/conventions/policy/policyfile"
)

const page = "policy.md"

// object holds the parts of a JSON schema that the tests read.
type object struct {
	Ref                  string `json:"$ref"`
	Description, Type    string
	Properties           map[string]*object
	Required, Enum       []string
	Items                *object
	Defs                 map[string]*object `json:"$defs"`
	AdditionalProperties json.RawMessage
}

func schema(t *testing.T) *object {
	var s object
	require.NoError(t, json.Unmarshal(policyfile.Schema(), &s))
	return &s
}

// TestLists compares the lists of fields and rules with the program, and the rules of the JSON
// schema. KUGIRI_UPDATE=1 writes the lists, and the rules into the schema.
func TestLists(t *testing.T) {
	text, err := os.ReadFile(page)
	require.NoError(t, err)
	want := string(text)
	for name, list := range map[string]string{"fields": fields(schema(t)), "rules": rules()} {
		part := regexp.MustCompile(`(?s)(<!-- ` + name + `:[^\n]*\n).*?<!-- end -->`)
		require.True(t, part.MatchString(want), name)
		want = part.ReplaceAllStringFunc(want, func(old string) string {
			return part.FindStringSubmatch(old)[1] + list + "<!-- end -->"
		})
	}
	of := schemaWithRules(t)
	if os.Getenv("KUGIRI_UPDATE") == "1" {
		require.NoError(t, os.WriteFile(page, []byte(want), 0o600))
		require.NoError(t, os.WriteFile(schemaFile, []byte(of), 0o600))
		return
	}
	assert.Equal(t, want, string(text), "KUGIRI_UPDATE=1 go test ./conventions/docs writes it")
	assert.True(t, of == string(policyfile.Schema()),
		"the rules of policy.schema.json: KUGIRI_UPDATE=1 go test ./conventions/docs writes them")
}

const schemaFile = "../policy/policyfile/policy.schema.json"

// schemaWithRules returns the JSON schema with a severity for each rule that there is.
func schemaWithRules(t *testing.T) string {
	var list []string
	for _, r := range policy.Rules() {
		list = append(list, fmt.Sprintf(`        %q: {
          "$ref": "#/$defs/severity"
        }`, r.ID))
	}
	part := regexp.MustCompile(
		`(?s)(    "severities": \{\n      "[^{}]*"properties": \{\n).*?(\n      \})`)
	text := string(policyfile.Schema())
	require.Len(t, part.FindAllString(text, -1), 1)
	return part.ReplaceAllStringFunc(text, func(old string) string {
		found := part.FindStringSubmatch(old)
		return found[1] + strings.Join(list, ",\n") + found[2]
	})
}

// fields returns tables of the fields of each object of a policy file.
func fields(s *object) string {
	var b strings.Builder
	objects := map[string]*object{"": s}
	for name, d := range s.Defs {
		if d.Properties != nil && name != "severities" {
			objects[name] = d
		}
	}
	for _, name := range slices.Sorted(maps.Keys(objects)) {
		o := objects[name]
		title := "The file"
		if name != "" {
			title = "`" + name + "`"
		}
		fmt.Fprintf(&b, "\n**%s**: %s\n\n| Field | Takes | |\n|---|---|---|\n", title,
			o.Description)
		for _, field := range slices.Sorted(maps.Keys(o.Properties)) {
			p, need := o.Properties[field], ""
			if slices.Contains(o.Required, field) {
				need = " (required)"
			}
			fmt.Fprintf(&b, "| `%s`%s | %s | %s |\n", field, need, p.takes(s), p.about(s))
		}
	}
	return b.String() + "\n"
}

// takes describes the values of a field.
func (o *object) takes(s *object) string {
	of := o.resolved(s)
	switch {
	case o.Ref != "" && of.Properties != nil:
		return "`" + strings.TrimPrefix(o.Ref, "#/$defs/") + "`"
	case of.Enum != nil:
		return "`" + strings.Join(of.Enum, "`, `") + "`"
	case of.Items != nil && of.Items.Ref != "":
		return "list of " + of.Items.takes(s)
	case of.Items != nil:
		return "list of text"
	case of.Type == "string":
		return "text"
	}
	return of.Type
}

func (o *object) about(s *object) string {
	if o.Description != "" {
		return strings.ReplaceAll(o.Description, "|", `\|`)
	}
	return strings.ReplaceAll(o.resolved(s).Description, "|", `\|`)
}

func (o *object) resolved(s *object) *object {
	if o.Ref == "" {
		return o
	}
	return s.Defs[strings.TrimPrefix(o.Ref, "#/$defs/")]
}

// rules returns a table of the rules.
func rules() string {
	var b strings.Builder
	b.WriteString("\n| Rule | Severity | What holds | Instead |\n|---|---|---|---|\n")
	for _, r := range policy.Rules() {
		fmt.Fprintf(&b, "| `%s` | %s | %s (%s) | %s |\n", r.ID, r.Default, r.Title, r.Passage,
			r.Remedy)
	}
	return b.String() + "\n"
}

var yamlBlock = regexp.MustCompile("(?s)```yaml\n(.*?)```")

// TestExamples checks that the examples are valid and that together they have every field.
func TestExamples(t *testing.T) {
	text, err := os.ReadFile(page)
	require.NoError(t, err)
	used := map[string]bool{}
	for _, block := range yamlBlock.FindAllStringSubmatch(string(text), -1) {
		if !strings.Contains("\n"+block[1], "\ntables:") {
			continue // a file of compose or CI
		}
		_, err := policyfile.Parse([]byte(block[1]))
		require.NoError(t, err, "%s", block[1])
		var v any
		require.NoError(t, yaml.Unmarshal([]byte(block[1]), &v))
		note(v, used)
	}
	s := schema(t)
	for name, o := range s.Defs {
		for field := range o.Properties {
			if name != "severities" {
				assert.True(t, used[field], "no example has the field %s of %s", field, name)
			}
		}
	}
	for field := range s.Properties {
		assert.True(t, used[field], "no example has the field %s", field)
	}
}

// note records the names of all fields in a document.
func note(v any, used map[string]bool) {
	switch v := v.(type) {
	case map[string]any:
		for name, value := range v {
			used[name] = true
			note(value, used)
		}
	case []any:
		for _, value := range v {
			note(value, used)
		}
	}
}
