package emulatortest_test

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"sync/atomic"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/emulator/emulatortest"
)

// newSuite gives a test a fork with a hundred users.
var newSuite = emulatortest.Template(func(t emulatortest.TB, s *emulatortest.Server) {
	must(s.Client().CreateTable(ctx, usersTable()))
	for i := range 100 {
		putExample(s.Client(),
			attributes{
				"id": text(fmt.Sprint("user#", i)), "name": text("Ada"),
				"age": number(fmt.Sprint(i)),
			})
	}
})

// fiveCalls makes the calls of a test of an application with its client.
func fiveCalls(client *dynamodb.Client) error {
	table, key := aws.String("users"), attributes{"id": text("user#7")}
	_, err := client.PutItem(ctx,
		&dynamodb.PutItemInput{
			TableName: table, Item: attributes{"id": text("new"), "name": text("Grace")},
		})
	if err == nil {
		_, err = client.GetItem(ctx, &dynamodb.GetItemInput{TableName: table, Key: key})
	}
	if err == nil {
		_, err = client.UpdateItem(
			ctx, &dynamodb.UpdateItemInput{TableName: table, Key: key,
				UpdateExpression:          aws.String("ADD age :one"),
				ExpressionAttributeValues: attributes{":one": number("1")}})
	}
	if err == nil {
		_, err = client.Query(
			ctx, &dynamodb.QueryInput{TableName: table,
				KeyConditionExpression:    aws.String("id = :id"),
				ExpressionAttributeValues: attributes{":id": text("new")}})
	}
	if err == nil {
		_, err = client.TransactWriteItems(
			ctx, &dynamodb.TransactWriteItemsInput{TransactItems: []types.TransactWriteItem{
				{Put: &types.Put{TableName: table, Item: attributes{"id": text("other")}}},
				{Delete: &types.Delete{TableName: table, Key: key}},
			}})
	}
	return err
}

// TestParallelTestsAreApart runs a thousand tests in parallel. None of them sees what another one
// does.
func TestParallelTestsAreApart(t *testing.T) {
	tests := 1000
	if testing.Short() {
		tests = 100
	}
	for i := range tests {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			t.Parallel()
			s := newSuite(t)
			require.NoError(t, fiveCalls(s.Client()))
			require.Len(t, s.Items(t, "users"), 101)
		})
	}
}

// replay answers as an emulator once did. It holds the answers of the five calls, by their targets.
type replay map[string]*recorded

type recorded struct {
	http.Response
	body []byte
}

func (r replay) Do(in *http.Request) (*http.Response, error) {
	if _, err := io.Copy(io.Discard, in.Body); err != nil {
		return nil, err
	}
	once := r[in.Header.Get("X-Amz-Target")]
	out := once.Response
	out.Body, out.Request = io.NopCloser(bytes.NewReader(once.body)), in
	return &out, nil
}

// newReplay records the answers of the five calls.
func newReplay(b *testing.B) replay {
	answers := replay{}
	s := newSuite(b, emulatortest.WithClientOptions(func(o *dynamodb.Options) {
		next := o.HTTPClient
		o.HTTPClient = doFunc(func(in *http.Request) (*http.Response, error) {
			out, err := next.Do(in)
			if err != nil {
				return nil, err
			}
			body, err := io.ReadAll(out.Body)
			answers[in.Header.Get("X-Amz-Target")] = &recorded{*out, body}
			out.Body = io.NopCloser(bytes.NewReader(body))
			return out, err
		})
	}))
	require.NoError(b, fiveCalls(s.Client()))
	return answers
}

// BenchmarkSuite runs tests in parallel, an operation each. A test of "forks" takes a fork of a
// template and sends five requests. One of "sdk" makes the same client and sends the same requests
// to canned answers: what the SDK by itself takes. One of "fork" sends none.
func BenchmarkSuite(b *testing.B) {
	answers := newReplay(b)
	canned := emulatortest.WithClientOptions(func(o *dynamodb.Options) { o.HTTPClient = answers })
	e := newSuite(b).Emulator
	for _, c := range []struct {
		name string
		test func(t emulatortest.TB) error
	}{
		{"forks", func(t emulatortest.TB) error { return fiveCalls(newSuite(t).Client()) }},
		{"sdk", func(emulatortest.TB) error {
			return fiveCalls(emulatortest.NewClient(e, canned))
		}},
		{"fork", func(t emulatortest.TB) error { newSuite(t); return nil }},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			var failed atomic.Pointer[error]
			before := cpuTime()
			b.RunParallel(func(pb *testing.PB) {
				for pb.Next() {
					t := new(exampleTest)
					if err := c.test(t); err != nil {
						failed.Store(&err)
					}
					t.end()
				}
			})
			b.ReportMetric(float64(cpuTime()-before)/float64(b.N), "cpu-ns/op")
			if err := failed.Load(); err != nil {
				b.Fatal(*err)
			}
		})
	}
}
