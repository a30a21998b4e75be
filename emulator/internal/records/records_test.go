package records

import (
	"testing"

	"github.com/kugiri-db/kugiri/conventions/api"
	"github.com/stretchr/testify/assert"
)

func TestSequenceNumber(t *testing.T) {
	for _, seq := range []uint64{0, 1, 9, 10, 1 << 40, 1<<64 - 1} {
		got, ok := ParseSequenceNumber(*SequenceNumber(seq))
		assert.True(t, ok)
		assert.Equal(t, seq, got)
		assert.GreaterOrEqual(t, len(*SequenceNumber(seq)), 21)
	}
	for name, text := range map[string]api.SequenceNumber{
		"short": "1", "long": "1000000000000000000000", "another start": "000000000000000000001",
		"letters": "10000000000000000000x", "too large": "199999999999999999999",
	} {
		_, ok := ParseSequenceNumber(text)
		assert.False(t, ok, name)
	}
}
