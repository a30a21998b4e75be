package admin

import (
	"encoding/json"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/kugiri-db/kugiri/emulator"
)

// cacheInfo is what the accelerator holds.
type cacheInfo struct {
	Clock   clockInfo             `json:"clock"`
	Entries []cacheEntry          `json:"entries"`
	Tables  []emulator.CacheStats `json:"tables"`
	Saved   map[string]float64    `json:"savedReadUnits"`
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
	cache, ok := emulator.CacheOf(e)
	if !ok {
		return failed(errNoAccelerator())
	}
	info := cacheInfo{clock{e}.info(), []cacheEntry{}, cache.Stats(), cache.Saved()}
	for _, x := range cache.Entries(limit) {
		info.Entries = append(info.Entries, newCacheEntry(&x, info.Clock.Now))
	}
	return http.StatusOK, info, nil
}

func newCacheEntry(x *emulator.CacheEntry, now time.Time) cacheEntry {
	one := cacheEntry{Node: x.Node, Cache: "item", Table: x.Table, Missing: x.Missing,
		Bytes: x.Bytes, Written: x.Written, Age: now.Sub(x.Written).Seconds()}
	one.Owner, one.Region = x.Owner()
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
	cache, ok := emulator.CacheOf(e)
	if !ok {
		return failed(errNoAccelerator())
	}
	cache.Clear()
	return done()
}
