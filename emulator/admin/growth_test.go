package admin

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/emulator"
	"github.com/kugiri-db/kugiri/storage/growth"
)

// bodyParts lists what may be long in the body of any request. Each has @ where it repeats.
var bodyParts = []struct{ name, begin, more, end string }{
	{"brackets", "", "[", ""},
	{"braces", "", `{"a":`, ""},
	{"members twice", "{", `"from":"x",`, `"from":"x"}`},
	{"unknown members", "{", `"a%d":1,`, `"a":1}`},
	{"letters", `{"accessKey":"`, "x", `"}`},
	{"escapes", `{"accessKey":"`, `A`, `"}`},
	{"digits", `{"accessKey":`, `1`, `}`},
	{"blanks", "", " ", ""},
}

// longBodies lists what may be long in the bodies of single requests, by method and path.
var longBodies = []struct{ name, request, begin, more, end string }{
	{"faults", "PUT faults", "[", `{"do":"throttle"},`, `{"do":"throttle"}]`},
	{"conditions of a fault", "PUT faults", `{"do":"throttle","when":{"all":[`,
		`{"operation":"GetItem"},`, `{"operation":"Query"}]}}`},
	{"nested conditions of a fault", "PUT faults", `{"do":"throttle","when":`, `{"not":`, `{}`},
	{"operations of a fault", "PUT faults", `{"do":"throttle","when":{"operation":[`, `"GetItem",`,
		`"Query"]}}`},
	{"an explained condition", "POST explain",
		`{"accessKey":"K","region":"us-east-1","operation":"Scan","request":{"TableName":"users","FilterExpression":"id = id`,
		` AND id = id`, `"}}`},
	{"explained names", "POST explain",
		`{"accessKey":"K","region":"us-east-1","operation":"Scan","request":{"TableName":"users","ExpressionAttributeNames":{`,
		`"#a%d":"x",`, `"#a":"x"}}}`},
	{"explained headers", "POST explain",
		`{"accessKey":"K","region":"us-east-1","operation":"Scan","request":{"TableName":"users"},"headers":{`,
		`"a%d":"x",`, `"a":"x"}}`},
	{"an explained statement", "POST explain",
		`{"accessKey":"K","region":"us-east-1","operation":"ExecuteStatement","request":{"Statement":"SELECT * FROM users WHERE id = 1`,
		` OR id = 1`, `"}}`},
	{"patterns of costs", "POST traffic/cost", `{"patterns":[`,
		`{"name":"p%d","table":"users","keyCondition":"id = ?"},`, `{"name":"p","table":"users"}]}`},
	{"a pattern of costs", "POST traffic/cost",
		`{"patterns":[{"name":"p","table":"users","keyCondition":"id = ?`, ` AND id = ?`, `"}]}`},
	{"workers", "POST explorations",
		`{"name":"n","workers":[`, `{"name":"w%d"},`, `{"name":"w"}]}`},
	{"a schedule", "POST explorations",
		`{"name":"n","workers":[{"name":"w"}],"schedule":"`, `w,`, `w"}`},
	{"a key to compare", "POST compare",
		`{"before":{"accessKey":"K"},"after":{"accessKey":"`, `K`, `"}}`},
}

// growthTest collects costs.
type growthTest struct {
	*testing.T
	table growth.Table
}

func newGrowthTest(t *testing.T) *growthTest {
	x := &growthTest{T: t}
	t.Cleanup(func() { t.Logf("the widest growth of each kind of work:\n%s", &x.table) })
	return x
}

func (x *growthTest) measure(group, name string, work func(n int)) {
	x.Helper()
	costs, tooFast := growth.MeasureCPU(work)
	x.table.Add(group, name, costs)
	assert.False(x, tooFast, "%s: %s costs %v for the sizes %v", group, name, costs, growth.Sizes)
}

