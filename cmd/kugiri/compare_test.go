package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/cli"
	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/compare"
)

// twoEnds returns two servers that have the table orders, with the same items.
func twoEnds(t *testing.T) (from, to string) {
	from, _ = database(t)
	to, _ = serving(t)
	definition := filepath.Join(t.TempDir(), "table.json")
	require.NoError(t, os.WriteFile(definition, []byte(definitionText), 0o666))
	lines := everyType + "\n"
	for i := range 300 {
		lines += fmt.Sprintf(
			`{"pk":{"S":"p%d"},"sk":{"N":"%d"},"s":{"S":"s"},"t":{"SS":["a","b"]}}`+"\n", i%7, i)
	}
	for _, url := range []string{from, to} {
		command(t, lines, "import", "--endpoint", url, "--table", "orders", "--create",
			"--definition", definition)
	}
	return from, to
}

// compares runs compare, and returns its exit status.
func compares(t *testing.T, args ...string) (out string, status int, err error) {
	out, _, err = runs(t, append([]string{"compare"}, args...)...)
	if err == nil {
		return out, 0, nil
	}
	return out, cli.ExitStatus(err), err
}

func TestCompare(t *testing.T) {
	from, to := twoEnds(t)
	out, status, err := compares(t, "--from", from, "--to", to, "--segments", "3", "--rate",
		"100000")
	require.NoError(t, err)
	assert.Zero(t, status)
	assert.Regexp(t, `^orders: the same, 301 items, checksum [0-9a-f]{32}\n$`, out)
	again, _, err := compares(t, "--from", to, "--to", from, "--segments", "1")
	require.NoError(t, err)
	assert.Equal(t, out, again, "the checksum is the same in each run")

	changed :=
		`{"pk":{"S":"p3"},"sk":{"N":"3"},"s":{"S":"other"},"t":{"SS":["b","a"]},"u":{"N":"1"}}` +
			"\n" +
			`{"pk":{"S":"p4"},"sk":{"N":"4.0"},"s":{"S":"s"},"t":{"SS":["b","a"]}}` +
			"\n" + // the same
			`{"pk":{"S":"new"},"sk":{"N":"1"}}`
	command(t, changed, "import", "--endpoint", to, "--table", "orders")
	command(t, `{"pk":{"S":"gone"},"sk":{"N":"1"}}`, "import", "--endpoint", from, "--table",
		"orders")
	out, status, err = compares(t, "--from", from, "--to", to, "--table", "orders")
	require.EqualError(t, err, "1 table differs")
	assert.Equal(t, 1, status)
	assert.Regexp(t, `^orders: different
  --from has 302 items, checksum [0-9a-f]{32}
  --to has 302 items, checksum [0-9a-f]{32}
  {"pk":{"S":"gone"},"sk":{"N":"1"}}: only --from has it
  {"pk":{"S":"new"},"sk":{"N":"1"}}: only --to has it
  {"pk":{"S":"p3"},"sk":{"N":"3"}}: differs in s, u
$`, out)
	out, _, err = compares(t, "--from", from, "--to", to, "--limit", "1")
	require.Error(t, err)
	assert.True(t, strings.HasSuffix(out, "only --from has it\n  and 2 items\n"), out)

	out, _, err = compares(t, "--from", from, "--to", to, "--format", "json")
	require.Error(t, err)
	var results []compare.Result
	require.NoError(t, json.Unmarshal([]byte(out), &results))
	require.Len(t, results, 1)
	assert.False(t, results[0].Same)
	assert.Equal(t, int64(302), results[0].To.Items)
	assert.Equal(t, int64(3), results[0].Different)
	assert.Equal(t,
		compare.ItemDifference{
			Key:        json.RawMessage(`{"pk":{"S":"p3"},"sk":{"N":"3"}}`),
			Attributes: []string{"s", "u"},
		}, results[0].Items[2])
}

