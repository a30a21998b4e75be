package emulator

import (
	"encoding/json"
	"testing"

	"github.com/kugiri-db/kugiri/conventions/api"
	"github.com/kugiri-db/kugiri/emulator/internal/records"
	"github.com/kugiri-db/kugiri/storage"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

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
			// each item comes in two versions, so that every put is a change
			bodies := make([]string, 1000)
			for i := range bodies {
				bodies[i] = `{"TableName":"bench","Item":` +
					benchItem(i%500*7919%benchItems, 1+i/500) + `}`
			}
			c.Operation = operationsByTarget["DynamoDB_20120810.PutItem"]
			put := c.Operation.Serve
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				if _, err := put(c, bodies[i%len(bodies)], nil); err != nil {
					b.Fatal(err)
				}
				c.Memory.Reset()
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
					SequenceNumberRange struct {
						StartingSequenceNumber, EndingSequenceNumber string
					}
				}
			}
		}
		require.NoError(t,
			json.Unmarshal(
				[]byte(x.do("DescribeStream",
					`{"StreamArn":"`+arn+`"}`)), &out))
		require.Len(t, out.StreamDescription.Shards, 1)
		s := out.StreamDescription.Shards[0]
		return s.ShardId, s.SequenceNumberRange.StartingSequenceNumber,
			s.SequenceNumberRange.EndingSequenceNumber
	}
	id, first, _ := shard()
	recordsFrom := func(kind, seq string) (keys []string, err string) {
		in := `{"StreamArn":"` + arn + `","ShardId":"` + id + `","ShardIteratorType":"` + kind + `"`
		if seq != "" {
			in += `,"SequenceNumber":"` + seq + `"`
		}
		answer := x.do("GetShardIterator", in+`}`)
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
		require.NoError(t,
			json.Unmarshal(
				[]byte(x.do("GetRecords",
					`{"ShardIterator":"`+it.ShardIterator+`"}`)), &out))
		for _, r := range out.Records {
			keys = append(keys, r.Dynamodb.Keys.PK.S)
		}
		return keys, ""
	}
	reads := func(kind, seq string, want ...string) {
		t.Helper()
		keys, err := recordsFrom(kind, seq)
		assert.Empty(t, err)
		assert.Equal(t, want, keys, "%s %s", kind, seq)
	}
	x.do("PutItem", `{"TableName":"plain","Item":{"pk":{"S":"a"}}}`)
	x.do("PutItem", `{"TableName":"plain","Item":{"pk":{"S":"b"}}}`)
	ns := x.emulator.service.Namespaces.All()
	require.Len(t, ns, 1)
	var seq uint64
	require.NoError(t,
		ns[0].Store.View(func(tx *storage.Tx) error { seq = tx.Streams().LastSeq(); return nil }))
	newest := string(*records.SequenceNumber(seq))
	reads("LATEST", "")
	reads("TRIM_HORIZON", "", "a", "b")
	reads("AT_SEQUENCE_NUMBER", first, "a", "b")
	reads("AT_SEQUENCE_NUMBER", newest, "b")
	reads("AFTER_SEQUENCE_NUMBER", newest)
	_, err := recordsFrom("AT_SEQUENCE_NUMBER", string(*records.SequenceNumber(seq + 1)))
	assert.Equal(t, "ValidationException: Invalid SequenceNumber", err)

	x.do("UpdateTable", `{"TableName":"plain","StreamSpecification":{"StreamEnabled":false}}`)
	_, first, last := shard()
	seq, _ = records.ParseSequenceNumber(api.SequenceNumber(first))
	_, err = recordsFrom("AT_SEQUENCE_NUMBER", string(*records.SequenceNumber(seq - 1)))
	assert.Equal(t, "ValidationException: Invalid SequenceNumber", err)
	reads("AT_SEQUENCE_NUMBER", last)
	end, _ := records.ParseSequenceNumber(api.SequenceNumber(last))
	x.do("PutItem", `{"TableName":"ranged","Item":{"pk":{"S":"a"},"sk":{"N":"1"}}}`)
	_, err = recordsFrom("AT_SEQUENCE_NUMBER", string(*records.SequenceNumber(end + 1)))
	assert.Equal(t, "ValidationException: Invalid SequenceNumber", err)
}
