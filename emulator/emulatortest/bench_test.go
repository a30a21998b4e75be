package emulatortest_test

import (
	"bytes"
	"fmt"
	"hash/crc32"
	"io"
	"maps"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	awshttp "github.com/aws/aws-sdk-go-v2/aws/transport/http"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/emulator"
	"github.com/kugiri-db/kugiri/emulator/emulatortest"
)

// benchItem is an item with 12 attributes and a size of 1 KB.
var benchItem = attributes{
	"pk": text("user#0000000001"), "sk": text("item#0000000001"),
	"gpk": text("group#0000000000"), "gsk": text("ts#0000000001"),
	"email": text("someone.in.particular@mail.example.com"), "age": number("42"),
	"score":  number("1234567.891"),
	"active": &types.AttributeValueMemberBOOL{Value: true},
	"tags": &types.AttributeValueMemberSS{
		Value: []string{"alpha", "bravo", "charlie", "delta", "echo"},
	},
	"addr": &types.AttributeValueMemberM{Value: attributes{
		"street": text("12 Long Winding Street"), "city": text("Springfield"),
		"zip": text("12345-6789"),
		"geo": &types.AttributeValueMemberM{
			Value: attributes{"lat": number("51.5007"), "lon": number("-0.1246")},
		},
		"verified": &types.AttributeValueMemberBOOL{}}},
	"events": &types.AttributeValueMemberL{Value: []types.AttributeValue{
		&types.AttributeValueMemberM{
			Value: attributes{"at": number("1767225600"), "kind": text("created")},
		},
		&types.AttributeValueMemberM{
			Value: attributes{"at": number("1767229200"), "kind": text("updated")},
		},
		text("note"), number("7"), &types.AttributeValueMemberNULL{Value: true}}},
	"bio": text(strings.Repeat("lorem ipsum dolor ", 28)),
}

// benchItems are two versions of benchItem.
var benchItems = func() [2]attributes {
	other := maps.Clone(benchItem)
	other["age"] = number("43")
	return [2]attributes{benchItem, other}
}()

var puts int

var benchKey = attributes{"pk": benchItem["pk"], "sk": benchItem["sk"]}

// loop is b.Loop that also reports the CPU time of the process per operation. That figure hardly
// changes when other processes use the machine.
func loop(b *testing.B, f func()) {
	b.ReportAllocs()
	before := cpuTime()
	for b.Loop() {
		f()
	}
	b.ReportMetric(float64(cpuTime()-before)/float64(b.N), "cpu-ns/op")
}

// canned returns recorded answers without an emulator. A request then costs only the time of the
// SDK.
type canned struct {
	read    []byte
	answers map[string]*http.Response // answers by target
	bodies  map[string][]byte
}

func newCanned(b *testing.B, e *emulator.Emulator) *canned {
	c := &canned{answers: map[string]*http.Response{}, bodies: map[string][]byte{}}
	record := emulatortest.NewClient(e, emulatortest.WithClientOptions(func(o *dynamodb.Options) {
		next := o.HTTPClient
		o.HTTPClient = doFunc(func(r *http.Request) (*http.Response, error) {
			res, err := next.Do(r)
			target := r.Header.Get("X-Amz-Target")
			c.bodies[target], _ = io.ReadAll(res.Body)
			res.Body = io.NopCloser(bytes.NewReader(c.bodies[target]))
			sum := strconv.FormatUint(uint64(crc32.ChecksumIEEE(c.bodies[target])), 10)
			require.Equal(b, sum, res.Header.Get("X-Amz-Crc32"))
			c.answers[target] = res
			return res, err
		})
	}))
	get(b, record)
	put(b, record)
	return c
}

type doFunc func(*http.Request) (*http.Response, error)

func (f doFunc) Do(r *http.Request) (*http.Response, error) { return f(r) }

func (c *canned) Do(r *http.Request) (*http.Response, error) {
	c.read = append(c.read[:0], make([]byte, r.ContentLength)...)
	if _, err := io.ReadFull(r.Body, c.read); err != nil {
		return nil, err
	}
	r.Body.Close()
	target := r.Header.Get("X-Amz-Target")
	res := *c.answers[target]
	res.Body, res.Request = io.NopCloser(bytes.NewReader(c.bodies[target])), r
	return &res, nil
}

