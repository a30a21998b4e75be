package policyfile

import (
	"bytes"
	"encoding/json"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"

	"github.com/kugiri-db/kugiri/conventions/internal/fields"
	"github.com/kugiri-db/kugiri/conventions/policy"
)

func example(t testing.TB) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", "policy.yaml"))
	require.NoError(t, err)
	return string(text)
}

func TestParseExample(t *testing.T) {
	p, err := Parse([]byte(example(t)))
	require.NoError(t, err)
	assert.Equal(t, policy.Tenants{
		Callers: map[string]string{"AKIDTENANT001": "tenant001", "AKIDTENANT002": "tenant002",
			"AKIDOPERATIONS": "operations"},
		Header: "x-tenant", Privileged: []string{"operations"},
		Known: []string{"tenant001", "tenant002"},
	}, p.Tenants)
	assert.Equal(t,
		map[string]policy.Severity{"key-unbounded": policy.Enforce, "read-scan": policy.Off},
		p.Severities)
	require.Len(t, p.Tables, 6)
	data := p.Tables[0]
	assert.Equal(t,
		policy.Entity{
			Name: "log", Prefix: "LOG", Partition: policy.Pattern("{month:month}"),
			Sort: policy.Pattern("{at:timestamp}#{event}"), MaxPartitions: 10000,
		}, data.Entities[6])
	assert.Equal(t,
		policy.Index{
			Name: "by-type", Key: policy.KeySchema{Partition: "type"}, Tenant: policy.TenantNone,
			Open: true,
		}, data.Indexes[1])
	assert.Equal(t, map[string]policy.Severity{"key-mutable": policy.Warn}, data.Severities)
	assert.Equal(t, policy.History, p.Tables[2].Role)
	assert.Equal(t, policy.Table{Name: "scratch-*", Open: true}, p.Tables[5])
	assert.Equal(t,
		&policy.Latest{
			Attribute: "documentVersion", Pointer: "latest", ActualVersion: "actualVersion",
			Content: []string{"content"},
		}, p.Tables[3].Latest)
}

// TestAliases: command, data and history tables can share one list of entities.
func TestAliases(t *testing.T) {
	p, err := Parse([]byte(`tables:
  - name: data
    entities: &entities
      - {name: order, prefix: ORDER, sort: "ORDER#{order:ulid}"}
      - {name: product, prefix: PRODUCT, sort: &ulid "{id:ulid}"}
      - {name: customer, prefix: CUSTOMER, sort: *ulid}
  - {name: command, role: command, entities: *entities}
`))
	require.NoError(t, err)
	assert.Len(t, p.Tables[0].Entities, 3)
	assert.Equal(t, p.Tables[0].Entities, p.Tables[1].Entities)
	assert.Equal(t, policy.Pattern("{id:ulid}"), p.Tables[0].Entities[2].Sort)
}

func TestCompileFile(t *testing.T) {
	e, err := CompileFile(filepath.Join("testdata", "policy.yaml"))
	require.NoError(t, err)
	assert.True(t, e.Covers("shop-history-eu"))
	assert.False(t, e.Covers("other"))

	broken := filepath.Join(t.TempDir(), "broken.yaml")
	require.NoError(t, os.WriteFile(broken, []byte("tables: 1"), 0o600))
	_, err = CompileFile(broken)
	require.ErrorContains(t, err, "broken.yaml: line 1: tables: ")
	_, err = CompileFile(broken + "x")
	require.ErrorIs(t, err, os.ErrNotExist)
}

