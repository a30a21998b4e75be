package admin

import (
	"crypto/sha256"
	"crypto/subtle"
	"net"
	"net/http"
	"net/netip"
	"strings"

	"github.com/kugiri-db/kugiri/emulator/internal/peer"
)

// guard refuses requests from where they must not come. Those of an HTTPClient of
// the emulator, in its own process, come from nowhere.
func guard(o Options, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if status, why := refusal(o, r); why != "" {
			if status == http.StatusUnauthorized {
				w.Header().Set("WWW-Authenticate", "Bearer")
			}
			send(w, status, map[string]string{"error": why})
			return
		}
		next.ServeHTTP(w, r)
	})
}

// refusal says why a request is refused, and with which status, or "".
//
// Pages cannot send any without a header Origin or Sec-Fetch-Site, which browsers
// set (Fetch standard, "Origin header"; Fetch Metadata, "Sec-Fetch-Site"); and
// where a browser does not, a page that has its own name lead to this machine (DNS
// rebinding) is known by that name in Host. A proxy on this machine is known by the
// headers that it adds; one that adds none passes for this machine, and calls for a token.
func refusal(o Options, r *http.Request) (status int, why string) {
	site := r.Header.Get("Sec-Fetch-Site")
	switch {
	case r.Header["Origin"] != nil || site != "" && site != "none":
		return http.StatusForbidden, "the admin API does not answer pages in browsers"
	case o.Token != "" && !hasToken(r, o.Token):
		return http.StatusUnauthorized, "the admin API wants the header Authorization: Bearer TOKEN, with the token that it was started with"
	case o.AllowRemote:
		return 0, ""
	case !peer.IsLocal(r):
		return http.StatusForbidden, "the admin API answers this machine only, and no proxy, unless it is started with --admin-allow-remote"
	case !isAddress(r.Host):
		return http.StatusForbidden, "the admin API answers at localhost, or an address, only, unless it is started with --admin-allow-remote"
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
