package emulator

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http/httptest"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/conventions/api"
	"github.com/kugiri-db/kugiri/emulator/iam"
	"github.com/kugiri-db/kugiri/emulator/internal/httpd"
	"github.com/kugiri-db/kugiri/emulator/internal/serve"
	"github.com/kugiri-db/kugiri/storage/growth"
	"github.com/kugiri-db/kugiri/storage/item"
)

// grower is a way to make a request of an operation larger: path names a member that repeats,
// nests or is long, and of returns a request with n of what it consists of.
type grower struct {
	path string
	of   func(n int) (request any)
	raw  func(n int) string // the JSON in place of the text rawMark in the request
}

// rawMark stands for what package json would not write: values that nest deeply, and members twice.
const rawMark = "@raw@"

// body returns the request.
func (g *grower) body(t *testing.T, n int) string {
	text, err := json.Marshal(g.of(n))
	require.NoError(t, err)
	if g.raw == nil {
		return string(text)
	}
	return strings.Replace(string(text), `"`+rawMark+`"`, g.raw(n), 1)
}

// growers collects the growers of an operation.
type growers []grower

func (g *growers) add(path string, of func(n int) any) {
	*g = append(*g, grower{path: path, of: of})
}

func (g *growers) addRaw(path string, put func(v any) any, raw func(n int) string) {
	*g = append(*g, grower{path, func(int) any { return put(rawMark) }, raw})
}

// object is an object of JSON.
type object = map[string]any

// walk adds the growths in a value of a shape. put returns a request that has a value in its place.
func (g *growers) walk(path, name string, shape reflect.Type, put func(v any) any) {
	switch {
	case shape.Kind() == reflect.Pointer:
		g.walk(path, name, shape.Elem(), put)
	case shape == reflect.TypeFor[item.Attributes]():
		g.attributes(path, name, put)
	case shape == reflect.TypeFor[api.AttributeValue]():
		g.values(path, put)
	case isMap(shape):
		value := shape.Elem().Field(1).Type
		g.add(path+"{}", func(n int) any { return put(entries(name, value, n)) })
		g.walk(path+"{}", name, value,
			func(v any) any { return put(object{entryName(name, value, 0): v}) })
	case shape.Kind() == reflect.Slice && shape.Elem().Kind() != reflect.Uint8:
		g.list(path+"[]", name, shape.Elem(), put)
	case shape.Kind() == reflect.Struct:
		g.placeholders(path, shape, put)
		for i := range shape.NumField() {
			field, _ := wireName(shape.Field(i))
			for _, base := range basesOf(shape) {
				g.walk(path+base+"."+field, field, shape.Field(i).Type, func(v any) any {
					o := object{}
					if !slices.Contains(unions, shape.Name()) {
						o = newStructure(shape, base, 0)
					}
					o[field] = v
					return put(o)
				})
			}
		}
	case shape.Kind() == reflect.String:
		g.text(path, name, put)
	}
}

// placeholders grows the expressions of a structure together with the names and the values that
// they use. Each place looks one up.
func (g *growers) placeholders(path string, shape reflect.Type, put func(v any) any) {
	if _, ok := shape.FieldByName("ExpressionAttributeNames"); !ok {
		return
	}
	for i := range shape.NumField() {
		field, _ := wireName(shape.Field(i))
		if !strings.HasSuffix(field, "Expression") {
			continue
		}
		g.add(path+"."+field+" of placeholders", func(n int) any {
			o := newStructure(shape, "", 0)
			names, values := object{}, object{}
			for i := range n {
				names[fmt.Sprint("#n", i)] = fmt.Sprint("a", i)
				values[fmt.Sprint(":v", i)] = object{"S": "v"}
			}
			o[field] = strings.Repeat(fmt.Sprintf("#n%d = :v%d AND ", n-1, n-1), n)
			o["ExpressionAttributeNames"] = names
			if _, ok := shape.FieldByName("ExpressionAttributeValues"); ok {
				o["ExpressionAttributeValues"] = values
			}
			return put(o)
		})
	}
}

func (g *growers) list(path, name string, elem reflect.Type, put func(v any) any) {
	distinct := func(n int) []any {
		list := make([]any, n)
		for i := range list {
			list[i] = sample(name, elem, i)
		}
		return list
	}
	g.add(path, func(n int) any { return put(distinct(n)) })
	g.add(path+" with a repeat",
		func(n int) any { return put(append(distinct(n-1), sample(name, elem, n-2))) })
	g.walk(path, name, elem, func(v any) any { return put([]any{v}) })
}

