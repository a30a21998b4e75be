package metrics_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	dto "github.com/prometheus/client_model/go"
	"github.com/prometheus/common/expfmt"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/conventions/policy"
	"github.com/kugiri-db/kugiri/emulator"
	"github.com/kugiri-db/kugiri/emulator/emulatortest"
	"github.com/kugiri-db/kugiri/emulator/fault"
	"github.com/kugiri-db/kugiri/emulator/metrics"
)

// scrape returns the samples of the metrics by name and labels. It reads them with Prometheus' own
// parser.
func scrape(t *testing.T, url string) map[string]float64 {
	answer, err := http.Get(url + metrics.Path)
	require.NoError(t, err)
	defer answer.Body.Close()
	require.Equal(t, 200, answer.StatusCode)
	require.Equal(t, "text/plain; version=0.0.4; charset=utf-8", answer.Header.Get("Content-Type"))
	var parser expfmt.TextParser
	families, err := parser.TextToMetricFamilies(answer.Body)
	require.NoError(t, err)
	samples := map[string]float64{}
	for name, family := range families {
		require.NotEqual(t, dto.MetricType_UNTYPED, family.GetType(), name)
		for _, m := range family.GetMetric() {
			var labels []string
			for _, l := range m.GetLabel() {
				labels = append(labels, l.GetValue())
			}
			key := name + "{" + strings.Join(labels, ",") + "}"
			if h := m.GetHistogram(); h != nil {
				for _, b := range h.GetBucket() {
					samples[fmt.Sprintf("%s le %g", key, b.GetUpperBound())] = float64(
						b.GetCumulativeCount())
				}
				samples[key+" sum"], samples[key+" count"] = h.GetSampleSum(), float64(
					h.GetSampleCount())
				continue
			}
			samples[key] = m.GetCounter().GetValue() + m.GetGauge().GetValue()
		}
	}
	return samples
}

// of returns the samples of one metric.
func of(samples map[string]float64, metric string) map[string]float64 {
	found := map[string]float64{}
	for name, value := range samples {
		if labels, ok := strings.CutPrefix(name, metric); ok {
			found[labels] = value
		}
	}
	return found
}

func text(s string) types.AttributeValue { return &types.AttributeValueMemberS{Value: s} }

// tunes describes a table with an index by artist.
func tunes(name string) *dynamodb.CreateTableInput {
	key := func(name string) []types.KeySchemaElement {
		return []types.KeySchemaElement{{AttributeName: &name, KeyType: types.KeyTypeHash}}
	}
	return &dynamodb.CreateTableInput{
		TableName: &name, BillingMode: types.BillingModePayPerRequest, KeySchema: key("id"),
		AttributeDefinitions: []types.AttributeDefinition{
			{AttributeName: aws.String("id"), AttributeType: types.ScalarAttributeTypeS},
			{AttributeName: aws.String("artist"), AttributeType: types.ScalarAttributeTypeS},
		},
		GlobalSecondaryIndexes: []types.GlobalSecondaryIndex{{IndexName: aws.String("by-artist"),
			KeySchema:  key("artist"),
			Projection: &types.Projection{ProjectionType: types.ProjectionTypeAll}}},
	}
}

func create(t *testing.T, client *dynamodb.Client, names ...string) {
	for _, name := range names {
		_, err := client.CreateTable(t.Context(), tunes(name))
		require.NoError(t, err)
	}
}

func put(ctx context.Context, client *dynamodb.Client, table, id string) error {
	_, err := client.PutItem(ctx,
		&dynamodb.PutItemInput{
			TableName: &table,
			Item:      map[string]types.AttributeValue{"id": text(id), "artist": text("a")},
		})
	return err
}

func start(t *testing.T, opts ...emulator.Option) *emulatortest.Server {
	return emulatortest.Start(t,
		emulatortest.WithEmulator(append(metrics.Options(nil), opts...)...))
}

