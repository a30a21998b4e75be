package remote

import (
	"bytes"
	"context"
	"errors"
	"io"
	"maps"
	"net/http"
	"time"

	"github.com/kugiri-db/kugiri/emulator/explore/search"
	"github.com/kugiri-db/kugiri/emulator/internal/auth"
)

// maxRequest is how much of a body is read: a byte more than the service takes.
const maxRequest = 16<<20 + 1

// refusal is the answer to a request that is not part of a run. SDKs do not retry it.
type refusal string

const (
	isOver = refusal(`{"__type":"com.kugiri.explore#RunIsOver",` +
		`"message":"explore: the run of this worker is over"}`)
	tooMany = refusal(`{"__type":"com.kugiri.explore#TooManyRequests",` +
		`"message":"explore: too many requests wait at the same time"}`)
	otherRegion = refusal(`{"__type":"com.kugiri.explore#OtherRegion",` +
		`"message":"explore: an exploration has one region, and this request is for another one"}`)
)

func (f refusal) ServeHTTP(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "application/x-amz-json-1.0")
	w.WriteHeader(http.StatusBadRequest)
	_, _ = io.WriteString(w, string(f))
}

// gate answers the requests of a worker.
func (h *host) gate(at place) http.Handler {
	return h.handler(func() (search.Sender, context.Context) {
		l := h.lives[at]
		if l == nil || l.ended {
			return nil, nil
		}
		return l.client, l.ctx
	})
}

// checkGate answers the requests of checks, at once.
func (h *host) checkGate() http.Handler {
	return h.handler(func() (search.Sender, context.Context) {
		if h.verdict == nil {
			return nil, nil
		}
		if h.watching {
			glance := search.Glance(h.run).HTTPClient(h.search.AccessKey, h.search.Region)
			return search.ReadOnly(glance), context.Background()
		}
		fork := h.run.Fork()
		return fork.HTTPClient(h.search.AccessKey, h.search.Region), context.Background()
	})
}

// handler answers requests by a sender, until a context ends. of is called with the lock held, and
// returns nil without a sender.
func (h *host) handler(of func() (search.Sender, context.Context)) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h.alive()
		defer h.alive()
		if who, err := auth.Authenticate(r, ""); err == nil && who.Region != h.search.Region {
			otherRegion.ServeHTTP(w, r)
			return
		}
		h.mu.Lock()
		h.warm = true
		sender, ends := of()
		crowded := h.waiting >= maxWaiting
		if sender == nil || crowded {
			h.mu.Unlock()
			refused := isOver
			if crowded {
				refused = tooMany
			}
			refused.ServeHTTP(w, r)
			return
		}
		h.waiting++
		h.mu.Unlock()
		defer func() {
			h.mu.Lock()
			defer h.mu.Unlock()
			h.waiting--
		}()
		pass(w, r, sender, ends)
	})
}

// pass answers a request by a sender, until ends does.
func pass(w http.ResponseWriter, r *http.Request, sender search.Sender, ends context.Context) {
	// A server may limit how long a request is read: this one waits. It is no matter if that fails.
	_ = http.NewResponseController(w).SetReadDeadline(time.Time{})
	body, err := io.ReadAll(io.LimitReader(r.Body, maxRequest))
	if err != nil {
		panic(http.ErrAbortHandler) // the client is gone
	}
	ctx, cancel := context.WithCancel(ends)
	defer cancel()
	defer context.AfterFunc(r.Context(), cancel)()
	in, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://"+r.Host+"/",
		bytes.NewReader(body))
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	in.Header = r.Header.Clone()
	for _, name := range [...]string{"Authorization", "X-Amz-Security-Token", "Accept-Encoding",
		"Content-Length"} {
		in.Header.Del(name)
	}
	answer, err := sender.Do(in)
	switch {
	case errors.Is(err, search.ErrOver) || ends.Err() != nil:
		isOver.ServeHTTP(w, r)
		return
	case err != nil: // the answer is lost, or the client is gone
		panic(http.ErrAbortHandler)
	}
	defer answer.Body.Close()
	maps.Copy(w.Header(), answer.Header)
	w.WriteHeader(answer.StatusCode)
	_, _ = io.Copy(w, answer.Body)
}
