package listen

import (
	"context"
	"net/http"
	"time"

	"golang.org/x/sync/semaphore"
)

// The limits of what all clients of a server may take together.
const (
	maxConns = 4096
	bodyRoom = 128 << 20 // bytes of large bodies until they are answered
	trusted  = 64 << 10  // bytes of a body that needs no room
	roomWait = 30 * time.Second
	// mostBody is the room of a body that does not say its length. Handlers read no more of one.
	mostBody = 16 << 20
)

// withRoom has large bodies wait until there is room for them, so that many of them together take
// no more than bodyRoom. A handler bounds each of them.
func withRoom(h http.Handler) http.Handler {
	room := semaphore.NewWeighted(bodyRoom)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		size := r.ContentLength
		if size < 0 || size > mostBody {
			size = mostBody
		}
		if size > trusted {
			ctx, cancel := context.WithTimeout(r.Context(), roomWait)
			err := room.Acquire(ctx, size)
			cancel()
			if err != nil {
				http.Error(w, "the server is busy with large requests: try again",
					http.StatusServiceUnavailable)
				return
			}
			defer room.Release(size)
		}
		h.ServeHTTP(w, r)
	})
}
