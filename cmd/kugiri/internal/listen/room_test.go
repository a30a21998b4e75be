package listen

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestRoom: large bodies take turns, and small ones do not wait for them.
func TestRoom(t *testing.T) {
	var within, most atomic.Int64
	inside, leave := make(chan bool, 100), make(chan bool)
	s := httptest.NewServer(withRoom(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/small" {
			return
		}
		n := within.Add(1)
		for old := most.Load(); n > old && !most.CompareAndSwap(old, n); old = most.Load() {
		}
		_, _ = io.Copy(io.Discard, r.Body)
		inside <- true
		<-leave
		within.Add(-1)
	})))
	defer s.Close()
	const large = bodyRoom / mostBody
	post := func(path string, body io.Reader) {
		answer, err := http.Post(s.URL+path, "text/plain", body)
		require.NoError(t, err)
		answer.Body.Close()
		assert.Equal(t, http.StatusOK, answer.StatusCode)
	}
	var all sync.WaitGroup
	for i := range 2 * large {
		all.Go(func() {
			if i%2 == 0 {
				post("/", strings.NewReader(strings.Repeat("x", mostBody)))
			} else { // the body has no length
				post("/", io.MultiReader(strings.NewReader("x")))
			}
		})
	}
	for range large {
		<-inside
	}
	post("/small", strings.NewReader("x"))
	assert.EqualValues(t, large, within.Load())
	close(leave)
	all.Wait()
	assert.LessOrEqual(t, most.Load(), int64(large))
}
