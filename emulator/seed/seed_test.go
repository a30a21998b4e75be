package seed

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/emulator"
	"github.com/kugiri-db/kugiri/storage/item"
)

// usersTable and ordersTable are inputs of create-table for the tables users and orders.
const (
	usersTable = `{"TableName":"users","BillingMode":"PAY_PER_REQUEST",
		"AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"}],"KeySchema":[{"AttributeName":"pk","KeyType":"HASH"}]}`
	ordersTable = `{"TableName":"orders",
		"AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"},{"AttributeName":"sk","AttributeType":"N"},{"AttributeName":"g","AttributeType":"B"}],
		"KeySchema":[{"AttributeName":"pk","KeyType":"HASH"},{"AttributeName":"sk","KeyType":"RANGE"}],
		"LocalSecondaryIndexes":[{"IndexName":"local","KeySchema":[{"AttributeName":"pk","KeyType":"HASH"},{"AttributeName":"g","KeyType":"RANGE"}],"Projection":{"ProjectionType":"KEYS_ONLY"}}],
		"GlobalSecondaryIndexes":[{"IndexName":"global","KeySchema":[{"AttributeName":"g","KeyType":"HASH"}],
			"Projection":{"ProjectionType":"INCLUDE","NonKeyAttributes":["x"]},"ProvisionedThroughput":{"ReadCapacityUnits":3,"WriteCapacityUnits":4}}],
		"ProvisionedThroughput":{"ReadCapacityUnits":1,"WriteCapacityUnits":2},"TableClass":"STANDARD_INFREQUENT_ACCESS",
		"StreamSpecification":{"StreamEnabled":true,"StreamViewType":"KEYS_ONLY"},"DeletionProtectionEnabled":true}`
)

func newClient() (*emulator.Emulator, *emulator.HTTPClient) {
	e := emulator.New()
	return e, e.HTTPClient("test", "us-east-1")
}

// text returns the Dump of a table.
func text(t testing.TB, e *emulator.Emulator, table string) string {
	var b strings.Builder
	require.NoError(t, e.Dump(&b, "test", "us-east-1", table))
	return b.String()
}

// readAll reads files with the given names and texts.
func readAll(t testing.TB, files map[string]string) (*Data, error) {
	fsys := fstest.MapFS{}
	for name, text := range files {
		fsys[name] = &fstest.MapFile{Data: []byte(text)}
	}
	return ReadFS(fsys, ".")
}

