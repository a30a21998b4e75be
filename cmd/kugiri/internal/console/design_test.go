package console

import (
	"context"
	"net/http"
	"net/http/httptest"
	"os"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/conventions/design/designfile"
	"github.com/kugiri-db/kugiri/emulator"
	"github.com/kugiri-db/kugiri/storage/growth"
)

func TestDesigns(t *testing.T) {
	h := Handler(Local(emulator.New(), "v1", nil), everybody)
	example := string(designfile.Example())
	for _, c := range []struct {
		name, method, query, body string
		status                    int
		has                       string
	}{
		{"the example", "GET", "", "", 200, "models:"},
		{"a plan", "POST", "?do=plan", example, 200, `"table":"posts"`},
		{"a plan of nothing", "POST", "?do=plan", "", 400, "DesignException"},
		{"a plan of something else", "POST", "?do=plan", "table: 1\nmodels: 2", 400, "models"},
		{"nothing to do", "POST", "", example, 400, "the parameter do is"},
		{"a model of nobody", "POST", "?do=from", "{}", 400, "DesignException"},
		{"a text that is too long", "POST", "?do=plan", strings.Repeat("#", maxDesign+1), 400,
			"too large"},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := httptest.NewRecorder()
			h.ServeHTTP(w, httptest.NewRequest(c.method, Path+"design"+c.query,
				strings.NewReader(c.body)))
			assert.Equal(t, c.status, w.Code)
			assert.Contains(t, w.Body.String(), c.has)
			assert.Equal(t, "no-store", w.Header().Get("Cache-Control"))
		})
	}
}

// leaving is the context of a client that leaves once it was asked for a number of times.
type leaving struct {
	context.Context
	after, asked int64
}

func (l *leaving) Err() error {
	if atomic.AddInt64(&l.asked, 1) > l.after {
		return context.Canceled
	}
	return nil
}

// TestDesignsOfWhoLeft: what is done for a page ends when the page does not wait for it any more,
// and the next one has its turn.
func TestDesignsOfWhoLeft(t *testing.T) {
	h := Handler(Local(emulator.New(), "v1", nil), everybody)
	example := string(designfile.Example())
	for _, do := range []string{"verify", "load"} {
		t.Run(do, func(t *testing.T) {
			l := &leaving{t.Context(), 50, 0}
			w := httptest.NewRecorder()
			h.ServeHTTP(w, httptest.NewRequestWithContext(l, "POST", Path+"design?do="+do,
				strings.NewReader(example)))
			assert.NotContains(t, w.Body.String(), `"report":`)
			assert.NotContains(t, w.Body.String(), `"load":`)
			assert.Greater(t, l.asked, l.after)
			assert.Less(t, l.asked, l.after+100)
			w = httptest.NewRecorder()
			h.ServeHTTP(w, httptest.NewRequest("POST", Path+"design?do=plan",
				strings.NewReader(example)))
			assert.Equal(t, http.StatusOK, w.Code)
		})
	}
}

// TestDesignsInTurn: who waits for a turn may leave, and no more than a few wait.
func TestDesignsInTurn(t *testing.T) {
	d := newDesigns()
	d.turn <- struct{}{} // somebody has it
	post := func(ctx context.Context) *httptest.ResponseRecorder {
		w := httptest.NewRecorder()
		d.serve(w, httptest.NewRequestWithContext(ctx, "POST", Path+"design?do=plan",
			strings.NewReader(string(designfile.Example()))))
		return w
	}
	ctx, leave := context.WithCancel(t.Context())
	ended := make(chan *httptest.ResponseRecorder, designsWaiting)
	for range designsWaiting {
		go func() { ended <- post(ctx) }()
	}
	var refused *httptest.ResponseRecorder
	require.Eventually(t, func() bool {
		if len(d.waiting) < designsWaiting {
			return false
		}
		refused = post(t.Context())
		return true
	}, time.Minute, time.Millisecond)
	assert.Equal(t, http.StatusServiceUnavailable, refused.Code)
	assert.Contains(t, refused.Body.String(), "LimitExceededException")
	leave()
	for range designsWaiting {
		assert.Empty(t, (<-ended).Body.String())
	}
	<-d.turn
	assert.Equal(t, http.StatusOK, post(t.Context()).Code)
}

// hostileDesigns are short designs that ask for much.
var hostileDesigns = []string{
	"table: tab\nmodels:\n  - {name: M, key: [id], items: 9000000000000, attributes: [id, " +
		"{name: v, bytes: 390000}]}\npatterns:\n  - {name: p, model: M, equal: [id], one: true}\n",
	"table: tab\nmodels:\n  - {name: M, key: [id], puts: 100000, attributes: [id, " +
		"{name: v, bytes: 390000}]}\n",
	"table: tab\nmodels:\n  - {name: M, key: [id], attributes: [id, {name: v, bytes: 1000000000}]}\n",
	"models: " + strings.Repeat("[", 1<<19),
	"models: [" + strings.Repeat("0,", 1<<18) + "]",
}

// TestCostsGrowWithHostileDesigns: designs of many clients at once, most of whom leave, take no
// more memory than one of them, and leave nothing behind.
func TestCostsGrowWithHostileDesigns(t *testing.T) {
	if os.Getenv("TEST_FULL") == "" {
		t.Skip("it is slow: run it with TEST_FULL=true")
	}
	h := Handler(Local(emulator.New(), "v1", nil), everybody)
	before := runtime.NumGoroutine()
	peak := growth.Peak(func() {
		var all sync.WaitGroup
		for i := range 40 {
			all.Go(func() {
				ctx, leave := context.WithTimeout(t.Context(), time.Duration(i)*time.Millisecond)
				defer leave()
				do := [...]string{"verify", "load", "plan", "values", "from"}[i%5]
				r := httptest.NewRequestWithContext(ctx, "POST", Path+"design?do="+do,
					strings.NewReader(hostileDesigns[i%len(hostileDesigns)]))
				h.ServeHTTP(httptest.NewRecorder(), r)
			})
		}
		for _, design := range hostileDesigns { // these clients stay
			for _, do := range []string{"verify", "load"} {
				h.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest("POST",
					Path+"design?do="+do, strings.NewReader(design)))
			}
		}
		all.Wait()
	})
	assert.Less(t, peak, int64(600<<20))
	// if one never ends, the test reaches its time limit, which prints the goroutines
	for runtime.NumGoroutine() > before {
		runtime.Gosched()
	}
}
