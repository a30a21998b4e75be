package trigger

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sync/semaphore"
)

// TestResponsesTogether: responses share a room, beyond the begin of each, and give it back.
func TestResponsesTogether(t *testing.T) {
	defer func(all *semaphore.Weighted) { responses = all }(responses)
	responses = semaphore.NewWeighted(2 * smallResponse)
	for _, c := range []struct {
		name  string
		bytes int
		taken int64 // bytes that others hold
		fails bool
	}{
		{"small", smallResponse - 1, 2 * smallResponse, false},
		{"with room", 5 * smallResponse / 2, 0, false},
		{"with too little", 5 * smallResponse / 2, smallResponse, true},
		{"larger than all room", 4 * smallResponse, 0, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			server := httptest.NewServer(http.HandlerFunc(
				func(w http.ResponseWriter, _ *http.Request) {
					w.Write([]byte(strings.Repeat(" ", c.bytes)))
				}))
			defer server.Close()
			require.True(t, responses.TryAcquire(c.taken))
			_, err := HTTP(server.URL)(t.Context(), nil)
			if c.fails {
				require.ErrorIs(t, err, errNoRoom)
			} else {
				require.NoError(t, err)
			}
			responses.Release(c.taken)
			assert.True(t, responses.TryAcquire(2*smallResponse), "all is given back")
			responses.Release(2 * smallResponse)
		})
	}
}
