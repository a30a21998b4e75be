package streams

import (
	"testing"
	"time"

	"github.com/kugiri-db/kugiri/conventions/api"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// FuzzShardIterator: an iterator reads back as it was written, and no other text reads as one.
func FuzzShardIterator(f *testing.F) {
	it := shardIterator{
		"arn:aws:dynamodb:us-east-1:000000000000:table/t/stream/2026-01-01T00:00:00.000", 7, 42,
		time.UnixMilli(1_767_225_600_000),
	}
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