// attributes grows items.
func (g *growers) attributes(path, name string, put func(v any) any) {
	with := func(v any) any {
		o := keyOf(name)
		o[attributeName(name, 0)] = v
		return put(o)
	}
	g.add(path+" of attributes", func(n int) any {
		o := keyOf(name)
		for i := range n {
			o[attributeName(name, i)] = object{"S": "v"}
		}
		return put(o)
	})
	g.values(path, with)
}

// values grows attribute values.
func (g *growers) values(path string, put func(v any) any) {
	list := func(n int, f func(i int) any) (l []any) {
		for i := range n {
			l = append(l, f(i))
		}
		return l
	}
	elements := map[string]func(i int) any{
		"SS": func(i int) any { return fmt.Sprintf("%06d", i*7919%1000003) },
		"NS": func(i int) any { return fmt.Sprint(i * 7919 % 1000003) },
		"BS": func(i int) any { return fmt.Sprintf("%08d", i*7919%1000003) },
		"L":  func(i int) any { return object{"N": fmt.Sprint(i)} },
	}
	for _, t := range slices.Sorted(maps.Keys(elements)) {
		f := elements[t]
		g.add(path+" "+t, func(n int) any { return put(object{t: list(n, f)}) })
		if t != "L" {
			g.add(path+" "+t+" with a repeat",
				func(n int) any { return put(object{t: append(list(n-1, f), f(n-2))}) })
		}
	}
	g.add(path+" M", func(n int) any {
		m := object{}
		for i := range n {
			m[fmt.Sprint("a", i)] = object{"S": "v"}
		}
		return put(object{"M": m})
	})
	g.addRaw(path+" nested lists", put, func(n int) string {
		return strings.Repeat(`{"L":[`, n) + `{"S":"v"}` + strings.Repeat(`]}`, n)
	})
	g.addRaw(path+" nested maps", put, func(n int) string {
		return strings.Repeat(`{"M":{"a":`, n) + `{"S":"v"}` + strings.Repeat(`}}`, n)
	})
	g.addRaw(path+" of types", put,
		func(n int) string { return `{` + strings.Repeat(`"S":"v",`, n) + `"S":"v"}` })
	g.add(path+" S", func(n int) any { return put(object{"S": strings.Repeat("x", 8*n)}) })
	g.add(path+" N", func(n int) any { return put(object{"N": strings.Repeat("1", n)}) })
}

// texts lists the texts that strings may consist of. Members get those whose of is in their names.
var texts = []struct{ of, name, begin, more, end string }{
	{"", "letters", "", "x", ""},
	{"", "digits", "", "1", ""},
	{"", "slashes", "arn:aws:dynamodb:us-east-1:000000000000:table/table", "/", ""},
	{"", "colons", "arn", ":", ""},
	{"Expression", "brackets", "", "(", ""},
	{"Statement", "brackets", "", "(", ""},
	{"Policy", "braces", "", `{"a":`, ""},
	{"Policy", "lists", "", "[", ""},
	{"Expression", "conjunctions", "a = :v0", " AND a = :v0", ""},
	{"Expression", "negations", "", "NOT ", "a = :v0"},
	{"Expression", "nested conditions", "", "(", "a = :v0"},
	{"Expression", "operands of IN", "a IN (:v0", ",:v0", ")"},
	{"Expression", "BETWEEN", "a BETWEEN :v0", " AND :v0", ""},
	{"Expression", "steps", "a", ".b", " = :v0"},
	{"Expression", "indexes", "a", "[0]", " = :v0"},
	{"Expression", "paths", "a", ", a", ""},
	{"Expression", "assignments", "SET a = :v0", ", a = :v0", ""},
	{"Expression", "sums", "SET a = :v0", " + :v0", ""},
	{"Expression", "removals", "REMOVE a", ", a", ""},
	{"Statement", "PartiQL conjunctions", "SELECT * FROM table WHERE a = 1", " AND a = 1", ""},
	{"Statement", "PartiQL alternatives", "SELECT * FROM table WHERE pk = '1'", " OR pk = '1'", ""},
	{"Statement", "PartiQL IN", "SELECT * FROM table WHERE pk IN ['1'", ",'1'", "]"},
	{"Statement", "PartiQL lists", "INSERT INTO table VALUE {'pk':'a','l':", "[", ""},
	{"Statement", "PartiQL bags", "INSERT INTO table VALUE {'pk':'a','l':<<1", ",1", ">>}"},
	{"Statement", "PartiQL members", "INSERT INTO table VALUE {'pk':'a'", ",'a':1", "}"},
	{"Statement", "PartiQL negations", "SELECT * FROM table WHERE ", "NOT ", "a = 1"},
	{"Statement", "PartiQL columns", "SELECT a", ",a", " FROM table"},
	{"Statement", "PartiQL order", "SELECT * FROM table WHERE pk = '1' ORDER BY pk", ",pk", ""},
	{"Statement", "PartiQL sets", "UPDATE table", " SET a = 1", " WHERE pk = '1'"},
	{"Statement", "PartiQL removals", "UPDATE table", " REMOVE a", " WHERE pk = '1'"},
	{"Policy", "statements of a policy", `{"Version":"2012-10-17","Statement":[`,
		`{"Effect":"Allow","Principal":"*","Action":"dynamodb:*","Resource":"*"},`,
		`{"Effect":"Allow","Principal":"*","Action":"dynamodb:*","Resource":"*"}]}`},
	{"Policy", "actions of a policy",
		`{"Version":"2012-10-17","Statement":[{"Effect":"Allow","Principal":"*","Resource":"*","Action":[`, `"dynamodb:GetItem",`, `"dynamodb:*"]}]}`},
	{"Policy", "stars of a policy",
		`{"Version":"2012-10-17","Statement":[{"Effect":"Allow","Principal":"*","Resource":"*","Action":"dynamodb:`, `*a`, `"}]}`},
}

