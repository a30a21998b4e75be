package admin

import (
	"net"
	"net/http"
	"net/netip"
	"strings"
)

// guard refuses requests from where they must not come. Those of an HTTPClient of
// the emulator, in its own process, come from nowhere.
func guard(o Options, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if why := refusal(o, r); why != "" {
			send(w, http.StatusForbidden, map[string]string{"error": why})
			return
		}
		next.ServeHTTP(w, r)
	})
}

// refusal says why a request is refused, or "".
//
// Pages cannot send any without a header Origin or Sec-Fetch-Site, which browsers
// set (Fetch standard, "Origin header"; Fetch Metadata, "Sec-Fetch-Site"); and
// where a browser does not, a page that has its own name lead to this machine (DNS
// rebinding) is known by that name in Host.
func refusal(o Options, r *http.Request) string {
	site := r.Header.Get("Sec-Fetch-Site")
	switch {
	case r.Header["Origin"] != nil || site != "" && site != "none":
		return "the admin API does not answer pages in browsers"
	case o.AllowRemote:
		return ""
	case !isLocal(r.RemoteAddr):
		return "the admin API answers this machine only, unless it is started with --admin-allow-remote"
	case !isAddress(r.Host):
		return "the admin API answers at localhost, or an address, only, unless it is started with --admin-allow-remote"
	}
	return ""
}

// isLocal reports whether a request's sender is on this machine.
func isLocal(remote string) bool {
	if remote == "" {
		return true
	}
	from, err := netip.ParseAddrPort(remote)
	return err == nil && from.Addr().Unmap().IsLoopback()
}

// isAddress reports whether a Host is an IP address, localhost, or nothing.
func isAddress(host string) bool {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	host = strings.TrimSuffix(strings.ToLower(host), ".")
	if host == "" || host == "localhost" || strings.HasSuffix(host, ".localhost") { // RFC 6761, 6.3
		return true
	}
	_, err := netip.ParseAddr(strings.Trim(host, "[]"))
	return err == nil
}