// wrong are files with their errors. schema says whether the JSON schema refuses the file too. It
// cannot find errors that depend on more than one field.
var wrong = []struct {
	name, text, message string
	schema              bool
}{
	{"empty", "", "the file is empty", false},
	{"a tab", "tables:\n\t- name: a\n",
		"line 2: YAML indents with spaces, and here is a tab", false},
	{"a number with too many digits", "tables: [{name: a, entities: [{name: e, prefix: E, sort: S, " +
		"max-partitions: 99999999999999999999}]}]",
		"tables[0].entities[0].max-partitions: this number is out of range", false},
	{"no YAML", "tables: [", "line 1", false},
	{"two documents", "tables: [{name: a}]\n---\ntables: []\n",
		"line 2: the file has a second document", false},
	{"no object", "[]", "line 1: this is a list and should be an object", true},
	{"no tables", "{}", "line 1: tables: no table is declared", true},
	{"an unknown field", "tables:\n  - name: a\n    rolle: data\n",
		"line 3: tables[0].rolle: there is no such field: there are bookkeeping, commands, entities, indexes, key,", true},
	{"a field twice", "tables:\n  - name: a\n    name: b\n",
		"line 3: tables[0].name: the field is there twice", false},
	{"no list", "tables:\n  name: a\n", "line 2: tables: this is an object and should be a list",
		true},
	{"no object in a list", "tables:\n  - a\n",
		"line 2: tables[0]: this is text and should be an object", true},
	{"no text", "tables:\n  - name: 1\n",
		"line 2: tables[0].name: this is a number and should be text", true},
	{"a tenant like a number", "tenants: {known: [001]}\ntables: [{name: a}]\n",
		"line 1: tenants.known[0]: this is a number", true},
	{"empty text", "tables:\n  - name:\n",
		"line 2: tables[0].name: this is empty and should be text", true},
	{"no number",
		"tables: [{name: a, entities: [{name: e, prefix: E, sort: S, max-partitions: x}]}]",
		"tables[0].entities[0].max-partitions: this is text and should be a whole number", true},
	{"no role", "tables:\n  - name: a\n    role: x\n",
		`line 3: tables[0].role: "x" is none of data, command, history, plain`, true},
	{"no severity", "severities: {key-ulid: yes}\ntables: [{name: a}]\n",
		`line 1: severities.key-ulid: "yes" is none of off, warn, enforce`, true},
	{"no rule", "severities:\n  key-x: off\ntables: [{name: a}]\n",
		`line 2: severities.key-x: "key-x" is no rule`, true},
	{"no pattern",
		"tables:\n  - name: a\n    entities:\n      - {name: e, prefix: E, sort: \"{a:x}\"}\n",
		`line 4: tables[0].entities[0].sort: segment 1 of the pattern "{a:x}": "x" is no type`,
		false},
	{"a missing field is where it should be",
		"tables:\n  - name: a\n    entities:\n      - {name: e, prefix: E}\n",
		"line 4: tables[0].entities[0].sort: the sort key's pattern is missing", false},
	{"an alias of another type", "tables:\n  - name: a\n    key: &k {partition: p}\n  - name: *k\n",
		"line 3: tables[1].name: this is an object and should be text", false},
	{"an error in what an alias repeats",
		"tables:\n  - name: a\n    entities: &e [{name: e, prefix: E}]\n  - {name: b, entities: *e}\n",
		"line 3: tables[1].entities[0].sort: the sort key's pattern is missing", false},
	{"an alias without an anchor", "tables: *t", "unknown anchor", false},
	{"an alias within its anchor", "tables: &t [*t]",
		"tables[0]: this is a list and should be an object", false},
	{"a merge", "tables: [{name: a, <<: {role: data}}]", "the name of a field is not text", false},
	{"a name that is no text", "tables: [{1: a}]", "tables[0].1: the name of a field is not text",
		false},
}

func TestErrors(t *testing.T) {
	for _, c := range wrong {
		t.Run(c.name, func(t *testing.T) {
			_, err := Parse([]byte(c.text))
			require.ErrorContains(t, err, c.message)
			var e *Error
			assert.True(t, errors.As(err, &e))
		})
	}
	t.Run("too large", func(t *testing.T) {
		_, err := Parse([]byte(strings.Repeat("#", fields.MaxBytes+1)))
		require.ErrorContains(t, err, "larger than 1048576 bytes")
	})
	t.Run("aliases that repeat too much", func(t *testing.T) {
		text := "status-words: &words [" +
			strings.Repeat("word,",
				1000) + "]\ntables: [" + strings.Repeat("{name: t, latest: {content: *words}},",
			1000) + "]"
		_, err := Parse([]byte(text))
		require.ErrorContains(t, err, "the file has more than 100000 fields")
	})
	t.Run("all of them, in order", func(t *testing.T) {
		_, err := Parse([]byte("x: 1\ntables:\n  - name: 1\n    role: y\n"))
		require.ErrorContains(t, err, "line 1: x: ")
		assert.Equal(t, 3, len(strings.Split(err.Error(), "\n")))
	})
}

