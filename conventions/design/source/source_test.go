package source

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/conventions/design"
	"github.com/kugiri-db/kugiri/conventions/design/designfile"
)

// sources are published examples: the schema of OneTable's guide (doc.onetable.io, "Data
// Modeling"), the task manager of ElectroDB's examples (github.com/tywalch/electrodb,
// examples/taskManager), facets of AWS's online shop
// (github.com/aws-samples/amazon-dynamodb-design-patterns, AnOnlineShop_facets.json), a data model
// in the form that AWS's agent skill for DynamoDB documents, and the policy of a shop. Beside each
// is the design that comes out of it; KUGIRI_UPDATE=1 writes it.
var sources = []struct{ name, file, design string }{
	{"OneTable", "testdata/onetable.json", "testdata/onetable.yaml"},
	{"ElectroDB", "testdata/electrodb.json", "testdata/electrodb.yaml"},
	{"NoSQL Workbench", "testdata/workbench.json", "testdata/workbench.yaml"},
	{"a data model", "testdata/datamodel.json", "testdata/datamodel.yaml"},
	{"a policy", "../../policy/policyfile/testdata/policy.yaml", "testdata/policy.yaml"},
}

func TestRead(t *testing.T) {
	for _, c := range sources {
		t.Run(c.name, func(t *testing.T) {
			draft, err := ReadFile(c.file, Options{})
			require.NoError(t, err)
			text := designfile.Write(&draft.Design, draft.Comments)
			if os.Getenv("KUGIRI_UPDATE") != "" {
				require.NoError(t, os.WriteFile(c.design, text, 0o600))
			}
			want, err := os.ReadFile(c.design)
			require.NoError(t, err)
			assert.Equal(t, string(want), string(text))
		})
	}
}

// TestWhatIsLeftOfAModel checks that what no design has of a model of NoSQL Workbench is said.
func TestWhatIsLeftOfAModel(t *testing.T) {
	draft, err := ReadFile("testdata/workbench.json", Options{})
	require.NoError(t, err)
	said := strings.Join(draft.Warnings, "\n")
	for _, want := range []string{
		"the partition key PK and the sort key SK are not taken",
		"the names GSI1 and GSI2 are not taken",
		"the sample data have 11 items",
	} {
		assert.Contains(t, said, want)
	}
}

// TestWhatIsLeftOfASchema checks that what no design has of schemas is said, by its names.
func TestWhatIsLeftOfASchema(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       []string
	}{
		{"ElectroDB", `{"model": {"entity": "task", "version": "1", "service": "work"}, "table": "t",
			"attributes": {"id": {"type": "string", "required": true, "field": "tid"},
				"team": {"type": "string", "padding": {"length": 3, "char": "0"}, "odd": 1}},
			"indexes": {"primary": {"pk": {"field": "pk", "composite": ["id"], "casing": "upper"}},
				"team": {"index": "gsi1", "type": "clustered", "scope": "x", "condition": "only",
					"pk": {"field": "gsi1pk", "composite": ["team"]}}}}`, []string{
			"schemas have table, which no design has", "entities have version, which no design has",
			"attributes have field, padding and required, which no design has",
			"indexes have scope and type, which no design has",
			"keys have casing and field, which no design has",
			"attributes.team.odd: the reader does not know this property",
			"indexes.team.condition: only some items are in this index"}},
		{"OneTable", `{"format": "onetable:1.1.0", "odd": 3, "queries": {"a": 1},
			"params": {"separator": ":", "timestamps": true},
			"indexes": {"primary": {"hash": "pk"}, "gs1": {"hash": "gs1pk", "project": ["a"], "follow": true}},
			"models": {"User": {"pk": {"type": "string", "value": "user:${id}"},
				"id": {"type": "string", "validate": "/x/", "crypt": true},
				"all": {"type": "string", "encode": ["data", "#", 0]}}}}`, []string{
			"schemas have format, odd and queries, which no design has",
			"params have separator, which no design has",
			"indexes have follow and project, which no design has",
			"attributes have crypt, encode and validate, which no design has"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			draft, err := Read([]byte(c.text), Options{})
			require.NoError(t, err)
			said := strings.Join(draft.Warnings, "\n")
			for _, want := range c.want {
				assert.Contains(t, said, want)
			}
		})
	}
}

