package emulator_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/emulator"
)

// TestWebPages: what a page in a browser on the machine of the server can make it do.
func TestWebPages(t *testing.T) {
	const ours, pass, refused = "http://localhost:3000", 200, 403
	open := []emulator.Option{}
	restricted := []emulator.Option{emulator.WithCORSOrigins(ours)}
	closed := []emulator.Option{emulator.WithCORSOrigins()}
	named := []emulator.Option{emulator.WithAllowedHosts("db.example.com")}
	all := []emulator.Option{emulator.WithCORSOrigins(ours), emulator.WithAllowedHosts("*")}
	for _, c := range []struct {
		name         string
		opts         []emulator.Option
		host, origin string // "": the listener's address, and none
		want         int
		says         string
	}{
		{"a foreign page, by default, as with the service", open, "", "http://evil.example", pass,
			"TableNames"},
		{"an SDK", restricted, "", "", pass, "TableNames"},
		{"our page", restricted, "", ours, pass, "TableNames"},
		{"a foreign page calls this machine", restricted, "", "http://evil.example", refused,
			"origin \\\"http://evil.example\\\""},
		{"a page without an origin calls this machine", restricted, "", "null", refused,
			"origin \\\"null\\\""},
		{"any page, where none may", closed, "", ours, refused, "origin"},
		{"our own page", closed, "localhost:8000", "http://localhost:8000", pass, "TableNames"},
		{"our own page over TLS", restricted, "127.0.0.1:8000", "https://127.0.0.1:8000", pass,
			"TableNames"},
		{"a page of another port", closed, "localhost:8000", "http://localhost:3000", refused,
			"origin"},
		{"DNS rebinding, with its origin, where any name may be used", all, "evil.example:8000",
			"http://evil.example:8000", refused, "origin"},
		{"DNS rebinding: a page's own name leads to this machine", restricted, "evil.example:8000",
			"", refused, "name \\\"evil.example:8000\\\""},
		{"DNS rebinding, with its origin", restricted, "evil.example:8000",
			"http://evil.example:8000", refused, "origin"},
		{"DNS rebinding, where no page may call", closed, "evil.example:8000", "", refused, "name"},
		{"DNS rebinding, where names are limited", named, "evil.example:8000", "", refused, "name"},
		{"a name that is allowed", named, "db.example.com:8000", "", pass, "TableNames"},
		{"any name", all, "evil.example:8000", "", pass, "TableNames"},
		{"any name, but not any origin", all, "", "http://evil.example", refused, "origin"},
		{"localhost", restricted, "localhost:8000", "", pass, "TableNames"},
		{"a service of docker compose", restricted, "dynamodb:8000", "", pass, "TableNames"},
		{"the host of containers", restricted, "host.docker.internal:8000", "", pass, "TableNames"},
	} {
		t.Run(c.name, func(t *testing.T) {
			server, err := emulator.New(c.opts...).Start("127.0.0.1:0")
			require.NoError(t, err)
			defer server.Close()
			r := sign(t, listTables(`{}`), `{}`, known, noon)
			call, err := http.NewRequest(http.MethodPost, server.URL, strings.NewReader(`{}`))
			require.NoError(t, err)
			call.Header, call.Host = r.Header, c.host
			if c.origin != "" {
				call.Header.Set("Origin", c.origin)
			}
			res, err := http.DefaultClient.Do(call)
			require.NoError(t, err)
			defer res.Body.Close()
			body, err := io.ReadAll(res.Body)
			require.NoError(t, err)
			assert.Equal(t, c.want, res.StatusCode)
			assert.Contains(t, string(body), c.says)
			if c.want == refused {
				assert.Contains(t, string(body),
					`{"__type":"com.amazon.coral.service#AccessDeniedException","Message":"this server does not answer`)
				assert.Empty(t, res.Header.Get("Access-Control-Allow-Origin"))
			}
		})
	}
}

// TestRefusedBeforeAnythingElse: what is not called by name is refused on all paths, and clients in
// process never are.
func TestRefusedBeforeAnythingElse(t *testing.T) {
	e := emulator.New(emulator.WithAllowedHosts())
	for _, r := range []*http.Request{
		httptest.NewRequest(http.MethodGet, "http://evil.example/", nil),
		httptest.NewRequest(http.MethodOptions, "http://evil.example/", nil),
		httptest.NewRequest(http.MethodGet, "http://evil.example/readyz", nil),
		httptest.NewRequest(http.MethodPost, "http://evil.example/x", nil),
	} {
		w := httptest.NewRecorder()
		e.Handler().ServeHTTP(w, r)
		assert.Equal(t, http.StatusForbidden, w.Code, "%s %s", r.Method, r.URL)
	}
	res, err := e.HTTPClient("AKID", "us-east-1").Do(listTables(`{}`))
	require.NoError(t, err)
	assert.Equal(t, http.StatusOK, res.StatusCode)
}

func TestAllowHosts(t *testing.T) {
	h := emulator.AllowHosts(http.NotFoundHandler(), "db.example.com")
	for host, want := range map[string]int{
		"localhost:1": 404, "db.example.com": 404, "evil.example": 403,
	} {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "http://"+host+"/", nil))
		assert.Equal(t, want, w.Code, host)
	}
}