func TestMetrics(t *testing.T) {
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	s := start(t, emulator.WithClock(func() time.Time { return now }))
	client := s.Client()
	create(t, client, "one", "two")
	require.NoError(t, put(t.Context(), client, "one", "1"))
	require.NoError(t, put(t.Context(), client, "one", "2"))
	require.Error(t, put(t.Context(), client, "none", "1"))
	_, err := client.BatchGetItem(
		t.Context(), &dynamodb.BatchGetItemInput{RequestItems: map[string]types.KeysAndAttributes{
			"one": {Keys: []map[string]types.AttributeValue{{"id": text("1")}}},
			"two": {Keys: []map[string]types.AttributeValue{{"id": text("1")}}}}})
	require.NoError(t, err)
	_, err = client.ListTables(t.Context(), nil)
	require.NoError(t, err)

	got := scrape(t, s.URL())
	assert.Equal(t, map[string]float64{
		"{CreateTable,one,OK}": 1, "{CreateTable,two,OK}": 1, "{PutItem,one,OK}": 2,
		"{PutItem,(other),ResourceNotFoundException}": 1,
		"{BatchGetItem,(several),OK}":                 1, "{ListTables,,OK}": 1,
	}, of(got, "kugiri_requests_total"))
	assert.Equal(t, map[string]float64{
		"{PutItem,one,,write}": 2, "{PutItem,one,by-artist,write}": 2,
		"{BatchGetItem,one,,read}": 0.5, "{BatchGetItem,two,,read}": 0.5,
	}, of(got, "kugiri_capacity_units_total"))
	assert.Equal(t,
		map[string]float64{"{one,}": 2, "{one,by-artist}": 2, "{two,}": 0, "{two,by-artist}": 0},
		of(got, "kugiri_table_items"))
	assert.Equal(t,
		map[string]float64{"{one,}": 20, "{one,by-artist}": 20, "{two,}": 0, "{two,by-artist}": 0},
		of(got, "kugiri_table_bytes"))
	durations := of(got, "kugiri_request_duration_seconds")
	assert.Equal(t, 3.0, durations["{PutItem} count"])
	assert.Equal(t, 3.0, durations["{PutItem} le 1e-05"], "the clock stands still")
	assert.Positive(t, got["kugiri_request_bytes_total{PutItem}"])
	assert.Positive(t, got["kugiri_response_bytes_total{ListTables}"])
	assert.Positive(t, got["go_goroutines{}"])
	assert.Positive(t, got["process_resident_memory_bytes{}"])
}

func TestDurations(t *testing.T) {
	m := new(metrics.Metrics)
	for _, took := range []time.Duration{0, 10 * time.Microsecond, 10*time.Microsecond + 1,
		time.Millisecond, time.Minute} {
		m.Observe(&emulator.Event{Operation: "GetItem", Status: 200, Duration: took})
	}
	server := httptest.NewServer(m.Handler(emulator.New()))
	defer server.Close()
	got := of(scrape(t, server.URL), "kugiri_request_duration_seconds")
	for bound, want := range map[string]float64{
		"1e-05": 2, "2.5e-05": 3, "0.0005": 3, "0.001": 4, "10": 4, "+Inf": 5,
	} {
		assert.Equal(t, want, got["{GetItem} le "+bound], bound)
	}
	assert.InDelta(t, 60.00102, got["{GetItem} sum"], 1e-5)
}

func TestRuleFindings(t *testing.T) {
	engine, err := policy.Compile(
		policy.Policy{Tables: []policy.Table{{Name: "one", Role: policy.Plain,
			Key:      policy.KeySchema{Partition: "id"},
			Entities: []policy.Entity{{Name: "tune", Prefix: "TUNE"}}}}})
	require.NoError(t, err)
	s := start(t, emulator.WithPolicy(engine))
	create(t, s.Client(), "one")
	for range 2 {
		require.Error(t, put(t.Context(), s.Client(), "one", "SONG#tenant001"))
	}
	assert.Equal(t, map[string]float64{"{key-undeclared-prefix,enforce}": 2},
		of(scrape(t, s.URL()), "kugiri_rule_findings_total"))
	s.Emulator.Reset()
	assert.Empty(t, of(scrape(t, s.URL()), "kugiri_rule_findings_total"))
}

