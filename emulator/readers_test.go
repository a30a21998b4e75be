package emulator_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"maps"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/conventions/design/designfile"
	"github.com/kugiri-db/kugiri/conventions/design/source"
	"github.com/kugiri-db/kugiri/conventions/mask"
	"github.com/kugiri-db/kugiri/conventions/policy/policyfile"
	"github.com/kugiri-db/kugiri/conventions/policy/request"
	"github.com/kugiri-db/kugiri/conventions/pricing"
	"github.com/kugiri-db/kugiri/emulator"
	"github.com/kugiri-db/kugiri/emulator/admin"
	"github.com/kugiri-db/kugiri/emulator/bucket"
	"github.com/kugiri-db/kugiri/emulator/explore/search"
	"github.com/kugiri-db/kugiri/emulator/fault"
	"github.com/kugiri-db/kugiri/emulator/iam"
	"github.com/kugiri-db/kugiri/emulator/seed"
	"github.com/kugiri-db/kugiri/emulator/traffic/patternfile"
	"github.com/kugiri-db/kugiri/emulator/traffic/races"
	"github.com/kugiri-db/kugiri/emulator/transfers"
	"github.com/kugiri-db/kugiri/emulator/trigger"
	"github.com/kugiri-db/kugiri/storage/growth"
)

// TestReadersCostWhatTheyRead: nothing that arrives by HTTP or in a file of this module costs more
// than it weighs.
func TestReadersCostWhatTheyRead(t *testing.T) {
	growth.Weigh(t, slices.Concat(requestReaders(t), settingReaders, dataReaders))
}

const (
	onTable  = `{"TableName":"table",`
	allowing = `{"Effect":"Allow","Principal":"*","Action":"dynamodb:*","Resource":"*"}`
)

