package httpd

import (
	"bytes"
	"net/http"
	"runtime"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// counted is a body that counts its reads.
type counted struct {
	*bytes.Reader
	most int // bytes asked for at a time
}

func (c *counted) Read(b []byte) (int, error) {
	c.most = max(c.most, len(b))
	return c.Reader.Read(b)
}

func (c *counted) Close() error { return nil }

// TestLargeBodiesAreCopiedOnce: a large body takes its memory about once, and is read in parts,
// between which other requests have their turn.
func TestLargeBodiesAreCopiedOnce(t *testing.T) {
	const size = 12 << 20
	transit := NewTransit(TransitMemory)
	body := &counted{Reader: bytes.NewReader(make([]byte, size))}
	r := &http.Request{Body: body, ContentLength: size}
	m := new(Request)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	text, err := transit.ReadBody(r, 16<<20, m)
	runtime.ReadMemStats(&after)
	require.NoError(t, err)
	assert.Len(t, text, size)
	assert.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(size+4*paceBytes))
	assert.LessOrEqual(t, body.most, mostRead)
	m.large.end()
	assert.True(t, transit.TryReserve(TransitMemory), "all is given back")
}

// TestWhatIsAnnouncedTakesNoMemory: a body takes memory as it arrives, and all that it announced
// only after paceBytes.
func TestWhatIsAnnouncedTakesNoMemory(t *testing.T) {
	const size = 16 << 20
	for _, c := range []struct {
		name          string
		arrives, most int
	}{
		{"nothing", 0, 2 * Trusted},
		{"a little", Trusted, 4 * Trusted},
		{"almost paceBytes", paceBytes - 1, 4 * paceBytes},
		{"more", paceBytes + 1, size + 4*paceBytes},
	} {
		t.Run(c.name, func(t *testing.T) {
			b, err := readSize(nil, bytes.NewReader(make([]byte, c.arrives)), size)
			require.Error(t, err)
			assert.Len(t, b, c.arrives)
			assert.LessOrEqual(t, cap(b), c.most)
		})
	}
}
