package main

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// client is the SDK's client of a server, without retries: what fails has failed.
func client(url string, opts ...func(*dynamodb.Options)) *dynamodb.Client {
	return dynamodb.New(dynamodb.Options{
		Region: "us-east-1", BaseEndpoint: &url, Retryer: aws.NopRetryer{},
		Credentials: aws.CredentialsProviderFunc(func(context.Context) (aws.Credentials, error) {
			return aws.Credentials{AccessKeyID: "AKIDEXAMPLE", SecretAccessKey: "secret"}, nil
		}),
	}, opts...)
}

// createTable makes the table "table" with a global index and a stream.
func createTable(t *testing.T, c *dynamodb.Client) {
	_, err := c.CreateTable(t.Context(), &dynamodb.CreateTableInput{
		TableName: aws.String("table"), BillingMode: types.BillingModePayPerRequest,
		AttributeDefinitions: []types.AttributeDefinition{
			{AttributeName: aws.String("pk"), AttributeType: types.ScalarAttributeTypeS},
			{AttributeName: aws.String("v"), AttributeType: types.ScalarAttributeTypeN},
		},
		KeySchema: []types.KeySchemaElement{
			{AttributeName: aws.String("pk"), KeyType: types.KeyTypeHash},
		},
		GlobalSecondaryIndexes: []types.GlobalSecondaryIndex{{
			IndexName: aws.String("by-v"),
			KeySchema: []types.KeySchemaElement{
				{AttributeName: aws.String("v"), KeyType: types.KeyTypeHash},
			},
			Projection: &types.Projection{ProjectionType: types.ProjectionTypeKeysOnly},
		}},
		StreamSpecification: &types.StreamSpecification{StreamEnabled: aws.Bool(true),
			StreamViewType: types.StreamViewTypeNewImage},
	})
	require.NoError(t, err)
}

// versions reads all items' v from the table or an index, by their keys. The answers are short: the
// SDK closes the body of its request as soon as the answer begins, which now and then, on a loaded
// machine, has net/http close the connection before the end of a long one.
func versions(t *testing.T, c *dynamodb.Client, index *string) map[string]int {
	found := map[string]int{}
	for p := dynamodb.NewScanPaginator(c,
		&dynamodb.ScanInput{
			TableName: aws.String("table"), IndexName: index,
			ProjectionExpression: aws.String("pk, v"),
		}); p.HasMorePages(); {
		page, err := p.NextPage(t.Context())
		require.NoError(t, err)
		for _, it := range page.Items {
			v, err := strconv.Atoi(it["v"].(*types.AttributeValueMemberN).Value)
			require.NoError(t, err)
			found[it["pk"].(*types.AttributeValueMemberS).Value] = v
		}
	}
	return found
}

func testItem(pk string, v int, fill string) map[string]types.AttributeValue {
	return map[string]types.AttributeValue{
		"pk":   &types.AttributeValueMemberS{Value: pk},
		"v":    &types.AttributeValueMemberN{Value: strconv.Itoa(v)},
		"fill": &types.AttributeValueMemberS{Value: fill},
	}
}

func TestDataDir(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	for _, level := range []string{"relaxed", "strict"} {
		url, stop := serving(t, "--data-dir", dir, "--sync", level)
		c := client(url)
		if level == "relaxed" {
			createTable(t, c)
			_, err := c.PutItem(t.Context(),
				&dynamodb.PutItemInput{TableName: aws.String("table"), Item: testItem("a", 1, "")})
			require.NoError(t, err)
			_, _, err = runs(t, "serve", "--port", "0", "--data-dir", dir)
			require.ErrorContains(t, err, dir+" is in use by another process")
		}
		assert.Equal(t, map[string]int{"a": 1}, versions(t, c, nil))
		assert.Equal(t, map[string]int{"a": 1}, versions(t, c, aws.String("by-v")))
		require.NoError(t, stop())
	}
	require.NoError(t, os.Remove(filepath.Join(dir, "tables.db")))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "tables.db"), []byte("nonsense"), 0o600))
	_, _, err := runs(t, "serve", "--port", "0", "--data-dir", dir)
	require.ErrorContains(t, err, filepath.Join(dir, "tables.db")+" is damaged")
	require.ErrorContains(t, err, `"kugiri repair" keeps the rest`)
}