// operationInputs are requests by operation, each with a part that may be long.
var operationInputs = map[string][]growth.Input{
	"PutItem": slices.Concat(growth.AllText, []growth.Input{
		{Name: "attributes", Begin: onTable + `"Item":{"pk":{"S":"a"}`, More: `,"a%d":{"S":"v"}`,
			End: "}}"},
		{Name: "the same attribute", Begin: onTable + `"Item":{"pk":{"S":"a"}`,
			More: `,"a":{"S":"v"}`, End: "}}"},
		{Name: "nulls of a list", Begin: onTable + `"Item":{"pk":{"S":"a"},"l":{"L":[{"NULL":true}`,
			More: `,{"NULL":true}`, End: "]}}}"},
		{Name: "empty maps of a list", Begin: onTable + `"Item":{"pk":{"S":"a"},"l":{"L":[{"M":{}}`,
			More: `,{"M":{}}`, End: "]}}}"},
		{Name: "lists in lists", Begin: onTable + `"Item":{"pk":{"S":"a"},"l":`, More: `{"L":[`},
		{Name: "a set", Begin: onTable + `"Item":{"pk":{"S":"a"},"s":{"NS":["0"`, More: `,"%d"`,
			End: "]}}}"},
		{Name: "a binary", Begin: onTable + `"Item":{"pk":{"S":"a"},"b":{"B":"`, More: "AAAA",
			End: `"}}}`},
		{Name: "names", Begin: onTable + `"Item":{"pk":{"S":"a"}},"ExpressionAttributeNames":{"#a":"a"`,
			More: `,"#a%d":"a"`, End: "}}"},
		{Name: "values", Begin: onTable +
			`"Item":{"pk":{"S":"a"}},"ExpressionAttributeValues":{":a":{"S":""}`,
			More: `,":a%d":{"S":""}`, End: "}}"},
		{Name: "a condition", Begin: onTable +
			`"Item":{"pk":{"S":"a"}},"ConditionExpression":"a = a`, More: " AND a = a", End: `"}`},
		{Name: "what is expected", Begin: onTable + `"Item":{"pk":{"S":"a"}},"Expected":{"a":{}`,
			More: `,"a%d":{}`, End: "}}"},
	}),
	"BatchWriteItem": {
		{Name: "puts", Begin: `{"RequestItems":{"table":[{"PutRequest":{"Item":{}}}`,
			More: `,{"PutRequest":{"Item":{}}}`, End: "]}}"},
		{Name: "empty requests", Begin: `{"RequestItems":{"table":[{}`, More: ",{}", End: "]}}"},
		{Name: "tables", Begin: `{"RequestItems":{"table":[]`, More: `,"t%d":[]`, End: "}}"},
		{Name: "large items", Begin: `{"RequestItems":{"table":[`, Of: largeItems},
	},
	"BatchGetItem": {
		{Name: "keys", Begin: `{"RequestItems":{"table":{"Keys":[{}`, More: ",{}", End: "]}}}"},
		{Name: "tables", Begin: `{"RequestItems":{"table":{}`, More: `,"t%d":{}`, End: "}}"},
	},
	"TransactWriteItems": {
		{Name: "actions", Begin: `{"TransactItems":[{}`, More: ",{}", End: "]}"},
		{Name: "puts", Begin: `{"TransactItems":[{"Put":{"TableName":"table","Item":{}}}`,
			More: `,{"Put":{"TableName":"table","Item":{}}}`, End: "]}"},
	},
	"UpdateItem": {
		{Name: "assignments", Begin: onTable +
			`"Key":{"pk":{"S":"a"}},"UpdateExpression":"SET a = a`, More: ", a%d = a", End: `"}`},
		{Name: "updates", Begin: onTable + `"Key":{"pk":{"S":"a"}},"AttributeUpdates":{"a":{}`,
			More: `,"a%d":{}`, End: "}}"},
	},
	"Query": {
		{Name: "a filter", Begin: onTable + `"FilterExpression":"a = a`, More: " OR a = a",
			End: `"}`},
		{Name: "brackets of a filter", Begin: onTable + `"FilterExpression":"`, More: "(",
			End: `"}`},
		{Name: "attributes to get", Begin: onTable + `"AttributesToGet":["a"`, More: `,"a%d"`,
			End: "]}"},
		{Name: "conditions", Begin: onTable + `"KeyConditions":{"a":{}`, More: `,"a%d":{}`,
			End: "}}"},
		{Name: "a start key", Begin: onTable + `"ExclusiveStartKey":{"a":{"S":""}`,
			More: `,"a%d":{"S":""}`, End: "}}"},
	},
	"ExecuteStatement": {
		{Name: "alternatives", Begin: `{"Statement":"SELECT * FROM table WHERE pk = '1'`,
			More: " OR pk = '1'", End: `"}`},
		{Name: "negations", Begin: `{"Statement":"SELECT * FROM table WHERE `, More: "NOT ",
			End: `a = 1"}`},
		{Name: "lists", Begin: `{"Statement":"INSERT INTO table VALUE {'pk':'a','l':`, More: "[",
			End: `"}`},
		{Name: "members", Begin: `{"Statement":"INSERT INTO table VALUE {'pk':'a'`,
			More: ",'a%d':1", End: `}"}`},
		{Name: "parameters", Begin: `{"Statement":"SELECT * FROM table","Parameters":[{"S":""}`,
			More: `,{"S":""}`, End: "]}"},
		{Name: "a word", Begin: `{"Statement":"`, More: "x", End: `"}`},
	},
	"CreateTable": {
		{Name: "definitions", Begin: onTable + `"AttributeDefinitions":[{}`, More: ",{}",
			End: "]}"},
		{Name: "indexes", Begin: onTable + `"GlobalSecondaryIndexes":[{}`, More: ",{}", End: "]}"},
		{Name: "tags", Begin: onTable + `"Tags":[{"Key":"a","Value":""}`,
			More: `,{"Key":"a%d","Value":""}`, End: "]}"},
	},
	"PutResourcePolicy": {
		{Name: "statements", Begin: `{"ResourceArn":"arn:aws:dynamodb:us-east-1:000000000000:table/table","Policy":"`,
			More: strings.ReplaceAll(allowing, `"`, `\"`), End: `"}`},
	},
}