// TestCompareDefinitions: tables that differ in a key are read, too, but no items are looked for by
// it.
func TestCompareDefinitions(t *testing.T) {
	from, to := twoEnds(t)
	create := func(url, table, text string) {
		definition := filepath.Join(t.TempDir(), "table.json")
		require.NoError(t, os.WriteFile(definition, []byte(text), 0o666))
		command(t, `{"pk":{"S":"a"},"sk":{"N":"1"}}`, "import", "--endpoint", url, "--table", table,
			"--create", "--definition", definition)
	}
	noIndex :=
		`{"BillingMode":"PAY_PER_REQUEST","KeySchema":[{"AttributeName":"pk","KeyType":"HASH"},{"AttributeName":"sk","KeyType":"RANGE"}],
"AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"},{"AttributeName":"sk","AttributeType":"N"}]}`
	noSort := `{"BillingMode":"PAY_PER_REQUEST","KeySchema":[{"AttributeName":"pk","KeyType":"HASH"}],"AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"}]}`
	create(from, "indexed", definitionText)
	create(to, "indexed", noIndex)
	create(from, "keyed", noIndex)
	create(to, "keyed", noSort)
	command(t, `{"pk":{"S":"b"}}`, "import", "--endpoint", to, "--table", "keyed")
	create(from, "missing", noIndex)
	create(to, "further", noIndex)

	out, status, err := compares(t, "--from", from, "--to", to)
	require.EqualError(t, err, "3 tables differ")
	assert.Equal(t, 1, status)
	assert.Regexp(t, `^indexed: different
  --from has 1 item, checksum ([0-9a-f]{32})
  --to has 1 item, checksum [0-9a-f]{32}
  global index by-s: --from has s \(S, HASH\); KEYS_ONLY, --to has none
  stream: --from has KEYS_ONLY, --to has none
keyed: different
  --from has 1 item, checksum [0-9a-f]{32}
  --to has 2 items, checksum [0-9a-f]{32}
  key: --from has pk \(S, HASH\), sk \(N, RANGE\), --to has pk \(S, HASH\)
missing: --to has no such table
orders: the same, 301 items, checksum [0-9a-f]{32}
$`, out)
	out, _, err = compares(t, "--from", from, "--to", to, "--table", "further", "--table", "absent")
	require.EqualError(t, err, "2 tables differ")
	assert.Equal(t, "further: --from has no such table\nabsent: there is no such table\n", out)
}

// TestCompareWithAWriter: an item that is the same again when its attributes are looked at was
// written meanwhile.
func TestCompareWithAWriter(t *testing.T) {
	from, to := twoEnds(t)
	command(t, `{"pk":{"S":"p3"},"sk":{"N":"3"},"s":{"S":"late"}}`, "import", "--endpoint", from,
		"--table", "orders")
	target, err := url.Parse(to)
	require.NoError(t, err)
	proxy := httputil.NewSingleHostReverseProxy(target)
	var written atomic.Bool
	late := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.Header.Get("X-Amz-Target"), ".GetItem") &&
			written.CompareAndSwap(false, true) {
			command(t, `{"pk":{"S":"p3"},"sk":{"N":"3"},"s":{"S":"late"}}`, "import", "--endpoint",
				to, "--table", "orders")
		}
		proxy.ServeHTTP(w, r)
	}))
	defer late.Close()
	out, status, err := compares(t, "--from", from, "--to", late.URL)
	require.Error(t, err)
	assert.Equal(t, 1, status)
	assert.Contains(t, out, `{"pk":{"S":"p3"},"sk":{"N":"3"}}: was written while it was compared`)
}

// TestCompareThatFails: what was compared before is printed all the same.
func TestCompareThatFails(t *testing.T) {
	from, to := twoEnds(t)
	b := breakingAt(t, to, "Scan")
	b.left.Store(1)
	out, status, err := compares(t, "--from", from, "--to", b.URL, "--segments", "1", "--table",
		"orders", "--table", "orders")
	require.ErrorContains(t, err, "--to: reading orders: ")
	require.ErrorContains(t, err, "(compared 1 table)")
	assert.Equal(t, 2, status)
	assert.Regexp(t, `^orders: the same, 301 items, checksum [0-9a-f]{32}\n$`, out)
}