func TestForms(t *testing.T) {
	const ab = "pk: \"a\"\n\npk: \"b\"\n"
	for _, c := range []struct {
		name  string
		files map[string]string
		want  string // the Dump of the table users
	}{
		{"scan", map[string]string{
			"users.json": `{"Items":[{"pk":{"S":"b"}},{"pk":{"S":"a"}}],"Count":2,"ScannedCount":2,"ConsumedCapacity":null}`,
		}, ab},
		{"scan, of the table that it used",
			map[string]string{"page-1.json": `{"Items":[{"pk":{"S":"b"}}],"Count":1,"ConsumedCapacity":{"TableName":"users","CapacityUnits":0.5}}
			{"Items":[{"pk":{"S":"a"}}],"ConsumedCapacity":{"TableName":"users","CapacityUnits":0.5}}`}, ab},
		{"get-item",
			map[string]string{
				"users.items.json": `{"Item":{"pk":{"S":"a"}}}{"Item":{"pk":{"S":"b"}}}`,
			}, ab},
		{"put-item --item",
			map[string]string{"users.ndjson": "{\"pk\":{\"S\":\"a\"}}\n{\"pk\":{\"S\":\"b\"}}\n"},
			ab},
		{"put-item --cli-input-json",
			map[string]string{"x.jsonl": `{"TableName":"users","Item":{"pk":{"S":"a"}}}
			{"TableName":"users","Item":{"pk":{"S":"b"}},"ConditionExpression":"attribute_not_exists(pk)"}`}, ab},
		{"batch-write-item --request-items",
			map[string]string{
				"x.json": `{"users":[{"PutRequest":{"Item":{"pk":{"S":"b"}}}},{"PutRequest":{"Item":{"pk":{"S":"a"}}}}]}`,
			}, ab},
		{"batch-write-item --cli-input-json",
			map[string]string{
				"x.json": `{"RequestItems":{"users":[{"PutRequest":{"Item":{"pk":{"S":"b"}}}},{"PutRequest":{"Item":{"pk":{"S":"a"}}}}]}}`,
			}, ab},
		{"deletes",
			map[string]string{"a.json": `{"TableName":"users","Item":{"pk":{"S":"z"}}}`,
				"x.json": `{"users":[{"DeleteRequest":{"Key":{"pk":{"S":"z"}}}}]}`}, ""},
		{"a later item of a key",
			map[string]string{
				"users.jsonl": `{"pk":{"S":"a"},"v":{"N":"1"}}{"pk":{"S":"a"},"v":{"N":"2"}}`,
			}, "pk: \"a\"\n  v: 2\n"},
		{"an attribute named Item",
			map[string]string{"users.jsonl": `{"Item":{"M":{"pk":{"S":"x"}}},"pk":{"S":"a"}}`},
			"pk: \"a\"\n  Item: {pk: \"x\"}\n"},
		{"attributes named as forms",
			map[string]string{"users.json": `{"pk":{"S":"a"},"Table":{"S":"t"},"Items":{"L":[]}}`},
			"pk: \"a\"\n  Items: []\n  Table: \"t\"\n"},
		{"TTL", map[string]string{
			"users.ttl.json": `{"TimeToLiveDescription":{"TimeToLiveStatus":"ENABLED","AttributeName":"ttl"}}`,
		}, ""},
		{"no TTL",
			map[string]string{
				"users.ttl.json": `{"TimeToLiveDescription":{"TimeToLiveStatus":"DISABLED"}}`,
			}, ""},
		{"update-time-to-live",
			map[string]string{
				"x.json": `{"TableName":"users","TimeToLiveSpecification":{"Enabled":true,"AttributeName":"ttl"}}`,
			}, ""},
		{"nothing", map[string]string{"x.json": " \n"}, ""},
		{"a byte order mark",
			map[string]string{"users.json": "\xef\xbb\xbf" + `{"Item":{"pk":{"S":"a"}}}`},
			"pk: \"a\"\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.files["zz.json"] = usersTable // tables come first, whatever the order of files
			d, err := readAll(t, c.files)
			require.NoError(t, err)
			e, client := newClient()
			require.NoError(t, d.Load(client))
			assert.Equal(t, c.want, text(t, e, "users"))
			other, _ := newClient()
			require.NoError(t, d.Load(other.HTTPClient("test", "us-east-1")),
				"once more, into another")
			_, ttl := c.files["users.ttl.json"]
			if ttl || c.name == "update-time-to-live" {
				answer, err := call(client, "DescribeTimeToLive", []byte(`{"TableName":"users"}`))
				require.NoError(t, err)
				assert.Equal(t, c.name != "no TTL", strings.Contains(string(answer), `"ENABLED"`))
			}
		})
	}
}

// TestDescriptions: a table made from a description has the same description.
func TestDescriptions(t *testing.T) {
	for _, definition := range []string{usersTable, ordersTable} {
		d, err := Read("x", strings.NewReader(definition))
		require.NoError(t, err)
		_, client := newClient()
		require.NoError(t, d.Load(client))
		tables, err := tablesOf(client)
		require.NoError(t, err)
		again, err := Read("x", bytes.NewReader(tables[0].description))
		require.NoError(t, err)
		_, other := newClient()
		require.NoError(t, again.Load(other))
		copied, err := tablesOf(other)
		require.NoError(t, err)
		assert.Equal(t, settled(t, tables[0].description), settled(t, copied[0].description))
	}
	_, client := newClient()
	answer, err := call(client, "CreateTable", []byte(ordersTable))
	require.NoError(t, err)
	d, err := Read("x", bytes.NewReader(answer))
	require.NoError(t, err)
	_, other := newClient()
	assert.NoError(t, d.Load(other), "of what create-table prints")
}

