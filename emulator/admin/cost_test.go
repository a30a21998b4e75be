package admin

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/conventions/pricing"
	"github.com/kugiri-db/kugiri/emulator"
	"github.com/kugiri-db/kugiri/emulator/traffic"
)

// costOf returns what a request for the cost is answered with.
func (s *served) costOf(method, path, body string) (c traffic.Cost) {
	s.Helper()
	status, text := s.do(method, path, body)
	require.Equal(s, 200, status, text)
	require.NoError(s, json.Unmarshal([]byte(text), &c))
	return c
}

// TestCost: the time is that since the recording began, or the one that is given.
func TestCost(t *testing.T) {
	s := serve(t,
		emulator.WithHeldClock(emulator.NewClock(time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC))))
	s.want(404,
		`{"error":"no requests are recorded: POST to /_kugiri/traffic records them from then on"}`,
		"GET", "traffic/cost", "")
	s.createTable("me")
	s.do("POST", "traffic", "")
	for range 2 {
		require.NoError(t, s.get("users", "1"))
	}
	s.want(400,
		`{"error":"the traffic took no time: say how long it took, or what time it stands for"}`,
		"GET", "traffic/cost", "")
	s.do("POST", "clock/advance", `{"by":"1h"}`)

	c := s.costOf("GET", "traffic/cost", "")
	assert.Equal(t, 3600.0, c.Seconds)
	assert.InDelta(t, 730*0.125/1e6, c.Month.Standard.Reads.OnDemand, 1e-12)
	require.Len(t, c.Tables, 1)
	assert.Equal(t, &traffic.ProvisionedCapacity{Read: 1, Write: 1, PeakRead: 1, PeakWrite: 1},
		c.Tables[0].Capacity)
	require.Len(t, c.Patterns, 1)
	assert.Equal(t, "GetItem", c.Patterns[0].Operation)

	prices := pricing.List()
	prices.Read, prices.InfrequentAccess = 1e6, nil
	text, err := json.Marshal(prices)
	require.NoError(t, err)
	c = s.costOf("POST", "traffic/cost",
		`{"seconds":7200,"patterns":[{"name":"a user","table":"users"}],"prices":`+string(text)+`}`)
	assert.Equal(t, 365.0, c.Month.Standard.Reads.OnDemand)
	assert.Equal(t, prices, c.Prices)
	require.Len(t, c.Patterns, 1)
	assert.Equal(t, "a user", c.Patterns[0].Name)
	assert.Equal(t, int64(2), c.Patterns[0].Requests)
}

func TestCostRefused(t *testing.T) {
	s := serve(t)
	s.do("POST", "traffic", "")
	many := strings.Repeat(`{"name":"a","table":"t"},`, maxPatterns+1)
	for _, c := range []struct{ name, body, says string }{
		{"an unknown member", `{"hours":1}`, `unknown field \"hours\"`},
		{"no time", `{"seconds":0}`, "took no time"},
		{"too much time", `{"seconds":1e10}`, "at most 1000000000"},
		{"prices without a date", `{"prices":{"region":"r"}}`, "prices: currency is missing"},
		{"an unknown price", `{"prices":{"tea":1}}`, "prices: json: unknown field"},
		{"a pattern without a table", `{"patterns":[{"name":"p"}]}`, `\"p\" has no table`},
		{"too many patterns", `{"patterns":[` + strings.TrimSuffix(many, ",") + `]}`,
			"at most 1000"},
	} {
		t.Run(c.name, func(t *testing.T) {
			status, text := s.do("POST", "traffic/cost", c.body)
			assert.Equal(t, 400, status)
			assert.Contains(t, text, c.says)
		})
	}
}

// TestCostOfFork: a fork has its own requests.
func TestCostOfFork(t *testing.T) {
	s := serve(t)
	s.createTable("me")
	s.do("POST", "forks", `{"accessKey":"f","from":"me"}`)
	s.do("POST", "forks/f/traffic", "")
	_, text := s.do("GET", "traffic/cost", "")
	assert.Contains(t, text, "no requests are recorded")
	c := s.costOf("POST", "forks/f/traffic/cost", `{"seconds":60}`)
	require.Len(t, c.Tables, 1)
	assert.Equal(t, "users", c.Tables[0].Table)
}
