package emulator_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/emulator"
	"github.com/kugiri-db/kugiri/emulator/trigger"
)

// hostileFunctions are functions that harm whoever calls them, by path.
var hostileFunctions = map[string]http.HandlerFunc{
	"/never": func(_ http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		<-r.Context().Done()
	},
	"/hears-nothing": func(w http.ResponseWriter, _ *http.Request) {
		conn, _, err := w.(http.Hijacker).Hijack()
		if err == nil {
			defer conn.Close()
			conn.Read(make([]byte, 1))
			io.Copy(io.Discard, conn) // Copy ends when the client leaves
		}
	},
	"/endless": func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		for part := make([]byte, 64<<10); r.Context().Err() == nil; {
			w.Write(part)
		}
	},
	"/begins": func(w http.ResponseWriter, r *http.Request) { // the function holds what it has sent
		io.Copy(io.Discard, r.Body)
		w.Write([]byte(`{"batchItemFailures":[` + strings.Repeat("{},", 1_500_000)))
		w.(http.Flusher).Flush()
		<-r.Context().Done()
	},
	"/headers": func(w http.ResponseWriter, _ *http.Request) {
		for i := range 20_000 {
			w.Header().Set(fmt.Sprint("X-", i), strings.Repeat("x", 1000))
		}
	},
	"/brackets": func(w http.ResponseWriter, _ *http.Request) {
		io.WriteString(w, strings.Repeat("[", 5<<20))
	},
	"/dies": func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) },
}

// hugeFilters are as many and as long as a mapping may have.
func hugeFilters() (list []string) {
	const begin, end = `{"dynamodb":{"NewImage":{"v":{"S":[`, `{"anything-but":"w"}]}}}}`
	each := `{"suffix":"` + strings.Repeat("y", 20) + `"},`
	for range 10 {
		list = append(list, begin+strings.Repeat(each, (4096-len(begin)-len(end))/len(each))+end)
	}
	return list
}

// TestHostileFunctions: whatever functions answer, and however many there are, writes go on, a good
// function hears of all of them, and nothing is left at the end.
func TestHostileFunctions(t *testing.T) {
	const items, of = 40, 2
	before := runtime.NumGoroutine()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		hostileFunctions[r.URL.Path](w, r)
	}))
	var heard atomic.Int64
	all := make(chan struct{})
	good, err := trigger.New(trigger.NewMapping("items"), "good",
		trigger.HTTP(server.URL+"/good"))
	require.NoError(t, err)
	hostileFunctions["/good"] = func(_ http.ResponseWriter, r *http.Request) {
		text, _ := io.ReadAll(r.Body)
		if n := strings.Count(string(text), `"eventID"`); heard.Add(int64(n)) == items {
			close(all)
		}
	}
	options := []emulator.Option{quiet, emulator.WithTrigger(good)}
	for path := range hostileFunctions {
		for i := range of {
			if path == "/good" {
				continue
			}
			m := trigger.NewMapping("items")
			m.BatchSize, m.ParallelizationFactor, m.Filters = 10_000, 10, hugeFilters()
			m.ReportBatchItemFailures = true
			f, err := trigger.New(m, fmt.Sprint(path, i), trigger.HTTP(server.URL+path))
			require.NoError(t, err)
			options = append(options, emulator.WithTrigger(f))
		}
	}
	e := emulator.New(options...)
	putMany(t, e, items)
	<-all
	require.NoError(t, e.Close())
	server.CloseClientConnections()
	server.Close()
	// if one never ends, the test reaches its time limit, which prints the goroutines
	for runtime.NumGoroutine() > before+2 {
		http.DefaultClient.CloseIdleConnections()
		runtime.Gosched()
	}
}

// putMany puts items of 100 KB into a table with a stream.
func putMany(t *testing.T, e *emulator.Emulator, items int) {
	db := dynamodb.New(dynamodb.Options{BaseEndpoint: aws.String("http://localhost/"),
		Region: "us-east-1", HTTPClient: e.HTTPClient("any", "us-east-1"),
		Credentials: aws.AnonymousCredentials{}})
	_, err := db.CreateTable(t.Context(), &dynamodb.CreateTableInput{TableName: aws.String("items"),
		BillingMode: types.BillingModePayPerRequest,
		AttributeDefinitions: []types.AttributeDefinition{{AttributeName: aws.String("id"),
			AttributeType: types.ScalarAttributeTypeS}},
		KeySchema: []types.KeySchemaElement{{AttributeName: aws.String("id"),
			KeyType: types.KeyTypeHash}},
		StreamSpecification: &types.StreamSpecification{StreamEnabled: aws.Bool(true),
			StreamViewType: types.StreamViewTypeNewAndOldImages}})
	require.NoError(t, err)
	for i := range items {
		_, err := db.PutItem(t.Context(), &dynamodb.PutItemInput{TableName: aws.String("items"),
			Item: map[string]types.AttributeValue{
				"id": &types.AttributeValueMemberS{Value: fmt.Sprint(i)},
				"v":  &types.AttributeValueMemberS{Value: strings.Repeat("x", 100<<10)}}})
		require.NoError(t, err)
	}
}