// settled returns a description without the members that differ between equal tables.
func settled(t testing.TB, description []byte) map[string]any {
	var d struct{ Table map[string]any }
	require.NoError(t, json.Unmarshal(description, &d))
	for _, name := range []string{"TableId", "CreationDateTime", "LatestStreamArn",
		"LatestStreamLabel", "BillingModeSummary"} {
		if s, ok := d.Table[name].(map[string]any); ok {
			delete(s, "LastUpdateToPayPerRequestDateTime")
			continue
		}
		delete(d.Table, name)
	}
	return d.Table
}

func TestErrors(t *testing.T) {
	for _, c := range []struct{ name, file, text, says string }{
		{"no JSON", "x.json", "\n{]", "x.json:2: no JSON: "},
		{"half a surrogate pair", "x.json", "\n{\"pk\":{\"S\":\"\\ud800\"}}",
			"x.json:2: a string is not Unicode text"},
		{"half a surrogate pair in a definition", "x.json",
			`{"TableName":"x","KeySchema":[{"AttributeName":"\udc00","KeyType":"HASH"}]}`,
			"x.json:1: a string is not Unicode text"},
		{"half of it", "x.json", `{"a":`, "x.json:1: no JSON: "},
		{"no object", "x.json", "\n\n[]", "x.json:3: want an object"},
		{"no form", "x.json", `{"Nope":1,"TableName":"x"}`,
			"x.json:1: no form of a seed has these members: Nope, TableName"},
		{"an item without types", "x.json", `{"id":{"S":"1"},"state":"open"}`,
			`x.json:1: no form of a seed has these members: id, state; if it is an item, state needs a type, as in {"S":"text"}`},
		{"an empty object", "x.json", `{}`, "x.json:1: no form"},
		{"a member of no put-item", "x.json",
			`{"TableName":"x","Item":{"a":{"S":"b"}},` + "\n" + `"Conditon":1}`,
			`x.json:2: put-item has no member "Conditon"`},
		{"a member of no create-table", "x.json", `{"TableName":"x","KeySchema":[],"Indexes":[]}`,
			`x.json:1: create-table has no member "Indexes"`},
		{"a definition without a name", "x.json", `{"KeySchema":[]}`,
			`x.json:1: there is no TableName`},
		{"a description without a name", "x.json", `{"Table":{"KeySchema":[]}}`,
			`x.json:1: there is no TableName`},
		{"a member of no scan", "x.json", `{"Items":[],"Total":1}`,
			`x.json:1: the output of scan has no member "Total"`},
		{"a member of no batch", "x.json", `{"RequestItems":{},"x":1}`,
			`x.json:1: batch-write-item has no member "x"`},
		{"no requests", "x.json", `{"RequestItems":{"a":[{"Put":1}]}}`,
			`x.json:1: no list of PutRequest`},
		{"a put of no item", "x.json", `{"a":[{"PutRequest":{}}]}`,
			`x.json:1: item 1: PutRequest has no Item`},
		{"a put of more", "x.json", `{"a":[{"PutRequest":{"Item":{},"X":1}}]}`,
			`x.json:1: PutRequest has no member "X"`},
		{"no list of items", "x.json", `{"Items":1}`, `x.json:1: want a list`},
		{"a member twice", "x.json", `{"Items":[],` + "\n" + `"Items":[]}`,
			`x.json:2: the member "Items" is there twice`},
		{"a member twice, once with an escape", "x.json", `{"Items":[],` + "\n" + `"\u0049tems":[]}`,
			`x.json:2: the member "Items" is there twice`},
		{"a member of a put twice", "x.json", `{"a":[{"PutRequest":{"Item":{},` + "\n" + `"Item":{}}}]}`,
			`x.json:1: item 1: x.json:2: the member "Item" is there twice`},
		{"no status of TTL", "x.json", `{"TimeToLiveDescription":{"TimeToLiveStatus":"ON"}}`,
			`x.json:1: there is no TimeToLiveStatus "ON"`},
		{"no model", "x.json", `{"DataModel":1}`, `x.json:1: want a list`},
		{"an item in a scan", "users.json",
			`{"Items":[{"pk":{"S":"a"}},` + "\n" + `{"pk":{"N":"1"}}]}`,
			"users.json:2: item 2: table users: ValidationException: "},
		{"a value", "users.jsonl",
			"{\"pk\":{\"S\":\"a\"}}\n{\"pk\":{\"S\":\"a\"},\"n\":{\"N\":\"x\"}}",
			"users.jsonl:2: table users: ValidationException: 1 validation error detected: The parameter cannot be converted to a numeric value: x"},
		{"no table", "nope.json", `{"Items":[{"pk":{"S":"a"}}]}`,
			"nope.json:1: item 1: table nope: ResourceNotFoundException: "},
		{"a condition", "x.json",
			`{"TableName":"users","Item":{"pk":{"S":"a"}},"ConditionExpression":"attribute_exists(pk)"}`, "x.json:1: ConditionalCheckFailedException: "},
		{"a table twice", "x.json", usersTable, "x.json:1: table users: ResourceInUseException: "},
		{"TTL of no table", "nope.json",
			`{"TimeToLiveDescription":{"TimeToLiveStatus":"ENABLED","AttributeName":"ttl"}}`,
			"nope.json:1: table nope: ResourceNotFoundException: "},
	} {
		t.Run(c.name, func(t *testing.T) {
			d, err := Read(c.file, strings.NewReader(c.text))
			if err == nil {
				_, client := newClient()
				users, userErr := Read("users", strings.NewReader(usersTable))
				require.NoError(t, userErr)
				require.NoError(t, users.Load(client))
				err = d.Load(client)
			}
			require.ErrorContains(t, err, c.says)
			assert.True(t, strings.HasPrefix(err.Error(), c.says[:strings.Index(c.says, ":")]), err)
		})
	}
}

