package journal

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	_ "github.com/kugiri-db/kugiri/storage/rapidseed" // fixes the seed
)

// replay is a Target that writes the operations to another batch.
type replay struct{ Batch }

func (r *replay) Put(bucket, key, value []byte) {
	r.Batch.Put(string(bucket), string(key), string(value))
}
func (r *replay) Delete(bucket, key []byte) { r.Batch.Delete(string(bucket), string(key)) }
func (r *replay) Drop(bucket []byte)        { r.Batch.Drop(string(bucket)) }

func TestBatchRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var b Batch
		text := rapid.StringN(0, 300, 600)
		for range rapid.IntRange(0, 5).Draw(t, "operations") {
			bucket := text.Draw(t, "bucket")
			switch rapid.IntRange(0, 2).Draw(t, "kind") {
			case 0:
				b.Put(bucket, text.Draw(t, "key"), text.Draw(t, "value"))
			case 1:
				b.Delete(bucket, text.Draw(t, "key"))
			case 2:
				b.Drop(bucket)
			}
		}
		var again replay
		require.NoError(t, Decode(b.Bytes(), &again))
		require.True(t, bytes.Equal(b.Bytes(), again.Bytes()))
	})
}

func TestDecodeRefuses(t *testing.T) {
	var whole Batch
	whole.Put("bucket", "key", "value")
	cases := map[string][]byte{
		"an unknown kind": {'?', 0}, "a length without an end": {opDrop, 0xff},
		"a length beyond the end": {opDrop, 5, 'a'},
	}
	for n := 1; n < len(whole.Bytes()); n++ {
		cases["cut short at "+string(rune('0'+n))] = whole.Bytes()[:n]
	}
	for name, encoded := range cases {
		t.Run(name, func(t *testing.T) {
			var done replay
			require.ErrorIs(t, Decode(encoded, &done), errBatch)
			require.True(t, done.Empty(), "half an operation was done")
		})
	}
}

func TestResetKeepsLittle(t *testing.T) {
	var b Batch
	b.Put("b", "k", string(make([]byte, 2*keptBatch)))
	b.Reset()
	require.True(t, b.Empty())
	require.Zero(t, cap(b.Bytes()))
}

// FuzzDecode: bytes that can be decoded can be encoded and decoded again, with the same result.
func FuzzDecode(f *testing.F) {
	var b Batch
	b.Put("bucket", "key", "value")
	b.Delete("bucket", "key")
	b.Drop("bucket")
	f.Add(b.Bytes())
	f.Add([]byte{opDrop, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01})
	f.Fuzz(func(t *testing.T, encoded []byte) {
		var first, second replay
		if Decode(encoded, &first) != nil {
			return
		}
		require.NoError(t, Decode(first.Bytes(), &second))
		require.True(t, bytes.Equal(first.Bytes(), second.Bytes()))
	})
}
