package isolation

import (
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/conventions/catalog"
	"github.com/kugiri-db/kugiri/conventions/policy/policyfile"
	"github.com/kugiri-db/kugiri/emulator"
)

// What a caller who is of no privileged tenant gets of an operation.
const (
	bounded  = "its own items, and shared ones" // other keys break tenant-crossing or tenant-scan
	filtered = "what is of the tables that it may use, without what is another tenant's"
	settings = "settings, which are the same for all tenants"
)

// tenantsGet says it of each operation that is not refused. What is read or written as a whole
// (exports, imports, backups, restores, insights, Kinesis) is of all tenants: on the service, their
// credentials would have no permission for it.
var tenantsGet = map[string]string{
	"BatchExecuteStatement": bounded, "BatchGetItem": bounded, "BatchWriteItem": bounded,
	"DeleteItem": bounded, "ExecuteStatement": bounded, "ExecuteTransaction": bounded,
	"GetItem": bounded, "PutItem": bounded, "Query": bounded, "Scan": bounded,
	"SearchVectors": bounded, "TransactGetItems": bounded, "TransactWriteItems": bounded,
	"UpdateItem": bounded,

	"ListTables": filtered, "DescribeTable": filtered, "ListStreams": filtered,
	"DescribeStream": filtered, "GetShardIterator": filtered, "GetRecords": filtered,

	"DescribeEndpoints": settings, "DescribeLimits": settings, "DescribeTimeToLive": settings,
}

const operationsPolicy = `
tenants: {callers: {AK1: tenant001, AK2: tenant002, OPS: ops}, privileged: [ops]}
tables:
  - {name: data, role: plain, entities: [{name: order, prefix: ORDER, sort: "{order}"}],
      indexes: [{name: near, key: {partition: near}, tenant: required}]}
  - {name: other, role: plain, tenant: common}
`

// operationsWorld is a server with an item of each tenant, and a stream.
type operationsWorld struct {
	*emulator.Emulator
	t *testing.T
}

func (w operationsWorld) ask(key, operation, body string) (answer string) {
	o, ok := catalog.Named(operation)
	require.True(w.t, ok, operation)
	r, err := http.NewRequestWithContext(w.t.Context(), http.MethodPost, "http://localhost",
		strings.NewReader(body))
	require.NoError(w.t, err)
	r.Header.Set("Content-Type", "application/x-amz-json-1.0")
	r.Header.Set("X-Amz-Target", o.Target())
	got, err := w.HTTPClient(key, "us-east-1").Do(r)
	require.NoError(w.t, err)
	defer func() { _ = got.Body.Close() }()
	text, err := io.ReadAll(got.Body)
	require.NoError(w.t, err)
	return string(text)
}

func newOperationsWorld(t *testing.T) (w operationsWorld, stream string) {
	engine, err := policyfile.Compile([]byte(operationsPolicy))
	require.NoError(t, err)
	w = operationsWorld{emulator.New(emulator.WithPolicy(engine), emulator.WithSharedData()), t}
	created := w.ask("OPS", "CreateTable", `{"TableName":"data","BillingMode":"PAY_PER_REQUEST",
		"AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"},
			{"AttributeName":"sk","AttributeType":"S"},
			{"AttributeName":"near","AttributeType":"S"}],
		"KeySchema":[{"AttributeName":"pk","KeyType":"HASH"},
			{"AttributeName":"sk","KeyType":"RANGE"}],
		"VectorIndexes":[{"IndexName":"near","VectorAttribute":{"AttributeName":"v"},
			"Projection":{"ProjectionType":"ALL"},"Dimensions":1,"DistanceFunction":"EUCLIDEAN",
			"SearchSchema":[{"AttributeName":"near","SearchSchemaElementType":"HASH"}]}],
		"StreamSpecification":{"StreamEnabled":true,"StreamViewType":"NEW_AND_OLD_IMAGES"}}`)
	var out struct {
		TableDescription struct{ LatestStreamArn string }
	}
	require.NoError(t, json.Unmarshal([]byte(created), &out))
	for key, tenant := range map[string]string{"AK1": "tenant001", "AK2": "tenant002"} {
		answer := w.ask(key, "PutItem", `{"TableName":"data","Item":{"pk":{"S":"ORDER#`+tenant+
			`"},"sk":{"S":"1"},"secret":{"S":"secret of `+tenant+`"}}}`)
		require.NotContains(t, answer, "__type")
	}
	return w, out.TableDescription.LatestStreamArn
}

