package soak

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/emulator"
	"github.com/kugiri-db/kugiri/emulator/bucket"
	"github.com/kugiri-db/kugiri/emulator/dax"
	"github.com/kugiri-db/kugiri/emulator/dax/cbor"
	"github.com/kugiri-db/kugiri/emulator/dax/protocol"
)

// changing is the load on tables that change meanwhile: they are deleted and made again, imported
// and restored, get indexes and lose them, and have streams or not.
type changing struct {
	*soak
	dax string // the address of a node

	mu       sync.Mutex
	accepted map[string]int // requests that were not refused, by operation
}

// names are those of the tables.
const names = 3

func nameOf(r *rand.Rand) string { return fmt.Sprint("tab", r.IntN(names)) }

// try sends a request that may be refused, but for no reason of the server's.
func (c *changing) try(operation, format string, args ...any) {
	_, err := c.direct.send(context.Background(), operation, fmt.Sprintf(format, args...))
	var refused refusal
	if errors.As(err, &refused) {
		assert.NotContains(c, string(refused), "InternalServerError", operation)
		return
	}
	if assert.NoError(c, err, operation) {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.accepted[operation]++
	}
}

const changingTable = `"BillingMode":"PAY_PER_REQUEST","AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"},` +
	`{"AttributeName":"sk","AttributeType":"N"},{"AttributeName":"g","AttributeType":"S"}],` +
	`"KeySchema":[{"AttributeName":"pk","KeyType":"HASH"},{"AttributeName":"sk","KeyType":"RANGE"}],` +
	`"GlobalSecondaryIndexes":[{"IndexName":"by-g","KeySchema":[{"AttributeName":"g","KeyType":"HASH"}],"Projection":{"ProjectionType":"ALL"}}]`

// change changes a table.
func (c *changing) change(r *rand.Rand) {
	name := nameOf(r)
	switch r.IntN(10) {
	case 0:
		c.try("DeleteTable", `{"TableName":"%s"}`, name)
	case 1, 2:
		c.try("CreateTable", `{"TableName":"%s",%s}`, name, changingTable)
	case 3:
		c.try("UpdateTable", `{"TableName":"%s","GlobalSecondaryIndexUpdates":[{"Delete":{"IndexName":"by-g"}}]}`,
			name)
	case 4:
		c.try("UpdateTable", `{"TableName":"%s","AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"},`+
			`{"AttributeName":"sk","AttributeType":"N"},{"AttributeName":"g","AttributeType":"S"}],`+
			`"GlobalSecondaryIndexUpdates":[{"Create":{"IndexName":"by-g","KeySchema":[`+
			`{"AttributeName":"g","KeyType":"HASH"}],"Projection":{"ProjectionType":"ALL"}}}]}`, name)
	case 5, 6:
		c.try("UpdateTable", `{"TableName":"%s","StreamSpecification":{"StreamEnabled":%v%s}}`, name,
			r.IntN(2) == 0, `,"StreamViewType":"NEW_AND_OLD_IMAGES"`)
		c.try("UpdateTable", `{"TableName":"%s","StreamSpecification":{"StreamEnabled":false}}`, name)
	case 7:
		c.try("ImportTable", `{"ClientToken":"%x","S3BucketSource":{"S3Bucket":"in","S3KeyPrefix":"src"},"InputFormat":"DYNAMODB_JSON",`+
			`"TableCreationParameters":{"TableName":"%s",%s}}`, r.Uint64(), name, changingTable)
	case 8:
		c.try("CreateBackup", `{"TableName":"%s","BackupName":"backup"}`, name)
	case 9:
		c.restore(name)
	}
}

// restore restores the latest backup to a table, and deletes the backup.
func (c *changing) restore(name string) {
	var list struct{ BackupSummaries []struct{ BackupArn string } }
	c.call("ListBackups", &list, `{}`)
	if len(list.BackupSummaries) > 0 {
		arn := list.BackupSummaries[len(list.BackupSummaries)-1].BackupArn
		c.try("RestoreTableFromBackup", `{"BackupArn":"%s","TargetTableName":"%s"}`, arn, name)
		c.try("DeleteBackup", `{"BackupArn":"%s"}`, arn)
	}
}

// write writes to a table.
func (c *changing) write(r *rand.Rand) {
	name, key := nameOf(r), randomKey(r)
	switch r.IntN(5) {
	case 0, 1:
		c.try("PutItem", `{"TableName":"%s","Item":%s}`, name, randomItem(r, key))
	case 2:
		c.try("DeleteItem", `{"TableName":"%s","Key":{%s}}`, name, key)
	case 3:
		c.try("TransactWriteItems", `{"TransactItems":[{"Put":{"TableName":"tab0","Item":%s}},`+
			`{"Put":{"TableName":"tab1","Item":%[1]s}}]}`, randomItem(r, key))
	case 4:
		c.try("BatchWriteItem", `{"RequestItems":{"%s":[{"PutRequest":{"Item":%s}}]}}`, name,
			randomItem(r, key))
	}
}

// read reads a table, its index or its stream.
func (c *changing) read(r *rand.Rand) {
	name := nameOf(r)
	switch r.IntN(4) {
	case 0:
		c.try("Scan", `{"TableName":"%s"}`, name)
	case 1:
		c.try("Scan", `{"TableName":"%s","IndexName":"by-g"}`, name)
	case 2:
		c.try("Query", `{"TableName":"%s","KeyConditionExpression":"pk = :p","ExpressionAttributeValues":{":p":{"S":"p1"}}}`,
			name)
	case 3:
		c.follow(name)
	}
}