// TestCompareProfiles: each end has credentials of its own.
func TestCompareProfiles(t *testing.T) {
	server, _ := database(t)
	dir := t.TempDir()
	shared := filepath.Join(dir, "credentials")
	require.NoError(
		t, os.WriteFile(
			shared, []byte("[old]\naws_access_key_id = OLD\naws_secret_access_key = x\n"+
				"[new]\naws_access_key_id = NEW\naws_secret_access_key = x\n"), 0o600))
	definition := filepath.Join(dir, "table.json")
	require.NoError(t, os.WriteFile(definition, []byte(definitionText), 0o666))
	for key, id := range map[string]string{"OLD": "1", "NEW": "2"} {
		t.Setenv("AWS_ACCESS_KEY_ID", key)
		command(t, `{"pk":{"S":"a"},"sk":{"N":"`+id+`"}}`, "import", "--endpoint", server,
			"--table", "orders", "--create", "--definition", definition)
	}
	t.Setenv("AWS_SHARED_CREDENTIALS_FILE", shared)
	out, _, err := compares(t, "--from", server, "--from-profile", "old", "--to", server,
		"--to-profile", "new")
	require.EqualError(t, err, "1 table differs")
	assert.Contains(t, out, `{"pk":{"S":"a"},"sk":{"N":"1"}}: only --from has it`)
	_, status, err := compares(t, "--from", server, "--from-profile", "absent", "--to", server)
	require.ErrorContains(t, err, "--from: ")
	require.ErrorContains(t, err, "absent")
	assert.Equal(t, 2, status)
}

// TestCompareManyDifferences: the text says when other items may differ, too.
func TestCompareManyDifferences(t *testing.T) {
	item := compare.ItemDifference{Key: json.RawMessage(`{"pk":{"S":"a"}}`), OnlyIn: "to"}
	for _, c := range []struct {
		name   string
		result compare.Result
		ends   string
	}{
		{"all named", compare.Result{Items: []compare.ItemDifference{item}, Different: 1},
			`{"pk":{"S":"a"}}: only --to has it`},
		{"one not named", compare.Result{Items: []compare.ItemDifference{item}, Different: 2},
			"and 1 item"},
		{"some not counted",
			compare.Result{Items: []compare.ItemDifference{item}, Different: 9, More: true},
			"and more than 8 items"},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.result.From, c.result.To = &compare.Sum{}, &compare.Sum{}
			var out strings.Builder
			require.NoError(t, printComparison(&out, []*compare.Result{&c.result}))
			assert.True(t, strings.HasSuffix(out.String(), "  "+c.ends+"\n"), out.String())
		})
	}
}

func TestCompareErrors(t *testing.T) {
	from, _ := database(t)
	for _, c := range []struct {
		name string
		args []string
		says []string
	}{
		{"no end", nil, []string{"--from or --to is needed", "kugiri compare --help"}},
		{"one end", []string{"--from", from, "--to", from},
			[]string{"--from and --to are the same"}},
		{"other regions of one server",
			[]string{"--from", from, "--to", from, "--to-region", "us-west-2"},
			[]string{"--from has no tables"}},
		{"no server", []string{"--from", from, "--to", "http://127.0.0.1:1", "--table", "orders"},
			[]string{"--to: ", "is a server running at http://127.0.0.1:1? --to names another"}},
		{"no server to ask for tables", []string{"--from", "http://127.0.0.1:1", "--to", from},
			[]string{"--from names another"}},
		{"no URL", []string{"--from", from, "--to", "nowhere"},
			[]string{`--to: the endpoint "nowhere" is not a URL`}},
		{"too many segments", []string{"--from", from, "--segments", "1001"},
			[]string{"between 1 and 1000"}},
		{"a negative rate", []string{"--from", from, "--rate", "-1"}, []string{"no less than 0"}},
		{"a negative limit", []string{"--from", from, "--limit", "-1"},
			[]string{"between 0 and 10000"}},
		{"an argument", []string{"orders"}, []string{`unknown argument "orders"`}},
		{"a flag that is none", []string{"--nope"}, []string{"unknown flag"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, status, err := compares(t, c.args...)
			for _, says := range c.says {
				require.ErrorContains(t, err, says)
			}
			assert.Equal(t, 2, status)
		})
	}
}