// TestOperationsOfTenants checks what a tenant gets of each operation that there is. A new
// operation fails it unless it is refused or tenantsGet says what a tenant gets of it.
func TestOperationsOfTenants(t *testing.T) {
	asked := map[string]string{}
	w, stream := newOperationsWorld(t)
	for _, p := range onTable("data", stream) {
		body, err := json.Marshal(p.body)
		require.NoError(t, err)
		asked[p.operation] = string(body)
	}
	for name, body := range itemsOfAnother(t, w, stream) {
		asked[name] = body
	}
	for o := range catalog.All() {
		t.Run(o.Name, func(t *testing.T) {
			require.NotEmpty(t, asked[o.Name], "ask for it")
			answer := w.ask("AK1", o.Name, asked[o.Name])
			assert.NotContains(t, answer, "secret of tenant002")
			switch tenantsGet[o.Name] {
			case bounded:
				assert.Regexp(t, `tenant-(crossing|scan)`, answer)
			case filtered, settings:
				assert.NotContains(t, answer, "__type")
			default:
				assert.Contains(t, answer, "tenant-operation: "+o.Name+" works on tables")
			}
			assert.NotContains(t, w.ask("OPS", "DescribeTable", `{"TableName":"data"}`), "__type")
		})
	}
	for name := range tenantsGet {
		_, ok := catalog.Named(name)
		assert.True(t, ok, name)
	}
}

// itemsOfAnother are requests for an item of tenant002, and for the records of the stream.
func itemsOfAnother(t *testing.T, w operationsWorld, stream string) map[string]string {
	const (
		key       = `{"pk":{"S":"ORDER#tenant002"},"sk":{"S":"1"}}`
		on        = `"TableName":"data"`
		put       = `{"pk":{"S":"ORDER#tenant002"},"sk":{"S":"2"}}`
		selection = `{"Statement":"SELECT * FROM data WHERE pk = 'ORDER#tenant002' AND sk = '1'"}`
	)
	var described struct {
		StreamDescription struct {
			Shards []struct {
				ShardID string `json:"ShardId"`
			}
		}
	}
	require.NoError(t, json.Unmarshal([]byte(w.ask("AK1", "DescribeStream",
		`{"StreamArn":"`+stream+`"}`)), &described))
	require.NotEmpty(t, described.StreamDescription.Shards)
	iterator := `{"StreamArn":"` + stream + `","ShardIteratorType":"TRIM_HORIZON","ShardId":"` +
		described.StreamDescription.Shards[0].ShardID + `"}`
	var got struct{ ShardIterator string }
	require.NoError(t, json.Unmarshal([]byte(w.ask("AK2", "GetShardIterator", iterator)), &got))
	return map[string]string{
		"GetItem":               `{` + on + `,"Key":` + key + `}`,
		"PutItem":               `{` + on + `,"Item":` + put + `}`,
		"UpdateItem":            `{` + on + `,"Key":` + key + `,"UpdateExpression":"SET a = pk"}`,
		"DeleteItem":            `{` + on + `,"Key":` + key + `}`,
		"BatchGetItem":          `{"RequestItems":{"data":{"Keys":[` + key + `]}}}`,
		"BatchWriteItem":        `{"RequestItems":{"data":[{"PutRequest":{"Item":` + put + `}}]}}`,
		"TransactGetItems":      `{"TransactItems":[{"Get":{` + on + `,"Key":` + key + `}}]}`,
		"TransactWriteItems":    `{"TransactItems":[{"Delete":{` + on + `,"Key":` + key + `}}]}`,
		"ExecuteStatement":      selection,
		"BatchExecuteStatement": `{"Statements":[` + selection + `]}`,
		"ExecuteTransaction":    `{"TransactStatements":[` + selection + `]}`,
		"Scan":                  `{` + on + `}`,
		"Query": `{` + on + `,"KeyConditionExpression":"pk = :p",` +
			`"ExpressionAttributeValues":{":p":{"S":"ORDER#tenant002"}}}`,
		"SearchVectors": `{` + on + `,"IndexName":"near","SearchVector":[{"N":"1"}],"TopK":1,` +
			`"SearchConditionExpression":"near = :p",` +
			`"ExpressionAttributeValues":{":p":{"S":"NEAR#tenant002"}}}`,
		// the iterator is that of another tenant
		"GetRecords":       `{"ShardIterator":"` + got.ShardIterator + `"}`,
		"GetShardIterator": iterator,
	}
}