// largeItems returns puts of items that have 399 KB.
func largeItems(bytes int) []byte {
	each := `{"PutRequest":{"Item":{"pk":{"S":"%d"},"a":{"S":"` + strings.Repeat("x", 399<<10) +
		`"}}}},`
	return []byte(growth.Text(`{"RequestItems":{"table":[`, each,
		`{"PutRequest":{"Item":{}}}]}}`, max(1, bytes/len(each))))
}

// requestReaders are those of requests to a server.
func requestReaders(t *testing.T) (list []growth.Reader) {
	h := emulator.New(emulator.WithBuckets(nil), admin.Enable(admin.Options{})).Handler()
	send := func(method, path string, body []byte, headers ...string) {
		r := httptest.NewRequest(method, path, bytes.NewReader(body))
		r.Host, r.RemoteAddr = "localhost", "127.0.0.1:1"
		r.Header.Set("Authorization", "AWS4-HMAC-SHA256 "+
			"Credential=any/20260101/us-east-1/dynamodb/aws4_request, SignedHeaders=host, Signature=0")
		for i := 0; i < len(headers); i += 2 {
			r.Header.Set(headers[i], headers[i+1])
		}
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		require.NotContains(t, []int{403, 404, 415}, w.Code, "%.300s", w.Body)
	}
	call := func(operation string, body []byte, headers ...string) {
		send("POST", "/", body, append(headers, "X-Amz-Target", "DynamoDB_20120810."+operation,
			"Content-Type", "application/x-amz-json-1.0")...)
	}
	call("CreateTable", []byte(onTable+`"BillingMode":"PAY_PER_REQUEST","AttributeDefinitions":`+
		`[{"AttributeName":"pk","AttributeType":"S"}],`+
		`"KeySchema":[{"AttributeName":"pk","KeyType":"HASH"}]}`))
	send("POST", "/_kugiri/traffic", nil)
	for _, operation := range slices.Sorted(maps.Keys(operationInputs)) {
		list = append(list, growth.Reader{Name: operation,
			Packages: []string{"emulator", "conventions/wire", "emulator/internal/serve",
				"emulator/internal/feature/items", "emulator/internal/feature/statements",
				"expr/partiql", "storage/item", "storage/item/jsontext"},
			Read:   func(text []byte) { call(operation, text) },
			Inputs: operationInputs[operation]})
	}
	compressed := growth.Reader{Name: "compressed bodies",
		Packages: []string{"emulator/internal/httpd"},
		Read:     func(text []byte) { call("PutItem", text, "Content-Encoding", "gzip") },
		Inputs: []growth.Input{
			{Name: "zeros", Of: func(bytes int) []byte { return zipped("\x00", bytes) }},
			{Name: "an item", Of: func(bytes int) []byte { return zipped(`{"Item":`, bytes) }},
			{Name: "no gzip", More: "\x1f\x8b"}}}
	bodies := growth.Reader{Name: "the admin API", Most: 1 << 20,
		Packages: []string{"emulator/admin"}, Inputs: slices.Concat(growth.AllText, []growth.Input{
			{Name: "faults", Begin: "[", More: `{"do":"throttle"},`, End: `{"do":"throttle"}]`},
			{Name: "workers", Begin: `{"name":"n","workers":[`, More: `{"name":"w%d"},`,
				End: `{"name":"w"}]}`},
			{Name: "patterns", Begin: `{"patterns":[`, More: `{"name":"p%d","table":"table"},`,
				End: `{"name":"p","table":"table"}]}`},
		})}
	bodies.Read = func(text []byte) {
		for _, to := range []string{"PUT faults", "POST explain", "POST traffic/cost",
			"POST explorations", "POST compare"} {
			method, path, _ := strings.Cut(to, " ")
			send(method, "/_kugiri/"+path, text, "Content-Type", "application/json")
		}
	}
	return append(list, compressed, bodies)
}

// zipped compresses a text that is 1,000 times as long, as gzip does it at best.
func zipped(text string, bytes int) []byte {
	var b strings.Builder
	z := gzip.NewWriter(&b)
	part := []byte(strings.Repeat(text, 1<<20/len(text)))
	for range max(1, bytes/1024) {
		z.Write(part)
	}
	z.Close()
	return []byte(b.String())
}