// TestAdvise: advice has the line of the declaration.
func TestAdvise(t *testing.T) {
	advice, err := advise([]byte(`tenants:
  callers: {AK1: common}
tables:
  - name: data
    entities:
      - name: order
        prefix: ORDER
        sort: "ORDER#{status}#{id:ulid}"
      - {name: log, prefix: LOG, tenant: none, partition: "{month:month}", sort: "{at:timestamp}"}
`))
	require.NoError(t, err)
	var lines []string
	for i := range advice {
		line, _, _ := strings.Cut(advice[i].Error(), ": the ")
		lines = append(lines, line)
	}
	assert.Equal(
		t, []string{"line 2: tenants.callers.AK1: tenant-common",
			"line 8: tables[0].entities[0].sort: key-mutable",
			"line 9: tables[0].entities[1].tenant: tenant-missing"}, lines)

	_, err = AdviseFile(filepath.Join("testdata", "none.yaml"))
	require.ErrorIs(t, err, os.ErrNotExist)
	_, err = advise([]byte("tables: 1"))
	require.ErrorContains(t, err, "line 1: tables: ")
}

func compiledSchema(t testing.TB) *jsonschema.Schema {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(Schema()))
	require.NoError(t, err)
	c := jsonschema.NewCompiler()
	require.NoError(t, c.AddResource("policy.schema.json", doc))
	s, err := c.Compile("policy.schema.json")
	require.NoError(t, err)
	return s
}

// asJSON converts YAML to the form that the schema's validator needs.
func asJSON(t *testing.T, text string) any {
	t.Helper()
	var v any
	require.NoError(t, yaml.Unmarshal([]byte(text), &v))
	j, err := json.Marshal(v)
	require.NoError(t, err)
	v, err = jsonschema.UnmarshalJSON(bytes.NewReader(j))
	require.NoError(t, err)
	return v
}

// TestSchemaAgrees: the schema accepts what Parse accepts, and refuses the files marked with
// schema.
func TestSchemaAgrees(t *testing.T) {
	s := compiledSchema(t)
	require.NoError(t, s.Validate(asJSON(t, example(t))))
	for _, c := range wrong {
		if c.schema {
			t.Run(c.name, func(t *testing.T) { assert.Error(t, s.Validate(asJSON(t, c.text))) })
		}
	}
}

// TestSchemaFields: the schema has the same fields, names of enumerations and rules as the reader.
func TestSchemaFields(t *testing.T) {
	type object struct {
		Properties map[string]any
		Enum       []string
	}
	var s struct {
		object
		Defs map[string]object `json:"$defs"`
	}
	require.NoError(t, json.Unmarshal(Schema(), &s))
	d := file{&fields.Decoder{}}
	for name, c := range map[string]struct {
		members    map[string]fields.Member
		properties map[string]any
	}{
		"policy":  {d.policyFields(&policy.Policy{}), s.Properties},
		"tenants": {d.tenantsFields(&policy.Tenants{}), s.Defs["tenants"].Properties},
		"table":   {d.tableFields(&policy.Table{}), s.Defs["table"].Properties},
		"key":     {d.keyFields(&policy.KeySchema{}), s.Defs["key"].Properties},
		"index":   {d.indexFields(&policy.Index{}), s.Defs["index"].Properties},
		"entity":  {d.entityFields(&policy.Entity{}), s.Defs["entity"].Properties},
		"latest":  {d.latestFields(&policy.Latest{}), s.Defs["latest"].Properties},
	} {
		assert.Equal(t, slices.Sorted(maps.Keys(c.members)), slices.Sorted(maps.Keys(c.properties)),
			name)
	}
	var rules []string
	for _, r := range policy.Rules() {
		rules = append(rules, r.ID)
	}
	assert.ElementsMatch(t, rules, slices.Collect(maps.Keys(s.Defs["severities"].Properties)))
	assert.Equal(t, []string{policy.Off.String(), policy.Warn.String(), policy.Enforce.String()},
		s.Defs["severity"].Enum)
	assert.Equal(t,
		[]string{policy.TenantRequired.String(), policy.TenantCommon.String(),
			policy.TenantNone.String()}, s.Defs["tenant"].Enum)
}

// FuzzParse: Parse does not panic, and each error has a place.
func FuzzParse(f *testing.F) {
	f.Add(example(f))
	for _, c := range wrong {
		f.Add(c.text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		p, err := Parse([]byte(text))
		if err != nil {
			var e *Error
			require.True(t, errors.As(err, &e))
			return
		}
		_, err = policy.Compile(p)
		require.NoError(t, err)
	})
}