// TestDataDirInUse: a directory is for one process, whoever removes its lock file.
func TestDataDirInUse(t *testing.T) {
	for _, removed := range []bool{false, true} {
		t.Run(fmt.Sprintf("lock removed: %t", removed), func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "data")
			url, kill := start(t, "--data-dir", dir)
			defer kill()
			createTable(t, client(url))
			if removed {
				require.NoError(t, os.Remove(filepath.Join(dir, "lock")))
			}
			for range 2 {
				_, _, err := runs(t, "serve", "--port", "0", "--data-dir", dir)
				require.ErrorContains(t, err, dir+" is in use by another process")
			}
			require.Empty(t, versions(t, client(url), nil))
		})
	}
}

// TestDataDirAdmin: what the admin API does to the data outlives the process,
// while snapshots and forks end with it.
func TestDataDirAdmin(t *testing.T) {
	dir, seed := filepath.Join(t.TempDir(), "data"), writeSeed(t, seededUsers)
	var url string
	kill := func() {}
	restart := func(more ...string) {
		kill()
		url, kill = start(t, append([]string{"--data-dir", dir, "--admin"}, more...)...)
	}
	post := func(path, body string) int {
		res, err := http.Post(url+"/_kugiri/"+path, "application/json", strings.NewReader(body))
		require.NoError(t, err)
		res.Body.Close()
		return res.StatusCode
	}
	of := func(accessKey string) *dynamodb.Client {
		return client(url, func(o *dynamodb.Options) {
			o.Credentials = credentials.NewStaticCredentialsProvider(accessKey, "x", "")
		})
	}
	put := func(accessKey, pk string) {
		_, err := of(accessKey).PutItem(t.Context(),
			&dynamodb.PutItemInput{TableName: aws.String("users"), Item: testItem(pk, 1, "")})
		require.NoError(t, err)
	}
	users := func(accessKey string) int32 { return usersOf(t, url, accessKey, "us-east-1") }

	restart("--seed", seed)
	put("one", "b")
	require.Equal(t, http.StatusCreated, post("snapshots", `{"name":"two"}`))
	put("one", "c")
	require.Equal(t, http.StatusOK, post("snapshots/two/restore", ""))
	require.Equal(t, http.StatusCreated, post("forks", `{"accessKey":"fork","from":"one"}`))
	put("fork", "c")
	require.EqualValues(t, 3, users("fork"))

	restart("--seed", seed)
	require.EqualValues(t, 2, users("one"), "as restored; not the seed")
	require.EqualValues(t, 1, users("fork"), "an access key as any other")
	require.Equal(t, http.StatusNotFound, post("snapshots/two/restore", ""))
	require.Equal(t, http.StatusOK, post("reset", ""))
	put("one", "b")

	restart()
	require.EqualValues(t, 2, users("one"), "the seed and an item")
	require.Equal(t, http.StatusOK, post("reset", ""))

	restart()
	tables, err := of("one").ListTables(t.Context(), nil)
	require.NoError(t, err)
	require.Empty(t, tables.TableNames)
}

// crashRounds is how often TestCrash kills a server; KUGIRI_KILLS says otherwise.
const crashRounds = 10

// crashRequests is how many requests there are at most before a kill;
// KUGIRI_KILL_REQUESTS says otherwise. With 3000 logs are full now and then.
const crashRequests = 500

// crashWriters is how many clients write at a time.
const crashWriters = 8

// crash holds what the clients know of their writes to a server.
type crash struct {
	c       *dynamodb.Client
	writers [crashWriters]crashWriter
	stream  crashStream
	left    atomic.Int64 // requests until the server is killed
	kill    func()
}

// crashWriter writes one version after the other, alone, of one item by itself
// and of three together. Version 0 means that no item is there.
type crashWriter struct {
	last                int // the last version that was begun
	single, transaction int // the last ones that were acknowledged
}

// TestCrash kills a server while clients write, again and again. What was
// acknowledged must be there afterwards, and a transaction as a whole or not at all; and
// a consumer of the stream, who goes on with iterators from before, must not miss a record.
func TestCrash(t *testing.T) {
	rounds, requests := number(t, "KUGIRI_KILLS", crashRounds), number(t, "KUGIRI_KILL_REQUESTS",
		crashRequests)
	dir := filepath.Join(t.TempDir(), "data")
	random := rand.New(rand.NewPCG(uint64(rounds), 1))
	var x crash
	for round := range rounds {
		level := []string{"relaxed", "strict"}[round%2]
		url, kill := start(t, "--data-dir", dir, "--sync", level, "--stream-memory", "0")
		x.c, x.kill = client(url), kill
		if round == 0 {
			createTable(t, x.c)
		}
		x.stream.connect(t, url)
		x.check(t, round)
		if round%3 == 2 {
			x.stream.rest(t)
			kill()
			continue
		}
		x.left.Store(1 + random.Int64N(int64(requests)))
		var wg sync.WaitGroup
		for i := range x.writers {
			wg.Go(func() { x.write(t, i, rand.New(rand.NewPCG(uint64(round), uint64(i)))) })
		}
		wg.Go(func() {
			x.stream.consume(t.Context(), x.c, rand.New(rand.NewPCG(uint64(round), crashWriters)))
		})
		wg.Wait()
	}
	url, kill := start(t, "--data-dir", dir, "--stream-memory", "0")
	x.c = client(url)
	x.stream.connect(t, url)
	x.check(t, rounds)
	kill()
}