// TestPlans checks that designs are planned with no more indexes than their sources have.
func TestPlans(t *testing.T) {
	for _, c := range []struct {
		name, file string
		indexes    int
	}{
		{"OneTable", "testdata/onetable.yaml", 2},
		{"ElectroDB", "testdata/electrodb.yaml", 5},
		{"NoSQL Workbench", "testdata/workbench.yaml", 2},
		{"a data model", "testdata/datamodel.yaml", 1},
		{"a policy", "testdata/policy.yaml", 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			plan, err := designfile.PlanFile(c.file)
			require.NoError(t, err)
			assert.LessOrEqual(t, len(plan.Indexes), c.indexes)
		})
	}
}

// FuzzRead checks that Read does not panic, that its errors have the type of those with places, and
// that a design that it makes can be checked, written and read.
func FuzzRead(f *testing.F) {
	for _, c := range sources {
		text, err := os.ReadFile(c.file)
		require.NoError(f, err)
		f.Add(text)
	}
	f.Add([]byte("{models: {A: {pk: {value: 'a#${b}'}}}, indexes: {primary: {hash: pk}}}"))
	f.Fuzz(func(t *testing.T, text []byte) {
		draft, err := Read(text, Options{})
		if err != nil {
			var e *Error
			require.True(t, errors.As(err, &e), "%v", err)
			return
		}
		written := designfile.Write(&draft.Design, draft.Comments)
		again, err := designfile.Parse(written)
		require.NoError(t, err, "%s", written)
		require.Equal(t, &draft.Design, again)
	})
}

func TestReadErrors(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"nothing", "", "the file is empty"},
		{"another file", `{"a": 1}`,
			"line 1: this is no source of designs: want a schema of OneTable"},
		{"JavaScript", "// the schema\nexport default {}",
			"line 1: this is JavaScript or TypeScript"},
		{"JSON with a mistake", "{\n  \"models\": {\n    \"A\" 1\n  }\n}",
			"line 3: invalid character '1' after object key; print what the file"},
		{"deep nesting", nested(200), "the file is nested more than 100 deep"},
		{"a schema without a primary index", `{"models": {}, "indexes": {"gs1": {"hash": "a"}}}`,
			"indexes: there is no index called primary with a hash"},
		{"a model without the primary key",
			"{\"indexes\": {\"primary\": {\"hash\": \"pk\"}},\n\"models\": {\"A\": {\"id\": {\"type\": \"string\"}}}}", "line 2: models.A: the model has no attribute pk"},
		{"a schema without models", `{"models": {}, "indexes": {"primary": {"hash": "pk"}}}`,
			"there are no models"},
		{"an index without a pk",
			`{"model": {"entity": "a"}, "attributes": {}, "indexes": {"b": {"sk": {}}}}`,
			"indexes.b: an index has a pk"},
		{"a table without a key", `{"tables": [{"table_name": "a"}], "access_patterns": []}`,
			"tables[0]: the table has no key_schema"},
		{"a pattern of no table",
			`{"tables": [{"table_name": "a", "key_schema": {"partition_key": "id"}}],` + "\n" +
				`"access_patterns": [{"table": "b", "operation": "Query"}]}`,
			"line 2: access_patterns[0]: there is no table \"b\""},
		{"a policy with a mistake", "tables:\n  - name: t\n    rule: data\n",
			"line 3: tables[0].rule: there is no such field"},
		{"too many models", manyModels(), "models.A-100: a design has at most 100 models"},
		{"an attribute twice",
			`{"indexes": {"primary": {"hash": "id"}}, "models": {"A": {"id": {}, "id": {}}}}`,
			"models.A.id: the field is there twice"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := Read([]byte(c.text), Options{})
			require.ErrorContains(t, err, c.want)
		})
	}
}

// manyModels returns a schema of OneTable whose models are too many.
func manyModels() string {
	var b strings.Builder
	for i := range design.MaxModels + 1 {
		fmt.Fprintf(&b, `,"A-%d": {"id": {"type": "string"}}`, i)
	}
	return `{"indexes": {"primary": {"hash": "id"}}, "models": {` + b.String()[1:] + `}}`
}

