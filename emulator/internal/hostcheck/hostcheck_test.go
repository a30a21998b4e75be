package hostcheck

import (
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestIsLocal(t *testing.T) {
	for _, c := range []struct {
		name, remote, header string
		want                 bool
	}{
		{"IPv4", "127.0.0.1:1", "", true},
		{"IPv6", "[::1]:1", "", true},
		{"IPv4 in IPv6", "[::ffff:127.0.0.1]:1", "", true},
		{"in process", "", "", true},
		{"another machine", "192.0.2.1:1", "", false},
		{"no address", "@", "", false},
		{"a proxy on this machine", "127.0.0.1:1", "X-Forwarded-For: 192.0.2.1", false},
		{"a proxy on this machine, for this machine", "127.0.0.1:1", "X-Forwarded-For: 127.0.0.1",
			false},
		{"a proxy by the standard", "127.0.0.1:1", "Forwarded: for=192.0.2.1", false},
		{"nginx", "127.0.0.1:1", "X-Real-IP: 192.0.2.1", false},
		{"a proxy that says little", "127.0.0.1:1", "X-Forwarded-Port: 80", false},
		{"a proxy that says who it is", "127.0.0.1:1", "X-Forwarded-Server: proxy", false},
		{"Apache's traffic server", "127.0.0.1:1", "Client-IP: 192.0.2.1", false},
		{"a balancer", "127.0.0.1:1", "X-Cluster-Client-IP: 192.0.2.1", false},
		{"Envoy", "127.0.0.1:1", "X-Envoy-External-Address: 192.0.2.1", false},
		{"a tunnel of Cloudflare's", "127.0.0.1:1", "CF-Connecting-IP: 192.0.2.1", false},
		{"an old proxy", "127.0.0.1:1", "Via: 1.1 proxy", false},
		{"a client in process for another", "", "X-Forwarded-For: 192.0.2.1", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := httptest.NewRequest("GET", "/", nil)
			r.RemoteAddr = c.remote
			if name, value, ok := strings.Cut(c.header, ": "); ok {
				r.Header.Set(name, value)
			}
			assert.Equal(t, c.want, isLocal(r))
		})
	}
}

func TestHosts(t *testing.T) {
	for host, want := range map[string]bool{
		"":                              true,
		"localhost:8000":                true,
		"LOCALHOST.":                    true,
		"a.localhost":                   true,
		"127.0.0.1:8000":                true,
		"[::1]:8000":                    true,
		"[::1]":                         true,
		"192.0.2.7":                     true,
		"dynamodb:8000":                 true, // a service of docker compose
		"host.docker.internal:8000":     true,
		"db.ns.svc":                     true,
		"db.ns.svc.cluster.local:8000":  true,
		"db.example.com":                true, // the list has it
		"DB.example.com.:8000":          true,
		"evil.example:8000":             false,
		"127.0.0.1.evil.example":        false,
		"localhost.evil.example":        false,
		"evillocalhost.example":         false,
		"x.db.example.com":              false,
		"evil.example:8000:1":           false,
		"dynamodb.us-east-1.amazonaws.": false,
	} {
		assert.Equal(t, want, Hosts{"db.example.com"}.Allows(host), host)
	}
	assert.True(t, Hosts{"*"}.Allows("evil.example"))
}

func FuzzHosts(f *testing.F) {
	f.Add("localhost:8000")
	f.Add("[::1]:8000")
	f.Fuzz(func(t *testing.T, host string) {
		if strings.HasSuffix(strings.ToLower(host), ".evil.example") &&
			!strings.Contains(host, ":") {
			assert.False(t, Hosts(nil).Allows(host))
		}
	})
}