// text grows a string.
func (g *growers) text(path, name string, put func(v any) any) {
	for _, t := range texts {
		if !strings.Contains(name, t.of) {
			continue
		}
		g.add(path+" of "+t.name,
			func(n int) any { return put(t.begin + strings.Repeat(t.more, n) + t.end) })
	}
}

// wireName returns the name of a member, and whether it must be there.
func wireName(f reflect.StructField) (name string, required bool) {
	name, rest, _ := strings.Cut(f.Tag.Get("wire"), ",")
	if name == "" {
		name = f.Name
	}
	return name, strings.Contains(rest, "required")
}

// entries returns a map of n entries.
func entries(name string, value reflect.Type, n int) object {
	o := object{}
	for i := range n {
		o[entryName(name, value, i)] = sample(name, value, i)
	}
	return o
}

func entryName(name string, value reflect.Type, i int) string {
	switch {
	case name == "RequestItems" && i == 0:
		return "table"
	case name == "ExpressionAttributeNames":
		return fmt.Sprint("#n", i)
	}
	return fmt.Sprintf("a%06d", i)
}

func attributeName(name string, i int) string {
	if name == "ExpressionAttributeValues" {
		return fmt.Sprint(":v", i)
	}
	return fmt.Sprintf("a%06d", i)
}

// keyOf returns the attributes that an item needs.
func keyOf(name string) object {
	if name == "ExpressionAttributeValues" {
		return object{":v0": object{"S": "v"}}
	}
	return object{"pk": object{"S": "a"}}
}

// unions lists the structures that have one member at a time.
var unions = []string{"WriteRequest", "TransactGetItem", "TransactWriteItem",
	"GlobalSecondaryIndexUpdate", "VectorIndexUpdate", "ReplicationGroupUpdate", "ReplicaUpdate"}

// oldBase tells the bases with members that expressions replace from others.
const oldBase = " of old"

// basesOf returns what tells the bases of a structure from each other.
func basesOf(shape reflect.Type) []string {
	if _, ok := bases[shape.Name()+oldBase]; ok {
		return []string{"", oldBase}
	}
	return []string{""}
}

// isSimple reports whether a member is a text, a number or a Boolean that any structure may have.
func isSimple(name string, shape reflect.Type) bool {
	if shape.Kind() != reflect.Pointer || shape.Elem().Kind() == reflect.Struct {
		return false
	}
	c, _ := api.ConstraintOf(shape.Elem())
	return c.Pattern == "" && !strings.HasSuffix(name, "Expression")
}

// newStructure returns a structure.
func newStructure(shape reflect.Type, which string, i int) object {
	o := object{}
	if base, ok := bases[shape.Name()+which]; ok {
		if err := json.Unmarshal([]byte(strings.ReplaceAll(base, "%d", fmt.Sprint(i))),
			&o); err != nil {
			panic(err)
		}
		return o
	}
	for j := range shape.NumField() {
		field, required := wireName(shape.Field(j))
		if required || !strings.HasSuffix(shape.Name(), "Input") &&
			isSimple(field, shape.Field(j).Type) {
			o[field] = sample(field, shape.Field(j).Type, i)
		}
	}
	return o
}