func TestFiles(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		file := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
		return file
	}
	table := write("users.json", usersTable)
	item := write("users.items.json", `{"pk":{"S":"a"}}`)
	write(".hidden", "x")
	for _, paths := range [][]string{{dir}, {item, table}} {
		d, err := ReadFiles(paths...)
		require.NoError(t, err)
		e, client := newClient()
		require.NoError(t, d.Load(client))
		assert.Equal(t, "pk: \"a\"\n", text(t, e, "users"))
	}
	_, err := ReadFiles(filepath.Join(dir, "nope.json"))
	assert.ErrorIs(t, err, os.ErrNotExist)
	bad := write("notes.txt", "")
	_, err = ReadFiles(dir)
	assert.ErrorContains(t, err, bad+": a directory of seeds")
	require.NoError(t, os.Remove(bad))
	require.NoError(t, os.Mkdir(filepath.Join(dir, "x.json"), 0o700))
	_, err = ReadFiles(dir)
	assert.ErrorContains(t, err, "a directory of seeds")
}

func TestTableOf(t *testing.T) {
	for file, want := range map[string]string{
		"a/b/users.json": "users", `c:\seeds\users.jsonl`: "users", "users.items.ndjson": "users",
		"users.ttl.json": "users", "a.b.json": "a.b", "users": "users",
	} {
		assert.Equal(t, want, tableOf(file), file)
	}
}

// TestMembersAreThoseOfTheAPI compares the accepted parameters with those of the SDK.
func TestMembersAreThoseOfTheAPI(t *testing.T) {
	for _, c := range []struct {
		in    any
		known []string
	}{{dynamodb.PutItemInput{}, putMembers}, {dynamodb.CreateTableInput{}, createMembers}} {
		var names []string
		for _, f := range reflect.VisibleFields(reflect.TypeOf(c.in)) {
			if f.IsExported() {
				names = append(names, f.Name)
			}
		}
		for _, name := range names {
			assert.Contains(t, c.known, name, "%T", c.in)
		}
	}
}

