// Package peer tells who sends a request, and by what name it calls the server.
package peer

import (
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"
)

// IsLocal reports whether the sender of a request is on this machine: its address is, and it
// names nobody for whom it passes the request on. A request that came over no connection is local.
func IsLocal(r *http.Request) bool {
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

// passedOn are the headers with which proxies say for whom they send a request, besides those that
// begin with X-Forwarded (RFC 7239, RFC 9110, 7.6.3, and what proxies and tunnels add of their own).
var passedOn = []string{"Forwarded", "Via", "X-Real-Ip", "X-Original-Host", "Client-Ip", "X-Client-Ip",
	"X-Cluster-Client-Ip", "True-Client-Ip", "Cf-Connecting-Ip", "X-Envoy-External-Address"}

// Hosts are names by which a server may be called, besides addresses and names that nobody can
// register. A web page cannot have a name of those lead to this machine (DNS rebinding).
type Hosts []string

// private ends the names of localhost, of private networks and of clusters, none of which is for
// sale (RFC 6761, 6.2 and 6.3; RFC 8375; ICANN's resolution 2024.07.29.06; Kubernetes, "DNS for Services and Pods").
var private = []string{".localhost", ".internal", ".test", ".home.arpa", ".svc", ".cluster.local"}

// Allows reports whether a server may be called by a request's Host.
func (h Hosts) Allows(host string) bool {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	host = strings.TrimSuffix(strings.ToLower(host), ".")
	if !strings.Contains(host, ".") && !strings.Contains(host, ":") { // localhost, a service's name, or nothing
		return true
	}
	if _, err := netip.ParseAddr(strings.Trim(host, "[]")); err == nil {
		return true
	}
	ends := func(end string) bool { return strings.HasSuffix(host, end) }
	named := func(name string) bool { return name == "*" || strings.EqualFold(name, host) }
	return slices.ContainsFunc(private, ends) || slices.ContainsFunc(h, named)
}