// sample returns a value that a member may have, another for each i.
func sample(name string, shape reflect.Type, i int) any {
	switch {
	case shape.Kind() == reflect.Pointer:
		return sample(name, shape.Elem(), i)
	case shape == reflect.TypeFor[item.Attributes]():
		o := keyOf(name)
		if o["pk"] != nil {
			o["pk"] = object{"S": fmt.Sprint("a", i)}
		}
		return o
	case shape == reflect.TypeFor[api.AttributeValue]():
		return object{"S": fmt.Sprint("a", i)}
	case isMap(shape):
		return entries(name, shape.Elem().Field(1).Type, 1)
	case shape.Kind() == reflect.Struct:
		return newStructure(shape, "", i)
	case shape.Kind() == reflect.Slice && shape.Elem().Kind() != reflect.Uint8:
		return []any{sample(name, shape.Elem(), 0)}
	case shape.Kind() == reflect.String:
		return sampleText(name, shape, i)
	case shape.Kind() == reflect.Bool:
		return true
	case shape.Kind() == reflect.Slice:
		return "AAAA"
	}
	return 1
}

// sampleText returns a string that a member may have.
func sampleText(name string, shape reflect.Type, i int) string {
	c, _ := api.ConstraintOf(shape)
	const arn = "arn:aws:dynamodb:us-east-1:000000000000:table/table"
	switch {
	case len(c.Enum) > 0:
		return c.Enum[i%len(c.Enum)]
	case name == "StreamArn":
		return arn + "/stream/2026-01-01T00:00:00.000"
	case strings.HasSuffix(name, "Arn"):
		return arn
	case strings.HasSuffix(name, "TableName") && i == 0:
		return "table"
	case name == "Statement":
		return fmt.Sprintf("SELECT * FROM table WHERE pk = 'a%d'", i)
	case name == "RegionName":
		return "us-west-2"
	}
	return fmt.Sprintf("name%06d", i)
}

// bases are the structures that grow, by their shapes, with a number for %d. Others have what the
// model requires. In the name of a shape, what follows a blank tells several bases from each other.
var bases = map[string]string{
	"Tag":                 `{"Key":"a%d","Value":"v"}`,
	"AttributeDefinition": `{"AttributeName":"a%d","AttributeType":"S"}`,
	"CreateTableInput": `{"TableName":"new","BillingMode":"PAY_PER_REQUEST","AttributeDefinitions":[{"AttributeName":"a0","AttributeType":"S"}],` +
		`"KeySchema":[{"AttributeName":"a0","KeyType":"HASH"}]}`,
	"TableCreationParameters": `{"TableName":"new","BillingMode":"PAY_PER_REQUEST","AttributeDefinitions":[{"AttributeName":"a0","AttributeType":"S"}],` +
		`"KeySchema":[{"AttributeName":"a0","KeyType":"HASH"}]}`,
	"UpdateTableInput": `{"TableName":"table","AttributeDefinitions":[{"AttributeName":"a0","AttributeType":"S"}],` +
		`"GlobalSecondaryIndexUpdates":[{"Create":{"IndexName":"i","KeySchema":[{"AttributeName":"a0","KeyType":"HASH"}],"Projection":{"ProjectionType":"ALL"}}}]}`,
	"UpdateTableInput of old":    `{"TableName":"table"}`,
	"KeySchemaElement":           `{"AttributeName":"a%d","KeyType":"HASH"}`,
	"WriteRequest":               `{"PutRequest":{"Item":{"pk":{"S":"a%d"}}}}`,
	"TransactWriteItem":          `{"Put":{"TableName":"table","Item":{"pk":{"S":"a%d"}}}}`,
	"GlobalSecondaryIndexUpdate": `{"Delete":{"IndexName":"index%d"}}`,
	"VectorIndexUpdate":          `{"Delete":{"IndexName":"index%d"}}`,
	"ReplicationGroupUpdate":     `{"Create":{"RegionName":"us-west-2"}}`,
	"QueryInput":                 `{"TableName":"table","KeyConditionExpression":"pk = :v0","ExpressionAttributeValues":{":v0":{"S":"a"}}}`,
	"QueryInput of old":          `{"TableName":"table","KeyConditions":{"pk":{"ComparisonOperator":"EQ","AttributeValueList":[{"S":"a"}]}}}`,
	"ScanInput":                  `{"TableName":"table","FilterExpression":"a <> :v0","ExpressionAttributeValues":{":v0":{"S":"a"}}}`,
	"ScanInput of old":           `{"TableName":"table"}`,
	"PutItemInput":               `{"TableName":"table","Item":{"pk":{"S":"b"}},"ConditionExpression":"a <> :v0","ExpressionAttributeValues":{":v0":{"S":"a"}}}`,
	"PutItemInput of old":        `{"TableName":"table","Item":{"pk":{"S":"b"}}}`,
	"UpdateItemInput":            `{"TableName":"table","Key":{"pk":{"S":"b"}},"UpdateExpression":"SET a = :v0","ExpressionAttributeValues":{":v0":{"S":"a"}}}`,
	"UpdateItemInput of old":     `{"TableName":"table","Key":{"pk":{"S":"b"}}}`,
	"ExpectedAttributeValue":     `{"ComparisonOperator":"EQ","AttributeValueList":[{"S":"a"}]}`,
	"AttributeValueUpdate":       `{"Action":"PUT","Value":{"S":"a"}}`,
	"Condition":                  `{"ComparisonOperator":"EQ","AttributeValueList":[{"S":"a"}]}`,
	"CreateGlobalTableInput":     `{"GlobalTableName":"table","ReplicationGroup":[{"RegionName":"us-east-1"}]}`,
	"Replica":                    `{"RegionName":"us-east-%d"}`,
	"ExecuteStatementInput":      `{"Statement":"SELECT * FROM table WHERE pk = ?","Parameters":[{"S":"a"}]}`,
}