func TestManyItems(t *testing.T) {
	table := Table{Name: "many", PartitionKey: Attribute{"pk", "N"}}
	for i := range 3*batchSize + 1 {
		table.Items = append(table.Items, Item{"pk": i})
	}
	d, err := Of(table)
	require.NoError(t, err)
	e, client := newClient()
	require.NoError(t, d.Load(client))
	assert.Equal(t, len(table.Items), strings.Count(text(t, e, "many"), "pk:"))

	small := emulator.New(
		emulator.WithLimits(emulator.Limits{BatchWriteItems: 2, PageBytes: 10})).HTTPClient("test",
		"us-east-1")
	require.NoError(t, d.Load(small), "with smaller batches")
	tables, err := tablesOf(small)
	require.NoError(t, err)
	assert.Len(t, tables[0].items, len(table.Items), "in many pages")
}

func TestGoValues(t *testing.T) {
	d, err := Of(Table{
		Name: "all", PartitionKey: Attribute{"pk", "S"}, SortKey: Attribute{"sk", "N"},
		GlobalIndexes: []Index{
			{Name: "global", PartitionKey: Attribute{"sk", "N"}, KeysOnly: true},
		},
		LocalIndexes: []Index{
			{Name: "local", SortKey: Attribute{"lk", "S"}, Include: []string{"b"}},
		},
		StreamView: "NEW_IMAGE", TTL: "ttl",
		Items: []Item{{
			"pk": "a", "sk": 1, "b": []byte{1, 2}, "none": nil, "yes": true, "f": 1.5,
			"small": 1e-7, "big": 1e20, "u": uint8(7), "f32": float32(0.1),
			"n": json.Number("12345678901234567890123456789012345678"),
			"l": []any{"x", 1, []byte{}}, "m": map[string]any{"a": Item{}},
			"ss": StringSet{"b", "a"}, "ns": NumberSet{"2", "1"}, "bs": BinarySet{{1}},
			"v": item.Map(),
		}},
	})
	require.NoError(t, err)
	e, client := newClient()
	require.NoError(t, d.Load(client))
	assert.Equal(t, `pk: "a"
sk: 1
  b: b"AQI="
  big: 100000000000000000000
  bs: <<b"AQ==">>
  f: 1.5
  f32: 0.1
  l: ["x", 1, b""]
  m: {a: {}}
  n: 12345678901234567890123456789012345678
  none: null
  ns: <<1, 2>>
  small: 0.0000001
  ss: <<"a", "b">>
  u: 7
  v: {}
  yes: true
`, text(t, e, "all"))
	tables, err := tablesOf(client)
	require.NoError(t, err)
	for _, part := range []string{`"KEYS_ONLY"`, `"INCLUDE"`, `"NEW_IMAGE"`,
		`"IndexName":"local"`} {
		assert.Contains(t, string(tables[0].description), part)
	}
	assert.Contains(t, string(tables[0].timeToLive), `"ENABLED"`)

	for name, bad := range map[string]any{
		"a struct": struct{}{}, "a strange list": []any{[]string{}},
		"a strange map": Item{"x": make(chan int)}, "no number": float32(0) / zero,
	} {
		_, err := Of(Table{Name: "t", Items: []Item{{"ok": 1}, {"bad": bad}}})
		assert.ErrorContains(t, err, "seed.Of: item 2: table t: bad: ", name)
	}
}

var zero float32

// copies returns a client with the loaded data and one with the data loaded from a dump of the
// first.
func copies(t testing.TB, d *Data, dir string) (original, copied *emulator.HTTPClient) {
	_, original = newClient()
	require.NoError(t, d.Load(original))
	require.NoError(t, Dump(original, dir))
	again, err := ReadFiles(dir)
	require.NoError(t, err)
	_, copied = newClient()
	require.NoError(t, again.Load(copied))
	return original, copied
}

