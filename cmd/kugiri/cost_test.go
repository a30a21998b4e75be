package main

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/conventions/pricing"
	"github.com/kugiri-db/kugiri/emulator/traffic"
)

// TestCost records the requests of a design's patterns, and asks what they cost.
func TestCost(t *testing.T) {
	p := servePlan(t, "../../conventions/design/designfile/testdata/design.yaml")
	_, _, err := runs(t, "cost", "--endpoint", p.url)
	require.ErrorContains(t, err, "no requests are recorded: POST to /_kugiri/traffic")
	p.record()

	out, _, err := runs(t, "cost", "--endpoint", p.url)
	require.NoError(t, err)
	assert.Contains(t, out, "at the prices of us-east-1 since 2024-11-01, in USD")
	assert.Contains(t, out, "A month by access pattern")

	prices := pricing.List()
	prices.Currency = "EUR"
	text, err := json.Marshal(prices)
	require.NoError(t, err)
	dir := t.TempDir()
	file, patterns := filepath.Join(dir, "prices.json"), filepath.Join(dir, "patterns.yaml")
	require.NoError(t, os.WriteFile(file, text, 0o600))
	require.NoError(t,
		os.WriteFile(patterns,
			[]byte("patterns: [{name: all of them, table: "+p.plan.Design.Table+"}]"), 0o600))
	out, _, err = runs(t, "cost", "--endpoint", p.url, "--span", "2h", "--prices", file,
		"--patterns", patterns, "--format", "json")
	require.NoError(t, err)
	var cost traffic.Cost
	require.NoError(t, json.Unmarshal([]byte(out), &cost))
	assert.Equal(t, (2 * time.Hour).Seconds(), cost.Seconds)
	assert.Equal(t, prices, cost.Prices)
	assert.Contains(t, out, `"name":"all of them"`)
	assert.Positive(t, cost.Month.Standard.Storage)
	assert.Positive(t, cost.Month.Standard.Reads.OnDemand)
}

// TestCostRefused: each error names what is wrong.
func TestCostRefused(t *testing.T) {
	other := httptest.NewServer(http.NotFoundHandler())
	t.Cleanup(other.Close)
	p := servePlan(t, "../../conventions/design/designfile/testdata/design.yaml")
	file := filepath.Join(t.TempDir(), "wrong")
	require.NoError(t, os.WriteFile(file, []byte(`{"tea": 1}`), 0o600))
	for _, c := range []struct {
		name string
		args []string
		says string
	}{
		{"DynamoDB", []string{"--endpoint", "aws"}, "DynamoDB does not record requests"},
		{"a server without the API", []string{"--endpoint", other.URL},
			`which "kugiri serve --admin" has: 404 Not Found`},
		{"no server", []string{"--endpoint", "http://127.0.0.1:1"},
			"is a server running at http://127.0.0.1:1?"},
		{"an unknown fork", []string{"--endpoint", p.url, "--fork", "a b"}, `"a b"`},
		{"prices that are none", []string{"--endpoint", p.url, "--prices", file}, file},
		{"patterns that are none", []string{"--endpoint", p.url, "--patterns", file}, file},
		{"a span below 0", []string{"--endpoint", p.url, "--span", "-1h"}, "--span"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, _, err := runs(t, append([]string{"cost"}, c.args...)...)
			require.ErrorContains(t, err, c.says)
		})
	}
}

// TestCostToken: the command sends the token of the admin API.
func TestCostToken(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		assert.Equal(t, "/_kugiri/forks/f/traffic/cost", r.URL.Path)
		assert.Equal(t, "Bearer secret", r.Header.Get("Authorization"))
		_, _ = w.Write([]byte(`{"seconds":60}`))
	}))
	t.Cleanup(server.Close)
	out, _, err := runs(t, "cost", "--endpoint", server.URL+"/", "--fork", "f", "--admin-token",
		"secret")
	require.NoError(t, err)
	assert.Contains(t, out, "Traffic of 1m0s")
}