// follow reads the begin of a table's stream, if it has one.
func (c *changing) follow(name string) {
	var list struct{ Streams []struct{ StreamArn string } }
	c.call("ListStreams", &list, `{"TableName":"%s"}`, name)
	for _, s := range list.Streams {
		text, err := c.direct.send(context.Background(), "DescribeStream",
			fmt.Sprintf(`{"StreamArn":"%s"}`, s.StreamArn))
		if err != nil {
			continue // it is gone
		}
		_, shard, _ := strings.Cut(string(text), `"ShardId":"`)
		shard, _, _ = strings.Cut(shard, `"`)
		text, err = c.direct.send(context.Background(), "GetShardIterator", fmt.Sprintf(
			`{"StreamArn":"%s","ShardId":"%s","ShardIteratorType":"TRIM_HORIZON"}`, s.StreamArn, shard))
		if err == nil {
			c.try("GetRecords", "%s", text)
		}
	}
}

// accelerate scans a table over DAX.
func (c *changing) accelerate(r *rand.Rand) {
	conn, err := net.Dial("tcp", c.dax)
	if !assert.NoError(c, err) {
		return
	}
	defer conn.Close()
	conn.SetDeadline(time.Now().Add(5 * time.Minute))
	conn.Write(greeting())
	in := cbor.NewSource(bufio.NewReader(conn), func(int) bool { return true })
	for range 5 {
		conn.Write(encode(nil, protocol.Scan, []byte(nameOf(r)), nil))
		for range 2 { // an error has no second item
			answer, err := in.AppendItem(nil, 1<<20)
			if !assert.NoError(c, err) || len(answer) != 1 || answer[0] != cbor.Array {
				return
			}
		}
	}
}

// consistent compares a table with its index.
func (c *changing) consistent(name string) {
	text, err := c.direct.send(context.Background(), "DescribeTable",
		fmt.Sprintf(`{"TableName":"%s"}`, name))
	require.NoError(c, err)
	items := c.scan(name, "")
	if !strings.Contains(string(text), `"IndexName":"by-g"`) {
		return
	}
	for key, e := range items {
		if e.G.S == "" {
			delete(items, key)
		}
	}
	assert.Equal(c, items, c.scan(name, `,"IndexName":"by-g"`), name)
}

// settle waits until no table changes, and returns those that there are.
func (c *changing) settle() (tables []string) {
	for i := range names {
		name := fmt.Sprint("tab", i)
		for {
			text, err := c.direct.send(context.Background(), "DescribeTable",
				fmt.Sprintf(`{"TableName":"%s"}`, name))
			if err != nil {
				require.ErrorContains(c, err, "ResourceNotFoundException")
				break
			}
			if !strings.Contains(string(text), `ING"`) { // CREATING and the like
				tables = append(tables, name)
				break
			}
			runtime.Gosched()
		}
	}
	return tables
}

// TestChangingTables: tables that change under all kinds of requests are whole afterwards, and
// leave nothing behind.
func TestChangingTables(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.MkdirAll(filepath.Join(dir, "in", "src"), 0o700))
	var lines strings.Builder
	for i := range 200 {
		fmt.Fprintf(&lines, `{"Item":{"pk":{"S":"p1"},"sk":{"N":"%d"},"n":{"N":"1"},`+
			`"g":{"S":"g1"}}}`+"\n", i)
	}
	require.NoError(t, os.WriteFile(filepath.Join(dir, "in", "src", "a.json"),
		[]byte(lines.String()), 0o600))
	work := 300
	if text, long := os.LookupEnv(lengthVariable); long {
		length, err := time.ParseDuration(text)
		require.NoError(t, err, lengthVariable)
		work = int(length.Seconds()) * 50
	}
	before := runtime.NumGoroutine()
	service := emulator.New(emulator.WithBuckets(bucket.New(bucket.Dir(dir))))
	c := &changing{soak: &soak{T: t, service: service}, accepted: map[string]int{}}
	c.direct = client{service.HTTPClient("any", "us-east-1"), "http://service"}
	cluster, err := dax.New(service, dax.DefaultConfig())
	require.NoError(t, err)
	c.dax, err = cluster.Listen("127.0.0.1:0", nil)
	require.NoError(t, err)
	var all sync.WaitGroup
	for i, act := range []func(*rand.Rand){c.change, c.change, c.write, c.write, c.read, c.read,
		c.accelerate} {
		random := rand.New(rand.NewPCG(uint64(i), 7))
		all.Go(func() {
			for range work {
				act(random)
			}
		})
	}
	all.Wait()
	t.Log(c.accepted)
	for _, operation := range []string{"CreateTable", "DeleteTable", "UpdateTable", "ImportTable",
		"CreateBackup", "RestoreTableFromBackup", "PutItem", "Scan", "GetRecords"} {
		assert.NotZero(t, c.accepted[operation], operation)
	}
	for _, name := range c.settle() {
		c.consistent(name)
		c.try("DeleteTable", `{"TableName":"%s"}`, name)
	}
	require.NoError(t, cluster.Close())
	require.NoError(t, service.Close())
	// if one never ends, the test reaches its time limit, which prints the goroutines
	for runtime.NumGoroutine() > before {
		runtime.Gosched()
	}
}
