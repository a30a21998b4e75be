package admin

import (
	"encoding/json"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/kugiri-db/kugiri/emulator"
	"github.com/kugiri-db/kugiri/emulator/dax/cache"
	"github.com/kugiri-db/kugiri/emulator/internal/acceleration"
)

// cacheInfo lists what the accelerator holds.
type cacheInfo struct {
	Clock   clockInfo          `json:"clock"`
	Entries []cacheEntry       `json:"entries"`
	Tables  []cache.TableStats `json:"tables"`
	Saved   map[string]float64 `json:"savedReadUnits"`
}

// cacheEntry is something that a cache of a node holds.
type cacheEntry struct {
	Owner     string          `json:"owner,omitempty"`
	Region    string          `json:"region,omitempty"`
	Node      int             `json:"node"`
	Cache     string          `json:"cache"` // "item" or "query"
	Table     string          `json:"table"`
	Key       json.RawMessage `json:"key,omitempty"`
	Missing   bool            `json:"missing,omitempty"`
	Operation string          `json:"operation,omitempty"`
	Request   json.RawMessage `json:"request,omitempty"`
	Bytes     int64           `json:"bytes"`
	Written   time.Time       `json:"written"`
	Age       float64         `json:"age"`               // seconds
	Expires   *time.Time      `json:"expires,omitempty"` // nil: when it leaves
}

// Limits of the entries of a cache that are listed.
const (
	usualEntries = 100
	maxEntries   = 1000
)

func errNoAccelerator() error {
	return notFound("there is no accelerator: start the server with --dax-port")
}

// listCache lists what the accelerator's caches hold for callers of e.
func listCache(e *emulator.Emulator, r *http.Request) (int, any, error) {
	limit := usualEntries
	if text := r.URL.Query().Get("limit"); text != "" {
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 || n > maxEntries {
			return failed(badRequest("the limit %.99q: 1 to %d entries of each cache can be asked for",
				text, maxEntries))
		}
		limit = n
	}
	held, ok := acceleration.Of(e).Cache()
	if !ok {
		return failed(errNoAccelerator())
	}
	info := cacheInfo{clock{e}.info(), []cacheEntry{}, held.Stats(), held.Saved()}
	for _, x := range held.Entries(limit) {
		info.Entries = append(info.Entries, newCacheEntry(&x, info.Clock.Now))
	}
	return http.StatusOK, info, nil
}

func newCacheEntry(x *acceleration.Entry, now time.Time) cacheEntry {
	one := cacheEntry{Owner: x.Scope.Owner, Region: x.Scope.Region, Node: x.Node,
		Cache: "item", Table: x.Table, Missing: x.Missing, Bytes: x.Bytes, Written: x.Written,
		Age: now.Sub(x.Written).Seconds()}
	if x.Life > 0 {
		expires := x.Written.Add(x.Life)
		one.Expires = &expires
	}
	if x.Query == "" {
		one.Key = json.RawMessage(x.Key)
		return one
	}
	one.Cache = "query"
	operation, request, _ := strings.Cut(x.Query, "{")
	one.Operation, one.Request = operation, json.RawMessage("{"+request)
	return one
}

// clearCache empties the caches, for callers of e.
func clearCache(e *emulator.Emulator, r *http.Request) (int, any, error) {
	if err := nothing(r); err != nil {
		return failed(err)
	}
	held, ok := acceleration.Of(e).Cache()
	if !ok {
		return failed(errNoAccelerator())
	}
	held.Clear()
	return done()
}
