package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/aws-sdk-go-v2/service/kinesis"
	kinesistypes "github.com/aws/aws-sdk-go-v2/service/kinesis/types"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/kinesissink"
	"github.com/kugiri-db/kugiri/emulator"
)

const testStream = "arn:aws:kinesis:us-east-1:000000000000:stream/songs"

// kinesisDouble is a Kinesis endpoint with the stream songs, whose faults a test chooses.
type kinesisDouble struct {
	*httptest.Server
	t *testing.T

	mu     sync.Mutex
	faults map[string]kinesisFault // faults by operation
	part   bool                    // the next PutRecords takes only the first record
	keys   []string                // the keys "pk" in the records that were taken
	more   chan struct{}
	closed chan struct{} // ends slow answers
}

// kinesisFault answers a request in place of the double.
type kinesisFault func(d *kinesisDouble, w http.ResponseWriter, r *http.Request)

// refused answers with an error.
func refused(status int, errorType string) kinesisFault {
	return func(_ *kinesisDouble, w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(status)
		fmt.Fprintf(w, `{"__type":%q}`, errorType)
	}
}

// hangsUp closes the connection without an answer.
func hangsUp(*kinesisDouble, http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }

// slow does not answer before the client gives up.
func slow(d *kinesisDouble, _ http.ResponseWriter, r *http.Request) {
	select {
	case <-r.Context().Done():
	case <-d.closed:
	}
}

func newKinesisDouble(t *testing.T) *kinesisDouble {
	d := &kinesisDouble{
		t: t, faults: map[string]kinesisFault{}, more: make(chan struct{}, 1),
		closed: make(chan struct{}),
	}
	d.Server = httptest.NewServer(d)
	t.Cleanup(d.Close)
	t.Cleanup(func() { close(d.closed) })
	return d
}

func (d *kinesisDouble) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "application/x-amz-json-1.1")
	var in struct {
		StreamName string
		Records    []struct{ Data []byte }
	}
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return // the client was killed while it sent the request
	}
	assert.NoError(d.t, json.Unmarshal(body, &in))
	operation := strings.TrimPrefix(r.Header.Get("X-Amz-Target"), "Kinesis_20131202.")
	d.mu.Lock()
	fault := d.faults[operation]
	d.mu.Unlock()
	if fault != nil {
		fault(d, w, r)
		return
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	switch {
	case in.StreamName != "songs":
		w.WriteHeader(http.StatusBadRequest)
		io.WriteString(w, `{"__type":"ResourceNotFoundException"}`)
	case operation == "DescribeStreamSummary":
		io.WriteString(w,
			`{"StreamDescriptionSummary":{"StreamName":"songs","StreamStatus":"ACTIVE"}}`)
	default:
		var out kinesisAnswer
		for i, record := range in.Records {
			if d.part && i > 0 {
				out.FailedRecordCount++
				out.Records = append(out.Records,
					map[string]string{"ErrorCode": "ProvisionedThroughputExceededException"})
				continue
			}
			d.keys = append(d.keys, pkIn(d.t, record.Data))
			out.Records = append(out.Records,
				map[string]string{"SequenceNumber": "1", "ShardId": "shardId-000000000000"})
		}
		d.part = false
		assert.NoError(d.t, json.NewEncoder(w).Encode(out))
		select {
		case d.more <- struct{}{}:
		default:
		}
	}
}

type kinesisAnswer struct {
	FailedRecordCount int
	Records           []map[string]string
}

// pkIn returns the partition key of the item in a record.
func pkIn(t *testing.T, data []byte) string {
	var record struct {
		DynamoDB struct {
			Keys struct{ PK struct{ S string } }
		}
	}
	assert.NoError(t, json.Unmarshal(data, &record))
	return record.DynamoDB.Keys.PK.S
}

func (d *kinesisDouble) set(down, part bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.part = part
	delete(d.faults, "PutRecords")
	if down {
		d.faults["PutRecords"] = refused(http.StatusServiceUnavailable,
			"ServiceUnavailableException")
	}
}

