package progress

import (
	"bytes"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestNothingIsDrawnToAPipe(t *testing.T) {
	var out bytes.Buffer
	assert.Nil(t, New(&out, "working", 10))
	file, err := os.CreateTemp(t.TempDir(), "")
	require.NoError(t, err)
	b := New(file, "working", 10)
	assert.Nil(t, b)
	b.Add(1) // a nil Bar does nothing
	b.Done()
	assert.Empty(t, out.String())
}

func TestDescribe(t *testing.T) {
	assert.Equal(t, "importing orders, 20000 a second",
		describe("importing orders", 50_000, 2500*time.Millisecond))
}