// TestCostsGrowWithAdminRequests: no part of a request to the admin API makes it cost more than its
// length is worth.
func TestCostsGrowWithAdminRequests(t *testing.T) {
	x := newGrowthTest(t)
	h := emulator.New(Enable(Options{})).Handler()
	send := func(request, body string) {
		method, path, _ := strings.Cut(request, " ")
		r := httptest.NewRequest(method, "/_kugiri/"+path, strings.NewReader(body))
		r.Host, r.RemoteAddr = "localhost", "127.0.0.1:1"
		r.Header.Set("Content-Type", "application/json")
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		require.NotContains(t, []int{403, 415}, w.Code, "%s: %s", request, w.Body)
	}
	send("POST forks", `{"accessKey":"K"}`)
	send("POST traffic", "")
	for _, r := range append(scopeRoutes[:len(scopeRoutes):len(scopeRoutes)],
		serverScopeRoutes()...) {
		if r.in == "" || strings.Contains(r.path, "{") {
			continue
		}
		request := r.method + " " + r.path[1:]
		for _, p := range bodyParts {
			x.measure(request, p.name,
				func(n int) { send(request, growth.Text(p.begin, p.more, p.end, n)) })
		}
	}
	for _, b := range longBodies {
		x.measure(b.request, b.name,
			func(n int) { send(b.request, growth.Text(b.begin, b.more, b.end, n)) })
		send("PUT faults", "[]")
	}
	id := explorationIn(t, h)
	for _, p := range append(bodyParts[:len(bodyParts):len(bodyParts)], endParts...) {
		for _, request := range []string{"POST explorations/" + id + "/ended",
			"POST explorations/" + id + "/checked"} {
			x.measure(request, p.name,
				func(n int) { send(request, growth.Text(p.begin, p.more, p.end, n)) })
		}
	}
	for _, l := range longTargets {
		x.measure(l.begin, l.name,
			func(n int) { send(growth.Text(l.begin, l.more, l.end, n), "") })
	}
}

// endParts lists what may be long in the end of a worker or of the checks of an exploration.
var endParts = []struct{ name, begin, more, end string }{
	{"values", `{"run":1,"worker":"w","values":[`, `"v%d",`, `"v"]}`},
	{"an error", `{"run":1,"worker":"w","error":"`, `x`, `"}`},
	{"a worker", `{"run":1,"worker":"`, `w`, `"}`},
}

// longTargets lists what may be long in paths and parameters.
var longTargets = []struct{ name, begin, more, end string }{
	{"a path", "GET ", "a/", ""},
	{"dots of a path", "GET ", "../", ""},
	{"escapes of a path", "GET forks/", "%%61%d", ""},
	{"parameters", "GET findings?", "a%d=b&", ""},
	{"a parameter again", "GET findings?", "table=users&", ""},
	{"digits of a limit", "GET expirations?limit=", "1", ""},
	{"digits of a place", "GET traffic/operations?after=", "1", ""},
	{"a name of a fork", "DELETE forks/", "k", ""},
	{"a name of a snapshot", "POST snapshots/", "s", "/restore"},
	{"a number of a fault", "DELETE faults/", "1", ""},
}

// explorationIn begins an exploration, and returns its ID.
func explorationIn(t *testing.T, h http.Handler) string {
	r := httptest.NewRequest("POST", "/_kugiri/explorations",
		strings.NewReader(`{"name":"n","workers":[{"name":"w"}]}`))
	r.Host, r.RemoteAddr = "localhost", "127.0.0.1:1"
	r.Header.Set("Content-Type", "application/json")
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	var made struct{ ID string }
	require.NoError(t, json.Unmarshal(w.Body.Bytes(), &made))
	require.NotEmpty(t, made.ID, "%s", w.Body)
	return made.ID
}

// serverScopeRoutes returns the routes that only the server has.
func serverScopeRoutes() (routes []scopeRoute) {
	for _, r := range append(serverRoutes(), explorationRoutes()...) {
		routes = append(routes, scopeRoute{route: r.route})
	}
	return routes
}
