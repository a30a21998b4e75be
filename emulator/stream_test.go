package emulator

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/emulator/internal/api"
	"github.com/kugiri-db/kugiri/storage"
)

func TestSequenceNumber(t *testing.T) {
	for _, seq := range []uint64{0, 1, 9, 10, 1 << 40, 1<<64 - 1} {
		got, ok := parseSequenceNumber(*sequenceNumber(seq))
		assert.True(t, ok)
		assert.Equal(t, seq, got)
		assert.GreaterOrEqual(t, len(*sequenceNumber(seq)), 21)
	}
	for name, text := range map[string]api.SequenceNumber{
		"short": "1", "long": "1000000000000000000000", "another start": "000000000000000000001",
		"letters": "10000000000000000000x", "too large": "199999999999999999999",
	} {
		_, ok := parseSequenceNumber(text)
		assert.False(t, ok, name)
	}
}

// FuzzShardIterator: what is read is what was written, and nothing else is read.
func FuzzShardIterator(f *testing.F) {
	it := shardIterator{"arn:aws:dynamodb:us-east-1:000000000000:table/t/stream/2026-01-01T00:00:00.000", 7, 42, time.UnixMilli(1_767_225_600_000)}
	f.Add(it.String())
	f.Add(it.arn + "|1|")
	f.Add("")
	f.Fuzz(func(t *testing.T, text string) {
		got, err := parseShardIterator(api.ShardIterator(text))
		if err != nil {
			assert.EqualError(t, err, "ValidationException: Invalid ShardIterator")
			return
		}
		require.Equal(t, text, got.String())
	})
}

func TestShardIterator(t *testing.T) {
	it := shardIterator{"arn", 7, 42, time.UnixMilli(1_767_225_600_000)}
	got, err := parseShardIterator(api.ShardIterator(it.String()))
	require.NoError(t, err)
	assert.Equal(t, it, got)
	_, err = parseShardIterator(api.ShardIterator("x" + it.String()))
	assert.Error(t, err, "another stream's")
}

// BenchmarkStream measures what a stream that nobody reads adds to a put.
func BenchmarkStream(b *testing.B) {
	for _, bench := range []struct{ name, spec string }{
		{"without", ""},
		{"with", `{"TableName":"bench","StreamSpecification":{"StreamEnabled":true,"StreamViewType":"NEW_AND_OLD_IMAGES"}}`},
	} {
		b.Run(bench.name, func(b *testing.B) {
			c := newBench(b, false)
			if bench.spec != "" {
				benchServe(b, c, "UpdateTable", bench.spec)
			}
			bodies := make([]string, 1000) // each item comes in two versions, so that every put is a change
			for i := range bodies {
				bodies[i] = `{"TableName":"bench","Item":` + benchItem(i%500*7919%benchItems, 1+i/500) + `}`
			}
			c.operation = operationsByTarget["DynamoDB_20120810.PutItem"]
			put := c.operation.serve
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				if _, err := put(c, bodies[i%len(bodies)], nil); err != nil {
					b.Fatal(err)
				}
				c.memory.Reset()
			}
		})
	}
}

// TestIteratorsAtTheBordersOfAShard: in an emulator of its own, where no other
// change moves the last sequence number.
func TestIteratorsAtTheBordersOfAShard(t *testing.T) {
	x := newItemTest(t)
	var table struct {
		TableDescription struct{ LatestStreamArn string }
	}
	update := `{"TableName":"plain","StreamSpecification":{"StreamEnabled":true,"StreamViewType":"KEYS_ONLY"}}`
	require.NoError(t, json.Unmarshal([]byte(x.do("UpdateTable", update)), &table))
	arn := table.TableDescription.LatestStreamArn
	shard := func() (id, first, last string) {
		var out struct {
			StreamDescription struct {
				Shards []struct {
					ShardId             string
					SequenceNumberRange struct{ StartingSequenceNumber, EndingSequenceNumber string }
				}
			}
		}
		require.NoError(t, json.Unmarshal([]byte(x.target("DynamoDBStreams_20120810.DescribeStream", `{"StreamArn":"`+arn+`"}`)), &out))
		require.Len(t, out.StreamDescription.Shards, 1)
		s := out.StreamDescription.Shards[0]
		return s.ShardId, s.SequenceNumberRange.StartingSequenceNumber, s.SequenceNumberRange.EndingSequenceNumber
	}
	id, first, _ := shard()
	records := func(kind, seq string) (keys []string, err string) {
		in := `{"StreamArn":"` + arn + `","ShardId":"` + id + `","ShardIteratorType":"` + kind + `"`
		if seq != "" {
			in += `,"SequenceNumber":"` + seq + `"`
		}
		answer := x.target("DynamoDBStreams_20120810.GetShardIterator", in+`}`)
		var it struct{ ShardIterator string }
		if json.Unmarshal([]byte(answer), &it) != nil {
			return nil, answer
		}
		var out struct {
			Records []struct {
				Dynamodb struct {
					Keys struct{ PK struct{ S string } }
				}
			}
		}
		require.NoError(t, json.Unmarshal([]byte(x.target("DynamoDBStreams_20120810.GetRecords", `{"ShardIterator":"`+it.ShardIterator+`"}`)), &out))
		for _, r := range out.Records {
			keys = append(keys, r.Dynamodb.Keys.PK.S)
		}
		return keys, ""
	}
	reads := func(kind, seq string, want ...string) {
		t.Helper()
		keys, err := records(kind, seq)
		assert.Empty(t, err)
		assert.Equal(t, want, keys, "%s %s", kind, seq)
	}
	x.do("PutItem", `{"TableName":"plain","Item":{"pk":{"S":"a"}}}`)
	x.do("PutItem", `{"TableName":"plain","Item":{"pk":{"S":"b"}}}`)
	ns := x.emulator.service.namespaces.all()
	require.Len(t, ns, 1)
	var seq uint64
	require.NoError(t, ns[0].store.View(func(tx *storage.Tx) error { seq = tx.LastSeq(); return nil }))
	newest := string(*sequenceNumber(seq))
	reads("LATEST", "")
	reads("TRIM_HORIZON", "", "a", "b")
	reads("AT_SEQUENCE_NUMBER", first, "a", "b")
	reads("AT_SEQUENCE_NUMBER", newest, "b")
	reads("AFTER_SEQUENCE_NUMBER", newest)
	_, err := records("AT_SEQUENCE_NUMBER", string(*sequenceNumber(seq + 1)))
	assert.Equal(t, "ValidationException: Invalid SequenceNumber", err)

	x.do("UpdateTable", `{"TableName":"plain","StreamSpecification":{"StreamEnabled":false}}`)
	_, first, last := shard()
	seq, _ = parseSequenceNumber(api.SequenceNumber(first))
	_, err = records("AT_SEQUENCE_NUMBER", string(*sequenceNumber(seq - 1)))
	assert.Equal(t, "ValidationException: Invalid SequenceNumber", err)
	reads("AT_SEQUENCE_NUMBER", last)
	end, _ := parseSequenceNumber(api.SequenceNumber(last))
	x.do("PutItem", `{"TableName":"ranged","Item":{"pk":{"S":"a"},"sk":{"N":"1"}}}`)
	_, err = records("AT_SEQUENCE_NUMBER", string(*sequenceNumber(end + 1)))
	assert.Equal(t, "ValidationException: Invalid SequenceNumber", err)
}