// number returns the number in an environment variable, or otherwise without one.
func number(t *testing.T, variable string, otherwise int) int {
	text, ok := os.LookupEnv(variable)
	if !ok {
		return otherwise
	}
	n, err := strconv.Atoi(text)
	require.NoError(t, err, variable)
	return n
}

// asKugiri is the variable of the environment that has the test's own program be kugiri.
const asKugiri = "TEST_AS_KUGIRI" // not KUGIRI_…, as settings are

func TestMain(m *testing.M) {
	if os.Getenv(asKugiri) != "" {
		main()
		return
	}
	forgetAWS()
	m.Run()
}

// forgetAWS takes a person's settings for AWS away: a profile, an endpoint or a certificate in the
// environment or in ~/.aws would decide where tests send requests.
func forgetAWS() {
	for _, v := range os.Environ() {
		if name, _, _ := strings.Cut(v, "="); strings.HasPrefix(name, "AWS_") {
			os.Unsetenv(name)
		}
	}
	os.Setenv("AWS_CONFIG_FILE", os.DevNull)
	os.Setenv("AWS_SHARED_CREDENTIALS_FILE", os.DevNull)
}

// start starts a server in another process. It returns its URL, and a function that kills the
// process and waits for its end.
func start(t *testing.T, args ...string) (url string, kill func()) {
	url, process := started(t, io.Discard, args...)
	var once sync.Once
	return url, func() {
		once.Do(func() {
			process.Process.Kill()
			process.Wait()
		})
	}
}

// killable starts a server that ends with the test. again kills it and starts another one with the
// same flags. c is always a client of the present one.
func killable(t *testing.T, c **dynamodb.Client, flags ...string) (again func()) {
	kill := func() {}
	again = func() {
		var url string
		kill()
		url, kill = start(t, flags...)
		*c = client(url)
	}
	t.Cleanup(func() { kill() })
	again()
	return again
}

// write writes until the server is gone, and kills it when it is time.
func (x *crash) write(t *testing.T, i int, random *rand.Rand) {
	w := &x.writers[i]
	for {
		w.last++
		fill := strings.Repeat("x", random.IntN(2000))
		var err error
		if random.IntN(3) > 0 {
			if _, err = x.c.PutItem(t.Context(),
				&dynamodb.PutItemInput{
					TableName: aws.String("table"),
					Item:      testItem(fmt.Sprint("single", i), w.last, fill),
				}); err == nil {
				w.single = w.last
			}
		} else {
			var in dynamodb.TransactWriteItemsInput
			for part := range 3 {
				in.TransactItems = append(in.TransactItems,
					types.TransactWriteItem{Put: &types.Put{TableName: aws.String("table"),
						Item: testItem(fmt.Sprint("part", part, " of ", i), w.last, fill)}})
			}
			if _, err = x.c.TransactWriteItems(t.Context(), &in); err == nil {
				w.transaction = w.last
			}
		}
		if err != nil {
			return // the server is gone
		}
		if x.left.Add(-1) == 0 {
			x.kill()
		}
	}
}

// check reads everything, from the index too.
func (x *crash) check(t *testing.T, round int) {
	table := versions(t, x.c, nil)
	require.Equal(t, table, versions(t, x.c, aws.String("by-v")), "round %d", round)
	x.stream.check(t, round, table)
	for i := range x.writers {
		w := &x.writers[i]
		in := func(what string, got, acknowledged int) {
			require.True(t, got == acknowledged || got == w.last && got > acknowledged,
				"round %d, writer %d: the %s is in version %d; acknowledged was %d, begun %d",
				round, i, what, got, acknowledged, w.last)
		}
		in("single item", table[fmt.Sprint("single", i)], w.single)
		first := table[fmt.Sprint("part0 of ", i)]
		in("transaction", first, w.transaction)
		for part := range 3 {
			require.Equal(t, first, table[fmt.Sprint("part", part, " of ", i)],
				"round %d, writer %d: half a transaction", round, i)
		}
		w.single, w.transaction = table[fmt.Sprint("single", i)], first
	}
}