func requireSame(t testing.TB, a, b Client) {
	all, err := tablesOf(a)
	require.NoError(t, err)
	others, err := tablesOf(b)
	require.NoError(t, err)
	require.Len(t, others, len(all))
	for i := range all {
		require.Equal(t, settled(t, all[i].description), settled(t, others[i].description))
		require.Equal(t, all[i].items, others[i].items)
		require.Equal(t, string(all[i].timeToLive), string(others[i].timeToLive))
	}
}

func TestDump(t *testing.T) {
	d, err := readAll(t, map[string]string{
		"1.json": usersTable + ordersTable,
		"2.json": `{"orders":[{"PutRequest":{"Item":{"pk":{"S":"a"},"sk":{"N":"1"},"g":{"B":"AA=="},"x":{"L":[{"NULL":true}]}}}}]}`,
		"3.json": `{"users":[{"PutRequest":{"Item":{"pk":{"S":"<&>\u2028\u0000"}}}},{"PutRequest":{"Item":{"pk":{"S":"b"}}}}]}`,
		"4.json": `{"TableName":"orders","TimeToLiveSpecification":{"Enabled":true,"AttributeName":"x"}}`,
	})
	require.NoError(t, err)
	dir := filepath.Join(t.TempDir(), "dump")
	original, copied := copies(t, d, dir)
	requireSame(t, original, copied)
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	assert.Equal(t,
		[]string{"orders.items.json", "orders.json", "orders.ttl.json", "users.items.json",
			"users.json"}, names)
	scan, err := os.ReadFile(filepath.Join(dir, "orders.items.json"))
	require.NoError(t, err)
	assert.Equal(t,
		"{\n    \"Items\": [\n        {\"g\":{\"B\":\"AA==\"},\"pk\":{\"S\":\"a\"},\"sk\":{\"N\":\"1\"},\"x\":{\"L\":[{\"NULL\":true}]}}\n    ],\n    \"Count\": 1,\n    \"ScannedCount\": 1\n}\n", string(scan))
}

func TestWorkbench(t *testing.T) {
	d, err := ReadFiles(filepath.Join("testdata", "forum.json"))
	require.NoError(t, err)
	e, client := newClient()
	require.NoError(t, d.Load(client))
	assert.Equal(t,
		"ForumName: \"Amazon S3\"\n  Category: \"Storage\"\n\nForumName: \"DynamoDB\"\n  Threads: 2\n", text(t, e, "Forum"))
	assert.Equal(t,
		"ForumName: \"DynamoDB\"\nSubject: \"Keys\"\n  LastPostedBy: \"ann\"\n  Tags: <<\"a\", \"b\">>\n", text(t, e, "Thread"))
	tables, err := tablesOf(client)
	require.NoError(t, err)
	assert.Contains(t, string(tables[1].description), `"IndexName":"ByPoster"`)

	model, err := Workbench(client, "Copy")
	require.NoError(t, err)
	again, err := Read("copy.json", bytes.NewReader(model))
	require.NoError(t, err)
	_, other := newClient()
	require.NoError(t, again.Load(other))
	requireSame(t, client, other)
	twice, err := Workbench(other, "Copy")
	require.NoError(t, err)
	assert.Equal(t, string(model), string(twice))

	d, err = Read("x", strings.NewReader(ordersTable))
	require.NoError(t, err)
	require.NoError(t, d.Load(client))
	_, err = Workbench(client, "x")
	assert.ErrorContains(t, err,
		"table orders: a model of NoSQL Workbench has no local indexes such as local")
}

