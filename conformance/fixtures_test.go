package conformance

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/stretchr/testify/require"
)

// shapes are the tables that cases share, by name: the members of CreateTable except the table's
// name.
var shapes = map[string]string{
	"hash":  keys("pk:S"),
	"hashn": keys("pk:N"),
	"hashb": keys("pk:B"),
	"comp":  keys("pk:S", "sk:S"),
	"parts": keys("pk:S", "sk:S"),
	"compn": keys("pk:S", "sk:N"),
	"compb": keys("pk:S", "sk:B"),
	"local": keys("pk:S", "sk:S", "lk:S", "ln:N") + `,"LocalSecondaryIndexes":[` +
		index("lall", "ALL", "pk", "lk") + `,` + index("lkeys", "KEYS_ONLY", "pk",
		"lk") + `,` + index("linc", "INCLUDE inc", "pk", "ln") + `]`,
	"global": keys("pk:S", "sk:S", "gp:S", "gs:N", "gb:B") + `,"GlobalSecondaryIndexes":[` +
		index("gall", "ALL", "gp") + `,` + index("gkeys", "KEYS_ONLY", "gp",
		"gs") + `,` + index("ginc", "INCLUDE inc", "gp", "gs") + `,` + index("gbin", "ALL",
		"gb") + `]`,
	"vectors": keys("pk:S", "cat:S", "brand:S", "year:N") + `,"VectorIndexes":[` +
		vectorIndex("vcos", "COSINE", 4, "ALL", "cat:HASH") + `,` + vectorIndex("veuc", "EUCLIDEAN",
		4, "INCLUDE title", "cat:HASH", "brand:INLINE_FILTER", "year:INLINE_FILTER") + `,` +
		vectorIndex("vdot", "DOT_PRODUCT", 4, "KEYS_ONLY", "cat:HASH") + `]`,
	"vsized": keys("pk:S") + `,"VectorIndexes":[` +
		vectorIndex("vkey", "COSINE", 4, "KEYS_ONLY") + `,` + vectorIndex("vall", "COSINE", 4,
		"ALL") + `]`,
	"vlong": keys("pk:S") + `,"VectorIndexes":[` +
		vectorIndex("long", "COSINE", 1024, "INCLUDE title") + `]`,
	"multi": keys("pk:S", "a:S", "b:S", "c:N", "d:S") + `,"GlobalSecondaryIndexes":[` +
		`{"IndexName":"mall","KeySchema":[{"AttributeName":"a","KeyType":"HASH"},{"AttributeName":"b","KeyType":"HASH"},{"AttributeName":"c","KeyType":"RANGE"},{"AttributeName":"d","KeyType":"RANGE"}],"Projection":{"ProjectionType":"ALL"}}]`,
}

// keys returns attribute definitions for terms "name:type", and a key schema of the terms named pk
// and sk.
func keys(terms ...string) string {
	var definitions, schema []string
	for _, term := range terms {
		name, kind, _ := strings.Cut(term, ":")
		definitions = append(definitions,
			fmt.Sprintf(`{"AttributeName":%q,"AttributeType":%q}`, name, kind))
		switch name {
		case "pk":
			schema = append(schema, `{"AttributeName":"pk","KeyType":"HASH"}`)
		case "sk":
			schema = append(schema, `{"AttributeName":"sk","KeyType":"RANGE"}`)
		}
	}
	return `"BillingMode":"PAY_PER_REQUEST","AttributeDefinitions":[` +
		strings.Join(definitions, ",") + `],"KeySchema":[` + strings.Join(schema, ",") + `]`
}

// index returns the definition of an index with the projection "ALL", "KEYS_ONLY" or "INCLUDE a,b".
func index(name, projection string, attributes ...string) string {
	schema := `{"AttributeName":"` + attributes[0] + `","KeyType":"HASH"}`
	if len(attributes) > 1 {
		schema += `,{"AttributeName":"` + attributes[1] + `","KeyType":"RANGE"}`
	}
	return `{"IndexName":"` + name + `","KeySchema":[` + schema + `],"Projection":{` + projected(
		projection) + `}}`
}

// projected returns the members of a Projection: "ALL", or "INCLUDE a,b".
func projected(projection string) string {
	kind, names, some := strings.Cut(projection, " ")
	if !some {
		return `"ProjectionType":"` + kind + `"`
	}
	return `"ProjectionType":"` + kind + `","NonKeyAttributes":["` +
		strings.ReplaceAll(names, ",", `","`) + `"]`
}

// table is a table of the run.
type table struct {
	once sync.Once
	name string
	arn  string
}

var (
	fixtures     = map[string]*table{}
	fixturesLock sync.Mutex
)

// fixture returns the table of a shape. The first call makes it.
func fixture(t testing.TB, shape string) *table {
	fixturesLock.Lock()
	f := fixtures[shape]
	if f == nil {
		f = &table{name: runID + "-" + shape}
		fixtures[shape] = f
	}
	fixturesLock.Unlock()
	f.once.Do(func() { f.arn = create(t, f.name, shapes[shape]) })
	require.NotEmpty(t, f.arn, "table %s could not be made", f.name)
	return f
}

// newTable makes a table for one test. The run deletes it at its end.
func newTable(t testing.TB, definition string) *table {
	name := runID + "-" + newKey()
	return &table{name: name, arn: create(t, name, definition)}
}

// create makes a table, waits until it is active and returns its ARN.
func create(t testing.TB, name, definition string) string {
	if target.aws { // the tag tells the owner of the account where a leftover table comes from
		definition += `,"Tags":[{"Key":"kugiri-conformance","Value":"` + runID + `"}]`
	}
	_, err := send("CreateTable", `{"TableName":"`+name+`",`+definition+`}`, false)
	require.NoError(t, err, "creating %s", name)
	return waitActive(t, name)
}

func waitActive(t testing.TB, name string) string {
	waiter := dynamodb.NewTableExistsWaiter(
		target.client, func(o *dynamodb.TableExistsWaiterOptions) {
			o.MinDelay, o.MaxDelay = 50*time.Millisecond, 2*time.Second
		})
	out, err := waiter.WaitForOutput(context.Background(),
		&dynamodb.DescribeTableInput{TableName: aws.String(name)}, 5*time.Minute)
	require.NoError(t, err, "waiting for %s", name)
	return *out.Table.TableArn
}
