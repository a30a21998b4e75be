// Package hostcheck finds out who sends a request, and checks the Host by which it calls the
// server.
package hostcheck

import (
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"
)

// isLocal reports whether the sender of a request is on this machine. Its address must be local,
// and no header may show that it forwards the request for another client. A request that came
// without a connection is local.
func isLocal(r *http.Request) bool {
	for name := range r.Header {
		if strings.HasPrefix(name, "X-Forwarded") || slices.Contains(passedOn, name) {
			return false
		}
	}
	if r.RemoteAddr == "" {
		return true
	}
	from, err := netip.ParseAddrPort(r.RemoteAddr)
	return err == nil && from.Addr().Unmap().IsLoopback()
}

// passedOn lists the headers that proxies add when they forward a request, besides those that begin
// with X-Forwarded (RFC 7239, RFC 9110, 7.6.3, and headers of common proxies and tunnels).
var passedOn = []string{"Forwarded", "Via", "X-Real-Ip", "X-Original-Host", "Client-Ip",
	"X-Client-Ip",
	"X-Cluster-Client-Ip", "True-Client-Ip", "Cf-Connecting-Ip", "X-Envoy-External-Address"}

// Hosts lists names that a server accepts as Host, besides addresses and names that nobody can
// register. A web page cannot make these names resolve to this machine (DNS rebinding).
type Hosts []string

// private lists the suffixes of names of localhost, private networks and clusters. Nobody can
// register such names (RFC 6761, 6.2 and 6.3; RFC 8375; ICANN's resolution 2024.07.29.06;
// Kubernetes, "DNS for Services and Pods").
var private = []string{".localhost", ".internal", ".test", ".home.arpa", ".svc", ".cluster.local"}

// nameIn returns the name in a Host: in lower case, without the port and the final dot.
func nameIn(host string) string {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	return strings.TrimSuffix(strings.ToLower(host), ".")
}

// isIP reports whether a name is an IP address, with or without brackets.
func isIP(name string) bool {
	_, err := netip.ParseAddr(strings.Trim(name, "[]"))
	return err == nil
}

// Foreign is the text of the error for a Host that is not allowed.
func Foreign(host string) string {
	return fmt.Sprintf(
		"this server does not answer by the name %q, which is not among its allowed hosts", host)
}

// Allows reports whether the server accepts a Host.
func (h Hosts) Allows(host string) bool {
	host = nameIn(host)
	// localhost, the name of a service, or empty
	if !strings.Contains(host, ".") && !strings.Contains(host, ":") {
		return true
	}
	if isIP(host) {
		return true
	}
	ends := func(end string) bool { return strings.HasSuffix(host, end) }
	named := func(name string) bool { return name == "*" || strings.EqualFold(name, host) }
	return slices.ContainsFunc(private, ends) || slices.ContainsFunc(h, named)
}