// TestWorkbenchWarnings: what a newer release of NoSQL Workbench adds to its models is left out.
func TestWorkbenchWarnings(t *testing.T) {
	d, err := Read("m.json", strings.NewReader(`{"ModelName": "m", "Folder": 1,
 "DataModel": [{"TableName": "models", "AccessPatterns": [{"Name": "all"}],
  "KeyAttributes": {"PartitionKey": {"AttributeName": "pk", "AttributeType": "S", "Format": "ULID"}},
  "GlobalSecondaryIndexes": [{"IndexName": "other", "KeyAttributes": {"PartitionKey": {"AttributeName": "g", "AttributeType": "S"}},
   "Projection": {"ProjectionType": "ALL"}, "Note": "n"}],
  "TableData": [{"pk": {"S": "a"}, "Name": {"S": "b"}}]}]}`))
	require.NoError(t, err)
	var warnings []string
	for _, w := range d.Warnings() {
		warnings = append(warnings, w.String())
	}
	assert.Equal(t, []string{
		"m.json:1: a model of NoSQL Workbench has no known member Folder: it is left out",
		"m.json:2: a model of NoSQL Workbench has no known member AccessPatterns: it is left out",
		"m.json:3: a model of NoSQL Workbench has no known member Format: it is left out",
		"m.json:5: a model of NoSQL Workbench has no known member Note: it is left out",
	}, warnings)
	e, client := newClient()
	require.NoError(t, d.Load(client))
	assert.Equal(t, "pk: \"a\"\n  Name: \"b\"\n", text(t, e, "models"))
}

// FuzzRead: loading a dump gives the same data again.
func FuzzRead(f *testing.F) {
	forum, err := os.ReadFile(filepath.Join("testdata", "forum.json"))
	require.NoError(f, err)
	for _, text := range []string{
		usersTable, ordersTable, usersTable + `{"pk":{"S":"a"}}`,
		`{"Items":[{"pk":{"S":"a"}}],"Count":1}`, `{"users":[{"DeleteRequest":{"Key":{}}}]}`,
		`{"RequestItems":{"users":[{"PutRequest":{"Item":{"pk":{"S":"b"},"l":{"L":[]}}}}]}}`,
		`{"TableName":"users","Item":{"pk":{"S":"a"}}}`,
		`{"TimeToLiveDescription":{"TimeToLiveStatus":"ENABLED","AttributeName":"t"}}`,
		`{"Table":{"TableName":"abc","KeySchema":null}}`,
		`{"DataModel":[{"TableName":"x","KeyAttributes":{"PartitionKey":{}}}]}`, string(forum),
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		d, err := Read("users.json", bytes.NewReader(text))
		if err != nil {
			require.True(t, strings.HasPrefix(err.Error(), "users.json:"), err)
			return
		}
		_, client := newClient()
		if d.Load(client) != nil {
			return
		}
		tables, err := tablesOf(client)
		require.NoError(t, err)
		copied := new(Data)
		for _, table := range tables {
			files, err := table.files()
			require.NoError(t, err)
			for suffix, text := range files {
				require.NoError(t, copied.read(table.name+suffix, text))
			}
		}
		var all []write
		for batch := range copied.writes.batches() {
			all = append(all, batch...)
		}
		slices.SortStableFunc(all,
			func(a, b write) int { return strings.Compare(a.table, b.table) })
		copied.writes = writes{}
		for _, w := range all {
			copied.writes.add(w)
		}
		_, other := newClient()
		require.NoError(t, copied.Load(other))
		requireSame(t, client, other)
	})
}

// TestTooManyTables: a seed has at most as many tables as an account has in a Region.
func TestTooManyTables(t *testing.T) {
	var text strings.Builder
	for i := range 10_001 {
		fmt.Fprintf(&text, `{"TableName":"t%d","KeySchema":[]}`+"\n", i)
	}
	_, err := Read("x.json", strings.NewReader(text.String()))
	assert.ErrorContains(t, err, "x.json:10001: a seed has at most 10000 tables")
}

// TestDevices: a device may have no end, so it is no file of seeds.
func TestDevices(t *testing.T) {
	_, err := ReadFiles(os.DevNull)
	require.ErrorContains(t, err, "is a device, not a file")
}

// TestResponseMetadata: boto3 and dynamodump print how a request went beside the table.
func TestResponseMetadata(t *testing.T) {
	d, err := Read("t.json", strings.NewReader(`{"Table": {"TableName": "t", "KeySchema": []},
		"ResponseMetadata": {"HTTPStatusCode": 200}}`))
	require.NoError(t, err)
	assert.Len(t, d.Definitions(), 1)
}