// nested returns JSON that is nested so deep.
func nested(n int) string {
	text := make([]byte, 0, 2*n)
	for range n {
		text = append(text, '[')
	}
	for range n {
		text = append(text, ']')
	}
	return string(text)
}

// TestComputed checks that an attribute with a value template is one of the model unless it is a
// key.
func TestComputed(t *testing.T) {
	draft, err := Read([]byte(`{indexes: {primary: {hash: pk}}, models: {A: {
		pk: {type: String, value: 'a#${id}'}, id: {type: String}, title: {type: String, value: '${id} of A'}}}}`), Options{})
	require.NoError(t, err)
	assert.Equal(t,
		[]design.Attribute{{Name: "id", Type: design.String}, {Name: "title", Type: design.String}},
		draft.Design.Models[0].Attributes)
	assert.Equal(t, []string{"id"}, draft.Design.Models[0].Key)
}

// TestMappedAttributes: an attribute has the name under which OneTable stores it.
func TestMappedAttributes(t *testing.T) {
	draft, err := Read([]byte(`{"indexes": {"primary": {"hash": "pk", "sort": "sk"}}, "models": {"Order": {
		"id": {"type": "string", "map": "pk"}, "line": {"type": "number", "map": "l"},
		"sk": {"type": "string", "value": "LINE#${line}"}}}}`), Options{})
	require.NoError(t, err)
	m := draft.Design.Models[0]
	assert.Equal(t, []design.Attribute{{Name: "pk", Type: design.String},
		{Name: "l", Type: design.Number}}, m.Attributes)
	assert.Equal(t, []string{"pk", "l"}, m.Key)
}

// TestUniqueOfOneTable: what OneTable keeps unique by another item is unique in the design.
func TestUniqueOfOneTable(t *testing.T) {
	draft, err := Read([]byte(`{"indexes": {"primary": {"hash": "id"}}, "models": {"User": {
		"id": {"type": "string", "unique": true}, "email": {"type": "string", "unique": true}}}}`),
		Options{})
	require.NoError(t, err)
	assert.Empty(t, draft.Warnings)
	assert.Equal(t, [][]string{{"email"}}, draft.Design.Models[0].Unique)
	plan, err := design.Make(&draft.Design)
	require.NoError(t, err)
	assert.NotNil(t, plan.Entity("UserEmail"), "a guard")
}

func TestReadWarnings(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"a type that JSON.stringify dropped",
			`{"indexes": {"primary": {"hash": "id"}}, "models": {"A": {"id": {}}}}`,
			"attributes without a type, such as models.A.id, are strings"},
		{"an unknown property",
			`{"indexes": {"primary": {"hash": "id"}}, "models": {"A": {"id": {"type": "string", "new": 1}}}}`, "models.A.id.new: the reader does not know this property"},
		{"an attribute that is packed into another one",
			`{"indexes": {"primary": {"hash": "id"}}, "models": {"A": {"id": {"type": "string"}, "city": {"type": "string", "map": "data.city"}}}}`, "models.A.city.map: OneTable packs the attribute into data.city"},
		{"an access pattern of NoSQL Workbench",
			`{"ModelName": "m", "DataModel": [{"TableName": "posts", "AccessPatterns": [{"Name": "posts of an author", "Description": "newest first"}],
			"KeyAttributes": {"PartitionKey": {"AttributeName": "id", "AttributeType": "S"}}, "TableData": [{"id": {"S": "1"}}]}]}`, `the model has the access pattern "posts of an author: newest first"`},
		{"what no design has of NoSQL Workbench",
			`{"ModelName": "m", "DataModel": [{"TableName": "posts", "DataAccess": {}, "BillingMode": "PROVISIONED",
			"KeyAttributes": {"PartitionKey": {"AttributeName": "id", "AttributeType": "S"}}, "TableData": [{"id": {"S": "1"}}]}]}`, "the table has DataAccess and BillingMode, which no design has"},
	} {
		t.Run(c.name, func(t *testing.T) {
			draft, err := Read([]byte(c.text), Options{})
			require.NoError(t, err)
			assert.Contains(t, strings.Join(draft.Warnings, "\n"), c.want)
		})
	}
}