// TestNoAnswer: a request is counted even if a fault closes its connection.
func TestNoAnswer(t *testing.T) {
	s := start(t,
		emulator.WithFaults(fault.Fault{
			When: fault.Operation("ListTables"), Do: fault.DropConnection(),
		}))
	_, err := s.Client().ListTables(t.Context(), nil,
		func(o *dynamodb.Options) { o.RetryMaxAttempts = 1 })
	require.Error(t, err)
	assert.Equal(t, map[string]float64{"{ListTables,,NoAnswer}": 1},
		of(scrape(t, s.URL()), "kugiri_requests_total"))
}

// TestVectorBytes: the bytes of vector indexes have a family of their own, and no units.
func TestVectorBytes(t *testing.T) {
	m := new(metrics.Metrics)
	for range 2 {
		m.Observe(&emulator.Event{Operation: "PutItem", Tables: []string{"t"}, Status: 200,
			Capacity: []emulator.Capacity{{Table: "t", Write: 1},
				{Table: "t", Index: "near", WriteBytes: 1024}}})
	}
	m.Observe(&emulator.Event{Operation: "SearchVectors", Tables: []string{"t"}, Status: 200,
		Capacity: []emulator.Capacity{{Table: "t", Index: "near", ReadBytes: 4096}}})
	server := httptest.NewServer(m.Handler(emulator.New()))
	defer server.Close()
	got := scrape(t, server.URL)
	assert.Equal(t,
		map[string]float64{"{PutItem,t,near,write}": 2048, "{SearchVectors,t,near,read}": 4096},
		of(got, "kugiri_vector_bytes_total"))
	assert.Equal(t, map[string]float64{"{PutItem,t,,write}": 2},
		of(got, "kugiri_capacity_units_total"))
}

// TestSeriesAreBounded: tables, indexes and made-up names do not exceed the limit of series.
func TestSeriesAreBounded(t *testing.T) {
	m := new(metrics.Metrics)
	const n = 3 * metrics.MaxTables
	for i := range n {
		m.Observe(&emulator.Event{
			Operation: "GetItem", Tables: []string{fmt.Sprint("made-up", i)},
			Error: "ResourceNotFoundException",
		})
	}
	for i := range n {
		table := fmt.Sprint("t", i)
		e := &emulator.Event{Operation: "PutItem", Tables: []string{table}, Status: 200}
		for k := range 8 {
			e.Capacity = append(e.Capacity,
				emulator.Capacity{Table: table, Index: fmt.Sprint("i", k), Write: 1})
		}
		m.Observe(e)
	}
	server := httptest.NewServer(m.Handler(emulator.New()))
	defer server.Close()
	got := scrape(t, server.URL)
	requests := of(got, "kugiri_requests_total")
	assert.Len(t, requests, metrics.MaxTables+2)
	assert.EqualValues(t, n, requests["{GetItem,(other),ResourceNotFoundException}"])
	assert.EqualValues(t, n-metrics.MaxTables, requests["{PutItem,(other),OK}"])
	capacity, sum := of(got, "kugiri_capacity_units_total"), 0.0
	for _, units := range capacity {
		sum += units
	}
	assert.EqualValues(t, 8*n, sum)
	assert.Len(t, capacity, metrics.MaxIndexes+metrics.MaxTables/2+1,
		"indexes, the others of tables, and those of other tables")
}