// fail answers an operation with a fault from now on.
func (d *kinesisDouble) fail(operation string, f kinesisFault) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.faults[operation] = f
}

// await waits until n different keys have come.
func (d *kinesisDouble) await(n int) {
	d.t.Helper()
	ctx, cancel := context.WithTimeout(d.t.Context(), time.Minute)
	defer cancel()
	for {
		d.mu.Lock()
		seen := map[string]bool{}
		for _, key := range d.keys {
			seen[key] = true
		}
		d.mu.Unlock()
		if len(seen) >= n {
			return
		}
		select {
		case <-d.more:
		case <-ctx.Done():
			require.FailNow(d.t, "records are missing", "%d of %d", len(seen), n)
		}
	}
}

func enableKinesis(t *testing.T, c *dynamodb.Client) {
	_, err := c.EnableKinesisStreamingDestination(
		t.Context(), &dynamodb.EnableKinesisStreamingDestinationInput{
			TableName: aws.String("table"), StreamArn: aws.String(testStream)})
	require.NoError(t, err)
	out, err := c.DescribeKinesisStreamingDestination(t.Context(),
		&dynamodb.DescribeKinesisStreamingDestinationInput{TableName: aws.String("table")})
	require.NoError(t, err)
	require.Equal(t, types.DestinationStatusActive,
		out.KinesisDataStreamDestinations[0].DestinationStatus,
		aws.ToString(out.KinesisDataStreamDestinations[0].DestinationStatusDescription))
}

// TestKinesisSurvivesKills: every write that was answered is sent, whatever comes between.
func TestKinesisSurvivesKills(t *testing.T) {
	d := newKinesisDouble(t)
	dir := filepath.Join(t.TempDir(), "data")
	var c *dynamodb.Client
	kill := func() {}
	again := func() {
		var url string
		kill()
		url, kill = start(t, "--data-dir", dir, "--kinesis-endpoint", d.URL)
		c = client(url)
	}
	again()
	defer func() { kill() }()
	createTable(t, c)
	enableKinesis(t, c)
	written := 0
	for round := range 4 {
		d.set(round%2 == 0, round == 3)
		for range 50 {
			_, err := c.PutItem(
				t.Context(), &dynamodb.PutItemInput{TableName: aws.String(
					"table"), Item: map[string]types.AttributeValue{
					"pk": &types.AttributeValueMemberS{Value: fmt.Sprint(written)},
					"v":  &types.AttributeValueMemberN{Value: "1"}}})
			require.NoError(t, err)
			written++
		}
		again()
	}
	d.set(false, false)
	d.await(written)
}

func TestKinesisSettings(t *testing.T) {
	for endpoint, ok := range map[string]bool{"": true, "aws": true, "http://localhost:4567": true,
		"https://kinesis:1": true,
		"localhost:4567":    false, "ftp://localhost": false, "http://": false} {
		t.Run(endpoint, func(t *testing.T) {
			err := (&kinesissink.Settings{Endpoint: endpoint}).Check()
			assert.Equal(t, ok, err == nil, err)
		})
	}
	assert.Error(t, (&kinesissink.Settings{Memory: -1}).Check())
}

func TestKinesisSinkAnswers(t *testing.T) {
	d := newKinesisDouble(t)
	s, err := (&kinesissink.Settings{Endpoint: d.URL}).Sink(t.Context())
	require.NoError(t, err)
	records := []emulator.KinesisRecord{{PartitionKey: "a", Data: []byte(`{}`)},
		{PartitionKey: "b", Data: []byte(`{}`)}}
	assert.NoError(t, s.CheckStream(t.Context(), testStream))
	assert.ErrorIs(t, s.CheckStream(t.Context(), testStream+"-none"), emulator.ErrNoKinesisStream)
	d.set(false, true)
	rejected, err := s.PutRecords(t.Context(), testStream, records)
	require.NoError(t, err)
	assert.Equal(t, records[1:], rejected)
	d.set(true, false)
	_, err = s.PutRecords(t.Context(), testStream, records)
	assert.Error(t, err)
	d.Close()
	err = s.CheckStream(t.Context(), testStream)
	assert.Error(t, err)
	assert.NotErrorIs(t, err, emulator.ErrNoKinesisStream, "nobody knows")
}

