package peer

import (
	"crypto/sha256"
	"crypto/subtle"
	"net"
	"net/http"
	"net/netip"
	"strings"
)

// Gate decides who may use the features that affect all callers of a server: the admin API and the
// findings of a policy.
type Gate struct {
	AllowRemote bool   // allow requests from other machines and those that a proxy forwards
	Token       string // required in requests as "Authorization: Bearer TOKEN"; "" for none
}

// Refusal returns the reason why a request is refused, and its status. The reason is "" for an
// allowed request. what is the feature in the text, such as "the admin API".
//
// Browsers set the header Origin or Sec-Fetch-Site in the requests of pages (Fetch standard,
// "Origin header"; Fetch Metadata, "Sec-Fetch-Site"). A page may also make its own domain name
// resolve to this machine (DNS rebinding). If the browser sets neither header then, Host still has
// that name. A proxy on this machine adds headers that reveal it. A proxy that adds none looks
// local, so a server behind one needs a token.
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

// hasToken compares tokens in constant time.
func hasToken(r *http.Request, token string) bool {
	scheme, given, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	want, got := sha256.Sum256([]byte(token)), sha256.Sum256([]byte(strings.TrimSpace(given)))
	return strings.EqualFold(scheme, "Bearer") && subtle.ConstantTimeCompare(want[:], got[:]) == 1
}

// isAddress reports whether a Host is an IP address, localhost, or empty.
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