// newGrowthTest returns a service that does all that it can for a request: it also finds the values
// of each context key. None of them denies it.
func newGrowthTest(t *testing.T) *requestTest {
	statements := []string{allow("*", "*")}
	for _, key := range []string{"dynamodb:LeadingKeys", "dynamodb:SecondPartitionKeyValues",
		"dynamodb:Attributes", "dynamodb:Select", "dynamodb:ReturnValues", "aws:TagKeys",
		"aws:RequestTag/none", "aws:ResourceTag/none", "dynamodb:FullTableScan"} {
		statements = append(statements,
			deny("*", "*", `"Condition":{"ForAnyValue:StringLike":{"`+key+`":"nobody*"}}`))
	}
	d, err := iam.Parse([]byte(
		`{"accessKeys":{"AKIDEXAMPLE":{"account":"000000000000","user":"u","policies":["all"]}},` +
			`"policies":{"all":` + policyOf(statements...) + `}}`))
	require.NoError(t, err)
	x := &requestTest{T: t, emulator: New(WithIAM(d), WithBuckets(newMemoryBuckets()))}
	x.do("CreateTable", tableRequest("table", defs("pk"), keySchema("pk"), onDemandBilling,
		`"StreamSpecification":{"StreamEnabled":true,"StreamViewType":"NEW_AND_OLD_IMAGES"}`))
	x.do("PutItem", `{"TableName":"table","Item":{"pk":{"S":"a"}}}`)
	return x
}

// cost returns how long a fork with an observer computes for a request.
func (x *requestTest) cost(o *serve.Operation, body string) time.Duration {
	f := x.emulator.Fork(WithObserver(func(e *Event) {
		e.Partitions()
		e.Gets()
		e.Items()
	}))
	r := rawRequest(o.Name, body, header("X-Amz-Target", o.Target()),
		scoped("AKIDEXAMPLE/20260102/us-east-1"))
	begin := growth.CPU()
	f.Handler().ServeHTTP(httptest.NewRecorder(), r)
	return growth.CPU() - begin
}

// TestCostsGrowWithRequests: no member of a request of any operation makes it cost more than its
// length is worth. A member that a newer model brings is tested by itself.
func TestCostsGrowWithRequests(t *testing.T) {
	switch {
	case os.Getenv("TEST_FULL") == "":
		t.Skip("it is slow: run it with TEST_FULL=true")
	case httpd.RaceDetector:
		t.Skip("the race detector changes what requests cost")
	}
	x := newGrowthTest(t)
	var table growth.Table
	defer func() { t.Logf("the widest growth of each operation:\n%s", &table) }()
	for _, o := range operations {
		t.Run(o.Name, func(t *testing.T) {
			var g growers
			g.walk(o.Name, o.Name, o.Input, func(v any) any { return v })
			for i := range g {
				costs, tooFast := growth.Measure(
					func(n int) time.Duration { return x.cost(&o, g[i].body(t, n)) })
				table.Add(o.Name, g[i].path, costs)
				assert.False(t, tooFast, "%s costs %v for the sizes %v", g[i].path, costs,
					growth.Sizes)
			}
		})
	}
}