// TestKinesisSinkFaults: a sink whose endpoint fails says in time that no record was taken, and
// never that the stream does not exist unless the endpoint says so.
func TestKinesisSinkFaults(t *testing.T) {
	records := []emulator.KinesisRecord{
		{PartitionKey: "a", Data: []byte(`{"dynamodb":{"Keys":{"pk":{"S":"a"}}}}`)},
	}
	for _, c := range []struct {
		name  string
		fault kinesisFault
		gone  bool // the stream cannot take records

		timeout time.Duration
	}{
		{"throttled by the shard",
			refused(http.StatusBadRequest, "ProvisionedThroughputExceededException"), false, 0},
		{"throttled by the account", refused(http.StatusBadRequest, "LimitExceededException"),
			false, 0},
		{"throttled", refused(http.StatusBadRequest, "ThrottlingException"), false, 0},
		{"internal error", refused(http.StatusInternalServerError, "InternalFailureException"),
			false, 0},
		{"unavailable", refused(http.StatusServiceUnavailable, "ServiceUnavailable"), false, 0},
		{"closed connection", hangsUp, false, 0},
		{"slow", slow, false, 100 * time.Millisecond},
		{"an answer that is not JSON", refused(http.StatusBadGateway, "<html>"), false, 0},
		{"no such stream", refused(http.StatusBadRequest, "ResourceNotFoundException"), true, 0},
		{"no permission", refused(http.StatusBadRequest, "AccessDeniedException"), true, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := newKinesisDouble(t)
			s, err := (&kinesissink.Settings{Endpoint: d.URL}).Sink(t.Context())
			require.NoError(t, err)
			s.Timeout = c.timeout
			d.fail("DescribeStreamSummary", c.fault)
			d.fail("PutRecords", c.fault)
			err = s.CheckStream(t.Context(), testStream)
			require.Error(t, err)
			assert.Equal(t, c.gone, errors.Is(err, emulator.ErrNoKinesisStream), err)
			_, err = s.PutRecords(t.Context(), testStream, records)
			require.Error(t, err)
			d.set(false, false)
			s.Timeout = 0
			rejected, err := s.PutRecords(t.Context(), testStream, records)
			require.NoError(t, err)
			assert.Empty(t, rejected)
		})
	}
}

// TestKinesalite sends changes to kinesalite, and reads them back as a consumer does.
func TestKinesalite(t *testing.T) {
	endpoint := startKinesalite(t)
	k := kinesis.New(kinesis.Options{
		BaseEndpoint: &endpoint, Region: "us-east-1",
		Credentials: credentials.NewStaticCredentialsProvider("AKIDEXAMPLE", "secret", ""),
	})
	_, err := k.CreateStream(t.Context(),
		&kinesis.CreateStreamInput{StreamName: aws.String("songs"), ShardCount: aws.Int32(2)})
	require.NoError(t, err)
	require.NoError(t,
		kinesis.NewStreamExistsWaiter(k,
			func(o *kinesis.StreamExistsWaiterOptions) {
				o.MinDelay, o.MaxDelay = 50*time.Millisecond, time.Second
			}).
			Wait(t.Context(), &kinesis.DescribeStreamInput{StreamName: aws.String("songs")},
				time.Minute))
	url, kill := start(t, "--kinesis-endpoint", endpoint)
	defer kill()
	c := client(url)
	createTable(t, c)
	enableKinesis(t, c)
	want := map[string]bool{}
	for i := range 600 {
		pk := fmt.Sprint(i)
		_, err := c.PutItem(
			t.Context(), &dynamodb.PutItemInput{TableName: aws.String(
				"table"), Item: map[string]types.AttributeValue{
				"pk": &types.AttributeValueMemberS{Value: pk},
				"v":  &types.AttributeValueMemberN{Value: "1"}}})
		require.NoError(t, err)
		want[pk] = true
	}
	assert.Equal(t, want, consume(t, k, len(want)))
}