const entity = `{name: e, prefix: E, sort: "{e:ulid}"}`

// settingReaders are those of what people write.
var settingReaders = []growth.Reader{
	{Name: "policies", Most: 1 << 20,
		Packages: []string{"conventions/policy", "conventions/policy/policyfile",
			"conventions/internal/fields"},
		Read: func(text []byte) { policyfile.Compile(text) },
		Inputs: slices.Concat(growth.AllYAML, []growth.Input{
			{Name: "tables", Begin: "tables: [",
				More: `{name: t%d, role: data, entities: [` + entity + `]},`, End: "]"},
			{Name: "entities", Begin: "tables: [{name: t, role: data, entities: [",
				More: `{name: e%d, prefix: E%[1]d, sort: "{e:ulid}"},`, End: entity + "]}]"},
			{Name: "tenants", Begin: "tenants: {known: [", More: "t%d, ", End: "t]}"},
		})},
	{Name: "designs", Most: 1 << 20,
		Packages: []string{"conventions/design/designfile"},
		Read: func(text []byte) {
			designfile.Plan(text)
			designfile.Values(text)
			designfile.Edit(text,
				[]designfile.Change{{Path: "models[0].name", Value: []byte(`"x"`)}})
		},
		Inputs: slices.Concat(growth.AllYAML, []growth.Input{
			{Name: "models", Begin: "table: tab\nmodels:\n",
				More: "  - {name: M%d, key: [id], attributes: [id]}\n"},
			{Name: "attributes",
				Begin: "table: tab\nmodels:\n  - {name: M, key: [id], attributes: [id, ",
				More:  "a%d, ", End: "z]}\n"},
			{Name: "patterns",
				Begin: "table: tab\nmodels:\n  - {name: M, key: [id], attributes: [id]}\npatterns:\n",
				More:  "  - {name: p%d, model: M, equal: [id]}\n"},
		})},
	{Name: "models of other tools", Most: 1 << 20,
		Packages: []string{"conventions/design/source"},
		Read:     func(text []byte) { source.Read(text, source.Options{}) },
		Inputs: slices.Concat(growth.AllText, []growth.Input{
			{Name: "models of OneTable", Begin: `{"format":"onetable:1.1.0","models":{`,
				More: `"M%d":{"pk":{"type":"String","value":"${id}"},"id":{"type":"String"}},`,
				End:  `"M":{"pk":{"type":"String"}}}}`},
			{Name: "references", Begin: `{"format":"onetable:1.1.0","models":{"M":{"pk":` +
				`{"type":"String","value":"`, More: `${id}#`, End: `"},"id":{"type":"String"}}}}`},
			{Name: "tables of Workbench", Begin: `{"ModelName":"m","DataModel":[`,
				More: `{"TableName":"t%d","KeyAttributes":{"PartitionKey":{"AttributeName":"a","AttributeType":"S"}}},`,
				End:  `{"TableName":"t"}]}`},
		})},
	{Name: "masks", Most: 1 << 20, Packages: []string{"conventions/mask"},
		Read: func(text []byte) { mask.Parse(text) }, Inputs: growth.AllYAML},
	{Name: "prices", Packages: []string{"conventions/pricing"},
		Read: func(text []byte) { pricing.Parse(text) }, Inputs: growth.AllText},
	{Name: "access patterns", Most: 1 << 20, Packages: []string{"emulator/traffic/patternfile"},
		Read: func(text []byte) { patternfile.Read(bytes.NewReader(text)) },
		Inputs: slices.Concat(growth.AllYAML, []growth.Input{
			{Name: "patterns", Begin: "patterns:\n", More: "  - {name: p%d, table: t}\n"},
		})},
	{Name: "rights", Packages: []string{"emulator/iam", "storage/jsontree"},
		Read: func(text []byte) { iam.Parse(text) },
		Inputs: slices.Concat(growth.AllText, []growth.Input{
			{Name: "access keys", Begin: `{"accessKeys":{`,
				More: `"A%d":{"account":"000000000000","user":"u"},`,
				End:  `"A":{"account":"000000000000","user":"u"}}}`},
			{Name: "statements", Begin: `{"policies":{"p":{"Version":"2012-10-17","Statement":[`,
				More: allowing + ",", End: allowing + "]}}}"},
			{Name: "a long name around members", Of: func(bytes int) []byte {
				return []byte(growth.Text(`{"policies":{"`+strings.Repeat("x", bytes/2)+
					`":{"Statement":[{}`, ",{}", "]}}}", bytes/6))
			}},
			{Name: "actions", Begin: `{"policies":{"p":{"Version":"2012-10-17","Statement":[` +
				`{"Effect":"Allow","Resource":"*","Action":[`, More: `"dynamodb:Get*",`,
				End: `"dynamodb:*"]}]}}}`},
		})},
	{Name: "faults", Most: 1 << 20, Packages: []string{"emulator/fault"},
		Read: func(text []byte) { fault.Parse(text) }, Inputs: growth.AllText},
	{Name: "mappings of triggers", Most: 1 << 20, Packages: []string{"emulator/trigger"},
		Read: func(text []byte) { trigger.ParseMapping("t", string(text)) },
		Inputs: slices.Concat(growth.AllText, []growth.Input{
			{Name: "filters", Begin: `{"FilterCriteria":{"Filters":[`, More: `{"Pattern":"{}"},`,
				End: `{}]}}`},
		})},
}