func get(b *testing.B, c *dynamodb.Client) {
	out, err := c.GetItem(ctx,
		&dynamodb.GetItemInput{TableName: aws.String("bench"), Key: benchKey})
	if err != nil || len(out.Item) != len(benchItem) {
		b.Fatal(err, len(out.Item))
	}
}

func put(b *testing.B, c *dynamodb.Client) {
	puts++
	item := benchItems[puts%2] // an emulator skips writes that change nothing
	if _, err := c.PutItem(ctx,
		&dynamodb.PutItemInput{TableName: aws.String("bench"), Item: item}); err != nil {
		b.Fatal(err)
	}
}

// newBench returns an emulator with one item in the table "bench".
func newBench(b *testing.B) *emulator.Emulator {
	e := emulator.New()
	client := emulatortest.NewClient(e)
	_, err := client.CreateTable(
		ctx, &dynamodb.CreateTableInput{TableName: aws.String("bench"),
			BillingMode: types.BillingModePayPerRequest,
			AttributeDefinitions: []types.AttributeDefinition{
				{AttributeName: aws.String("pk"), AttributeType: "S"},
				{AttributeName: aws.String("sk"), AttributeType: "S"},
			},
			KeySchema: []types.KeySchemaElement{
				{AttributeName: aws.String("pk"), KeyType: "HASH"},
				{AttributeName: aws.String("sk"), KeyType: "RANGE"},
			}})
	require.NoError(b, err)
	put(b, client)
	return e
}

// BenchmarkRequest compares the cost of requests through the SDK: with canned answers, in process,
// and over the loopback interface (signed, as SDKs do by default).
func BenchmarkRequest(b *testing.B) {
	s := emulatortest.Fork(b, newBench(b))
	floor := emulatortest.NewClient(s.Emulator,
		emulatortest.WithClientOptions(
			func(o *dynamodb.Options) { o.HTTPClient = newCanned(b, s.Emulator) }))
	loopback := dynamodb.NewFromConfig(s.Config(), func(o *dynamodb.Options) {
		o.BaseEndpoint, o.HTTPClient = aws.String(s.URL()), awshttp.NewBuildableClient()
		o.Credentials = credentials.NewStaticCredentialsProvider("test", "test", "")
	})
	for _, c := range []struct {
		name   string
		client *dynamodb.Client
	}{{"floor", floor}, {"in-process", s.Client()},
		{"direct", emulatortest.NewClient(s.Emulator,
			emulatortest.WithClientOptions(emulatortest.Direct))},
		{"loopback", loopback}} {
		b.Run(c.name+"/GetItem", func(b *testing.B) { loop(b, func() { get(b, c.client) }) })
		b.Run(c.name+"/PutItem", func(b *testing.B) { loop(b, func() { put(b, c.client) }) })
	}
}

func BenchmarkStart(b *testing.B) {
	loop(b, func() {
		test := new(exampleTest)
		emulatortest.Start(test).Client()
		test.end()
	})
}

// BenchmarkFork forks emulators with different numbers of items, an index and a stream.
func BenchmarkFork(b *testing.B) {
	for _, items := range []int{1000, 1_000_000} {
		e := newSeed(items, `,"bio":{"S":"`+strings.Repeat("lorem ipsum dolor ", 28)+`"}`)
		b.Run(fmt.Sprintf("%d-items", items), func(b *testing.B) { loop(b, func() { e.Fork() }) })
		item := attributes{"pk": text("user#7"), "sk": number("3"), "kind": text("other")}
		b.Run(fmt.Sprintf("%d-items/first-write", items), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				b.StopTimer()
				client := emulatortest.NewClient(e.Fork())
				client.ListTables(ctx, &dynamodb.ListTablesInput{}) // the SDK's own first request
				b.StartTimer()
				if _, err := client.PutItem(ctx,
					&dynamodb.PutItemInput{
						TableName: aws.String("events"), Item: item,
					}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