// consume reads all shards of the stream songs until there are n different keys.
func consume(t *testing.T, k *kinesis.Client, n int) map[string]bool {
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	shards, err := k.ListShards(ctx, &kinesis.ListShardsInput{StreamName: aws.String("songs")})
	require.NoError(t, err)
	require.Len(t, shards.Shards, 2)
	var iterators []*string
	for _, sh := range shards.Shards {
		it, err := k.GetShardIterator(
			ctx, &kinesis.GetShardIteratorInput{StreamName: aws.String("songs"),
				ShardId:           sh.ShardId,
				ShardIteratorType: kinesistypes.ShardIteratorTypeTrimHorizon})
		require.NoError(t, err)
		iterators = append(iterators, it.ShardIterator)
	}
	seen, of := map[string]bool{}, map[int]int{}
	for len(seen) < n {
		for i := range iterators {
			page, err := k.GetRecords(ctx, &kinesis.GetRecordsInput{ShardIterator: iterators[i]})
			require.NoError(t, err)
			iterators[i] = page.NextShardIterator
			for _, r := range page.Records {
				seen[pkIn(t, r.Data)] = true
				of[i]++
			}
		}
	}
	assert.Len(t, of, 2, "partition keys spread over the shards")
	return seen
}

// startKinesalite starts the kinesalite of conformance/clients/kinesis, and returns its URL.
func startKinesalite(t *testing.T) (endpoint string) {
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("there is no node to run kinesalite with")
	}
	free, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	_, port, err := net.SplitHostPort(free.Addr().String())
	require.NoError(t, err)
	require.NoError(t, free.Close())
	var log bytes.Buffer
	c := exec.Command(node, filepath.Join(kinesaliteModules(t), "kinesalite", "cli.js"), "--port",
		port, "--createStreamMs", "10")
	c.Stdout, c.Stderr = &log, &log
	require.NoError(t, c.Start())
	t.Cleanup(func() {
		c.Process.Kill()
		c.Wait()
		if t.Failed() {
			t.Log(log.String())
		}
	})
	address := net.JoinHostPort("127.0.0.1", port)
	require.EventuallyWithT(t, func(t *assert.CollectT) {
		conn, err := net.Dial("tcp", address)
		if assert.NoError(t, err) {
			conn.Close()
		}
	}, time.Minute, 20*time.Millisecond)
	return "http://" + address
}

// kinesaliteModules returns a directory with the packages of package-lock.json. npm installs them
// once.
func kinesaliteModules(t *testing.T) string {
	npm, err := exec.LookPath("npm")
	if err != nil {
		t.Skip("there is no npm to fetch kinesalite with")
	}
	from := filepath.Join("..", "..", "conformance", "clients", "kinesis")
	lock, err := os.ReadFile(filepath.Join(from, "package-lock.json"))
	require.NoError(t, err)
	sum := sha256.Sum256(lock)
	dir := filepath.Join(os.TempDir(), "kugiri-kinesalite-"+hex.EncodeToString(sum[:8]))
	done := filepath.Join(dir, "done")
	if _, err := os.Stat(done); err == nil {
		return filepath.Join(dir, "node_modules")
	}
	require.NoError(t, os.MkdirAll(dir, 0o755))
	for _, name := range []string{"package.json", "package-lock.json"} {
		text, err := os.ReadFile(filepath.Join(from, name))
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), text, 0o644))
	}
	c := exec.CommandContext(t.Context(), npm, "ci", "--no-audit", "--no-fund", "--ignore-scripts")
	c.Dir = dir
	if out, err := c.CombinedOutput(); err != nil {
		t.Skipf("npm cannot fetch kinesalite: %v\n%s", err, out)
	}
	require.NoError(t, os.WriteFile(done, nil, 0o644))
	return filepath.Join(dir, "node_modules")
}