// TestLabelsAreEscaped: label values are escaped, although no table name has such characters.
func TestLabelsAreEscaped(t *testing.T) {
	m := new(metrics.Metrics)
	m.Observe(&emulator.Event{Operation: "PutItem", Tables: []string{"a\"b\\c\nd"}, Status: 200})
	server := httptest.NewServer(m.Handler(emulator.New()))
	defer server.Close()
	assert.Equal(t, map[string]float64{"{PutItem,a\"b\\c\nd,OK}": 1},
		of(scrape(t, server.URL), "kugiri_requests_total"))
}

func TestHandler(t *testing.T) {
	s := start(t)
	for _, c := range []struct {
		method, path string
		want         int
	}{
		{http.MethodGet, "/metrics", 200}, {http.MethodHead, "/metrics", 200},
		{http.MethodPost, "/metrics", 405}, {http.MethodGet, "/metrics/x", 404},
	} {
		r, err := http.NewRequestWithContext(t.Context(), c.method, s.URL()+c.path, nil)
		require.NoError(t, err)
		answer, err := http.DefaultClient.Do(r)
		require.NoError(t, err)
		io.Copy(io.Discard, answer.Body)
		answer.Body.Close()
		assert.Equal(t, c.want, answer.StatusCode, "%s %s", c.method, c.path)
	}
}

// BenchmarkPutItem measures PutItem of 1 KB in the handler, with and without metrics.
func BenchmarkPutItem(b *testing.B) {
	for name, opts := range map[string][]emulator.Option{"off": nil, "on": metrics.Options(nil)} {
		b.Run(name, func(b *testing.B) {
			e := emulator.New(opts...)
			client := emulatortest.NewClient(e)
			_, err := client.CreateTable(b.Context(), tunes("one"))
			require.NoError(b, err)
			header := http.Header{
				"Content-Type": {"application/x-amz-json-1.0"},
				"X-Amz-Target": {"DynamoDB_20120810.PutItem"}, "X-Amz-Date": {"20260101T000000Z"},
				"Authorization": {
					"AWS4-HMAC-SHA256 Credential=test/20260101/us-east-1/dynamodb/aws4_request, SignedHeaders=host;x-amz-date, Signature=0",
				},
			}
			body := `{"TableName":"one","Item":{"id":{"S":"1"},"x":{"S":"` +
				strings.Repeat("x", 1000) + `"}}}`
			w := httptest.NewRecorder()
			b.ReportAllocs()
			for b.Loop() {
				r := &http.Request{
					Method: "POST", URL: root, Header: header,
					Body: io.NopCloser(strings.NewReader(body)), ContentLength: int64(len(body)),
					RemoteAddr: "127.0.0.1:1",
				}
				w.Body.Reset()
				e.Handler().ServeHTTP(w, r.WithContext(b.Context()))
			}
			require.Equal(b, 200, w.Code)
		})
	}
}

var root = httptest.NewRequest("POST", "/", nil).URL

// TestMadeUpNames: names of tables that do not exist use no series.
func TestMadeUpNames(t *testing.T) {
	s := start(t)
	client := s.Client()
	ask := func(table string) {
		_, err := client.BatchExecuteStatement(t.Context(), &dynamodb.BatchExecuteStatementInput{
			Statements: []types.BatchStatementRequest{
				{Statement: aws.String(`SELECT * FROM "` + table + `" WHERE id = '1'`)},
			}})
		require.NoError(t, err)
	}
	for i := range metrics.MaxTables {
		ask(fmt.Sprint("made-up-", i))
	}
	create(t, client, "one")
	require.NoError(t, put(t.Context(), client, "one", "1"))
	ask("one")
	assert.Equal(t, map[string]float64{
		"{BatchExecuteStatement,(other),OK}": metrics.MaxTables, "{CreateTable,one,OK}": 1,
		"{PutItem,one,OK}": 1, "{BatchExecuteStatement,one,OK}": 1,
	}, of(scrape(t, s.URL()), "kugiri_requests_total"))
}
