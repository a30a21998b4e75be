package admin

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/emulator"
	"github.com/kugiri-db/kugiri/emulator/dax/cache"
	"github.com/kugiri-db/kugiri/emulator/internal/acceleration"
)

// cached is an accelerator that has cached an item, the lack of one, and a result. Package dax has
// the test that an accelerator tells what it has.
type cached struct {
	acceleration.Accelerator
	scope   acceleration.Scope
	written time.Time
	cleared bool
	saved   float64
}

func (c *cached) TTLs() (item, query time.Duration) { return 0, 0 }

func (c *cached) Cached(limit int, whose func(acceleration.Scope) bool,
	_ func(acceleration.Scope) (item, query time.Duration)) []acceleration.Entry {
	one := acceleration.Entry{Scope: c.scope, Table: "users", Bytes: 9, Written: c.written}
	item, missing, result, expired := one, one, one, one
	item.Key, item.Life = `{"id":{"S":"1"}}`, time.Minute
	missing.Key, missing.Missing = `{"id":{"S":"2"}}`, true
	result.Query, result.Node = `Scan{"TableName":"users"}`, 1
	expired.Key, expired.Life = `{"id":{"S":"3"}}`, time.Second
	if c.cleared || !whose(c.scope) {
		return nil
	}
	return []acceleration.Entry{item, missing, result, expired}[:min(limit, 4)]
}

func (c *cached) Clear(whose func(acceleration.Scope) bool) { c.cleared = whose(c.scope) }

func (c *cached) Saved(uint64) map[string]float64 { return map[string]float64{"users": c.saved} }

func (c *cached) Stats() []cache.TableStats {
	return []cache.TableStats{{Table: "users", ItemHits: 3, QueryMisses: 1}}
}

// TestCache: what the caches hold, how old it is, and that a request empties them.
func TestCache(t *testing.T) {
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	e := emulator.New(emulator.WithHeldClock(emulator.NewClock(at)), Enable(Options{}))
	server, err := e.Start("127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { server.Close() })
	s := &served{t, server.URL}
	s.wantError(404, "there is no accelerator", "GET", "cache", "")
	s.wantError(404, "there is no accelerator", "DELETE", "cache", "")
	caller, err := acceleration.Of(e).Authorize(acceleration.Authorization{AccessKey: "me",
		StringToSign: "AWS4-HMAC-SHA256\n20260102T030405Z\n20260102/us-east-1/dax/aws4_request\nx"})
	require.NoError(t, err)
	c := &cached{scope: caller.Scope(), written: at, saved: 1}
	acceleration.Of(e).Accelerate(c)
	s.do("POST", "traffic", "")
	s.do("POST", "clock/advance", `{"by":"30s"}`)
	const more = `"table":"users","owner":"me","region":"us-east-1","bytes":9,` +
		`"written":"2026-01-02T03:04:05Z","age":30`
	const tables = `"tables":[{"table":"users","itemHits":3,"itemMisses":0,"itemEvictions":0,
		"queryHits":0,"queryMisses":1,"queryEvictions":0}],"savedReadUnits":{"users":1},
		"clock":{"now":"2026-01-02T03:04:35Z","held":true}`
	s.want(200, `{`+tables+`,"entries":[
		{"node":0,"cache":"item","key":{"id":{"S":"1"}},"expires":"2026-01-02T03:05:05Z",`+more+`},
		{"node":0,"cache":"item","key":{"id":{"S":"2"}},"missing":true,`+more+`},
		{"node":1,"cache":"query","operation":"Scan","request":{"TableName":"users"},`+more+`}]}`,
		"GET", "cache?limit=4", "")
	for _, limit := range []string{"0", "1001", "x"} {
		s.wantError(400, "1 to 1000 entries", "GET", "cache?limit="+limit, "")
	}
	c.saved = 3
	cost := s.costOf("GET", "traffic/cost", "")
	require.Len(t, cost.Saved, 1)
	require.Equal(t, 2.0, cost.Saved[0].ReadUnits, "since the recording began")
	require.Contains(t, cost.String(), "Saved by the accelerator's caches")
	s.do("POST", "forks", `{"accessKey":"f"}`)
	s.want(200, `{}`, "DELETE", "forks/f/cache", "")
	require.False(t, c.cleared, "a fork has none of it")
	s.want(200, `{}`, "DELETE", "cache", "")
	c.saved = 1
	s.want(200, `{"entries":[],`+tables+`}`, "GET", "cache", "")
}
