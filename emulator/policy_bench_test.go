package emulator_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/conventions/policy/policyfile"
	"github.com/kugiri-db/kugiri/emulator"
)

// guardedItems are how many items the table of BenchmarkPolicy holds.
const guardedItems = 1000

// BenchmarkPolicy measures a put and a get of an item of 1 KB, with and without a policy of twenty
// entities: by a handler alone and by a client of a listener.
func BenchmarkPolicy(b *testing.B) {
	for _, operation := range []string{"PutItem", "GetItem"} {
		for i := range 4 {
			listens, held := i >= 2, i%2 == 1
			b.Run(fmt.Sprintf("operation=%s/listener=%t/policy=%t", operation, listens,
				held), func(b *testing.B) {
				s := newGuarded(b, held)
				if listens {
					s.listen()
				}
				for i := range guardedItems {
					s.serve("PutItem", s.put(i))
				}
				body := s.put
				if operation == "GetItem" {
					body = s.get
				}
				b.ReportAllocs()
				for i := 0; b.Loop(); i++ {
					s.serve(operation, body(i+guardedItems))
				}
			})
		}
	}
}

// guarded is a service with a table and the parts of requests that are alike.
type guarded struct {
	tb      testing.TB
	handler http.Handler
	request *http.Request
	answer  status
	body    []byte
	rest    string
}

func newGuarded(tb testing.TB, held bool) *guarded {
	e := emulator.New(emulator.WithSharedData(), emulator.WithTableDelays(0, 0, 0))
	s := &guarded{tb: tb, handler: e.Handler(), answer: status{header: http.Header{}}}
	s.request = newRequest(tb)
	for i := range 9 {
		s.rest += fmt.Sprintf(`,"attribute%d":{"S":"%s"}`, i, strings.Repeat("x", 95))
	}
	s.serve("CreateTable", []byte(`{"TableName":"data","BillingMode":"PAY_PER_REQUEST",
		"AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"},{"AttributeName":"sk","AttributeType":"S"}],
		"KeySchema":[{"AttributeName":"pk","KeyType":"HASH"},{"AttributeName":"sk","KeyType":"RANGE"}]}`))
	if held {
		engine, err := policyfile.Compile([]byte(twentyEntities()))
		require.NoError(tb, err)
		s.handler = e.Fork(emulator.WithPolicy(engine)).Handler()
	}
	return s
}

func newRequest(tb testing.TB) *http.Request {
	r, err := http.NewRequestWithContext(tb.Context(), http.MethodPost, "http://localhost/", nil)
	require.NoError(tb, err)
	r.Header.Set("Content-Type", "application/x-amz-json-1.0")
	r.Header.Set("Authorization",
		"AWS4-HMAC-SHA256 Credential=AK1/20260101/us-east-1/dynamodb/aws4_request, "+
			"SignedHeaders=host;x-amz-date, Signature="+strings.Repeat("0", 64))
	r.Header.Set("X-Amz-Date", "20260101T000000Z")
	return r
}

// twentyEntities is a policy of twenty entities, for two tenants.
func twentyEntities() string {
	var b strings.Builder
	b.WriteString(
		"tenants: {callers: {AK1: tenant001, AK2: tenant002}}\ntables:\n  - name: data\n    role: data\n    entities:\n")
	for i := range 20 {
		fmt.Fprintf(&b,
			"      - {name: model%d, prefix: MODEL%d, sort: \"MODEL%d#{id:number}\", mutable: [status]}\n", i, i, i)
	}
	return b.String()
}

// listen has the requests go through a listener.
func (s *guarded) listen() {
	server := httptest.NewServer(s.handler)
	s.tb.Cleanup(server.Close)
	client := server.Client()
	url, err := s.request.URL.Parse(server.URL)
	require.NoError(s.tb, err)
	s.request.URL = url
	s.handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		answer, err := client.Do(r)
		if err != nil {
			s.tb.Fatal(err)
		}
		w.WriteHeader(answer.StatusCode)
		if _, err := io.Copy(w, answer.Body); err != nil {
			s.tb.Fatal(err)
		}
		answer.Body.Close()
	})
}

// put is a request that writes the next version of item i.
func (s *guarded) put(i int) []byte {
	b := append(s.key(`{"TableName":"data","Item":{`, i), `,"version":{"N":"`...)
	b = strconv.AppendInt(b, int64(i/guardedItems), 10)
	s.body = append(append(append(b, `"},"status":{"S":"open"}`...), s.rest...), `}}`...)
	return s.body
}

func (s *guarded) get(i int) []byte {
	s.body = append(s.key(`{"TableName":"data","Key":{`, i), `}}`...)
	return s.body
}

// key begins a request with the key of item i.
func (s *guarded) key(begin string, i int) []byte {
	b := append(append(s.body[:0], begin...),
		`"pk":{"S":"MODEL12#tenant001"},"sk":{"S":"MODEL12#`...)
	return append(strconv.AppendInt(b, int64(i%guardedItems), 10), `"}`...)
}

// serve makes a request, which is to succeed.
func (s *guarded) serve(operation string, body []byte) {
	s.request.Header["X-Amz-Target"] = []string{"DynamoDB_20120810." + operation}
	s.request.Body, s.request.ContentLength = io.NopCloser(strings.NewReader(string(body))), int64(
		len(body))
	s.answer.code = http.StatusOK
	s.handler.ServeHTTP(&s.answer, s.request)
	if s.answer.code != http.StatusOK {
		s.tb.Fatalf("%s answers %d: %s", operation, s.answer.code, s.answer.text)
	}
}

// status keeps the status of an answer, and the text of one that failed.
type status struct {
	header http.Header
	code   int
	text   string
}

func (s *status) Header() http.Header  { return s.header }
func (s *status) WriteHeader(code int) { s.code = code }

func (s *status) Write(p []byte) (int, error) {
	if s.code != http.StatusOK {
		s.text = string(p)
	}
	return len(p), nil
}
