package progress

import (
	"bytes"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestBytes: the bar of a file shows how much of the file has been read, and the number of items.
func TestBytes(t *testing.T) {
	var out bytes.Buffer
	b := &Bar{out: &out, what: "importing orders", total: 1000, bytes: true, started: time.Now()}
	_, err := io.CopyN(io.Discard, b.Reading(strings.NewReader(strings.Repeat("x", 1000))), 400)
	require.NoError(t, err)
	assert.Empty(t, out.String(), "before patience is over")
	b.started = b.started.Add(-2 * patience)
	b.Add(7)
	assert.Contains(t, out.String(), "(400 B/1.0 kB")
	assert.Contains(t, out.String(), " a second, 7 items")
	b.Done()
}