// lines are those of recordings.
const exchange = `{"operation":"%s","request":{"TableName":"t","Key":{"pk":{"S":"a"}}},"answer":{},` +
	`"status":200,"time":"2026-01-02T03:04:05Z","took":1,` +
	`"items":[{"table":"t","key":{"pk":{"S":"%s"}}}]}` + "\n"

const touched = `{"table":"t","key":{}}`

// dataReaders are those of what programs write.
var dataReaders = []growth.Reader{
	{Name: "seeds", Packages: []string{"emulator/seed"},
		Read: func(text []byte) {
			if d, err := seed.Read("t.json", bytes.NewReader(text)); err == nil {
				d.Definitions()
			}
		},
		Inputs: slices.Concat(growth.AllText, []growth.Input{
			{Name: "items", More: `{"a":{"S":""}}`},
			{Name: "tables", More: `{"TableName":"t%d","KeySchema":0}`},
			{Name: "requests", Begin: `{"t":[`, More: `{"PutRequest":{"Item":{}}},`,
				End: `{"DeleteRequest":{"Key":{}}}]}`},
		})},
	{Name: "recordings", Packages: []string{"emulator/traffic/races"},
		Read: func(text []byte) {
			if recording, err := races.Read(bytes.NewReader(text)); err == nil {
				races.Find(recording)
			}
		},
		Inputs: slices.Concat(growth.AllText, []growth.Input{
			{Name: "empty requests", More: `{"operation":"GetItem","request":{}}` + "\n"},
			{Name: "gets", More: fmt.Sprintf(exchange, "GetItem", "a%d")},
			{Name: "puts", More: fmt.Sprintf(exchange, "PutItem", "a%d")},
			{Name: "puts of an item", More: fmt.Sprintf(exchange, "PutItem", "a")},
			{Name: "gets and puts of an item", More: fmt.Sprintf(exchange, "GetItem", "a") +
				fmt.Sprintf(exchange, "PutItem", "a")},
			{Name: "touched items", Begin: `{"operation":"GetItem","request":{},"items":[` + touched,
				More: "," + touched, End: "]}"},
			{Name: "empty items", Begin: `{"operation":"GetItem","request":{},"items":[{}`,
				More: ",{}", End: "]}"},
		})},
	{Name: "reports of searches", Packages: []string{"emulator/explore/search"},
		Read: func(text []byte) {
			if list, err := search.ReadReports(bytes.NewReader(text)); err == nil {
				search.Merge(list)
			}
		},
		Inputs: slices.Concat(growth.AllText, []growth.Input{
			{Name: "reports", More: `{"name":"n%d","part":{"number":1,"of":2}}` + "\n"},
			{Name: "the same report", More: `{"name":"n","part":{"number":1,"of":2}}` + "\n"},
			{Name: "failures", Begin: `{"name":"n","part":{"number":1,"of":1},"failures":[{}`,
				More: ",{}", End: "]}"},
		})},
	objectReader("DYNAMODB_JSON", []growth.Input{
		{Name: "records", More: `{"Item":{"pk":{"S":"a"}}}` + "\n"},
		{Name: "attributes", Begin: `{"Item":{"a":{"S":"v"}`, More: `,"a%d":{"S":"v"}`,
			End: "}}"}}),
	objectReader("CSV", []growth.Input{
		{Name: "columns", Begin: "pk", More: ",c%d", End: "\na\n"},
		{Name: "records", Begin: "pk\n", More: "a\n"},
		{Name: "quotes", Begin: "pk\n\"", More: `""`, End: "\"\n"},
		{Name: "commas", Begin: "pk,v\n", More: ","}}),
	objectReader("ION", []growth.Input{
		{Name: "records", More: `{Item:{pk:"a"}}` + "\n"},
		{Name: "attributes", Begin: `{Item:{a:"v"`, More: `,a%d:"v"`, End: "}}"},
		{Name: "annotations", Begin: `{Item:{a:`, More: "b::", End: `"c"}}`},
		{Name: "symbols", Begin: `$ion_symbol_table::{symbols:["a"`, More: `,"b%d"`, End: "]}"},
		{Name: "lists", Begin: `{Item:{l:[1.`, More: ",1.", End: "]}}"}}),
	{Name: "answers of functions", Most: trigger.MaxEvent,
		Packages: []string{"emulator/trigger"},
		Read:     answerOfFunction,
		Inputs: slices.Concat(growth.AllText, []growth.Input{
			{Name: "failures of the last record", Begin: `{"batchItemFailures":[`,
				More: `{"itemIdentifier":"9999"},`, End: `{"itemIdentifier":"9999"}]}`},
			{Name: "empty failures", Begin: `{"batchItemFailures":[`, More: "{},", End: "{}]}"},
			{Name: "failures of other records", Begin: `{"batchItemFailures":[`,
				More: `{"itemIdentifier":"x%d"},`, End: `{}]}`},
		})},
	{Name: "requests that a policy judges",
		Packages: []string{"conventions/policy/request", "conventions/internal/verdict"},
		Read:     func(text []byte) { request.FromJSON("PutItem", text) },
		Inputs: append(slices.Clone(growth.AllText), growth.Input{Name: "attributes",
			Begin: onTable + `"Item":{"pk":{"S":"a"}`, More: `,"a%d":{"S":"v"}`, End: "}}"})},
}

