package peer

import (
	"crypto/sha256"
	"crypto/subtle"
	"net"
	"net/http"
	"net/netip"
	"strings"
)

// Gate says who may ask for what concerns all callers of a server, as the admin API and the findings of a policy do.
type Gate struct {
	AllowRemote bool   // requests from other machines, and those that a proxy passes on
	Token       string // that requests have to have, "" for none: Authorization: Bearer TOKEN
}

// Refusal says why a request for what, such as "the admin API", is refused, and with which status, or "".
//
// Pages cannot send any without a header Origin or Sec-Fetch-Site, which browsers
// set (Fetch standard, "Origin header"; Fetch Metadata, "Sec-Fetch-Site"); and
// where a browser does not, a page that has its own name lead to this machine (DNS
// rebinding) is known by that name in Host. A proxy on this machine is known by the
// headers that it adds; one that adds none passes for this machine, and calls for a token.
func (g Gate) Refusal(what string, r *http.Request) (status int, why string) {
	site := r.Header.Get("Sec-Fetch-Site")
	switch {
	case r.Header["Origin"] != nil || site != "" && site != "none":
		return http.StatusForbidden, what + " does not answer pages in browsers"
	case g.Token != "" && !hasToken(r, g.Token):
		return http.StatusUnauthorized, what + " wants the header Authorization: Bearer TOKEN, with the token that it was started with"
	case g.AllowRemote:
		return 0, ""
	case !IsLocal(r):
		return http.StatusForbidden, what + " answers this machine only, and no proxy, unless it is started with --admin-allow-remote"
	case !isAddress(r.Host):
		return http.StatusForbidden, what + " answers at localhost, or an address, only, unless it is started with --admin-allow-remote"
	}
	return 0, ""
}

// hasToken compares in a time that does not depend on what the tokens have in common.
func hasToken(r *http.Request, token string) bool {
	scheme, given, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	want, got := sha256.Sum256([]byte(token)), sha256.Sum256([]byte(strings.TrimSpace(given)))
	return strings.EqualFold(scheme, "Bearer") && subtle.ConstantTimeCompare(want[:], got[:]) == 1
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