// objectReader returns that of the objects of an import in a format.
func objectReader(format string, more []growth.Input) growth.Reader {
	return growth.Reader{Name: "objects of an import, " + format,
		Packages: []string{"emulator/bucket"},
		Read: func(text []byte) {
			r, err := bucket.NewReader(&transfers.Source{Format: format}, bytes.NewReader(text))
			for err == nil {
				_, err = r.Next()
			}
		},
		Inputs: slices.Concat(growth.AllText, more)}
}

// answerOfFunction delivers a batch of 10,000 records to a function that answers with a text.
func answerOfFunction(text []byte) {
	m := trigger.NewMapping("t")
	m.BatchSize, m.MaxRetries, m.ReportBatchItemFailures = 10_000, 0, true
	f := func(context.Context, []byte) ([]byte, error) { return text, nil }
	tr, err := trigger.New(m, "f", f)
	if err != nil {
		panic(err)
	}
	batch := trigger.Batch{StreamARN: "a", ShardID: "s"}
	for i := range m.BatchSize {
		batch.Records = append(batch.Records,
			trigger.Record{SequenceNumber: fmt.Sprint(i), JSON: []byte("{}")})
	}
	ctx, cancel := context.WithCancel(context.Background())
	clock := trigger.Clock{Now: time.Now, Log: func(string, error) {},
		Sleep: func(context.Context, time.Duration) error { cancel(); return ctx.Err() }}
	tr.Deliver(ctx, clock, batch, func(string) error { return nil })
}
