package hostcheck

import (
	"crypto/sha256"
	"crypto/subtle"
	"net/http"
	"net/url"
	"strings"
)

// Gate decides who may use the features that affect all callers of a server: the admin API and the
// findings of a policy.
type Gate struct {
	AllowRemote bool   // allow requests from other machines and those that a proxy forwards
	Token       string // required in requests as "Authorization: Bearer TOKEN"; "" for none
	RemoteToken string // allows requests from other machines that have it; "" for none
	OwnPages    bool   // allow the scripts of pages that this server itself serves
}

// Refusal returns the reason why a request is refused, and its status. The reason is "" for an
// allowed request. what is the feature in the text, such as "the admin API".
//
// Browsers set the header Origin or Sec-Fetch-Site in the requests of pages (Fetch standard,
// "Origin header"; Fetch Metadata, "Sec-Fetch-Site"). A page may also make its own domain name
// resolve to this machine (DNS rebinding). It looks like a page of this server then, or the browser
// sets neither header, but Host still has that name. A proxy on this machine adds headers that
// reveal it. A proxy that adds none looks local, so a server behind one needs a token.
func (g Gate) Refusal(what string, r *http.Request) (status int, why string) {
	switch {
	case isOfPage(r) && !(g.OwnPages && isOfOwnPage(r)):
		return http.StatusForbidden, what + " does not answer pages in browsers"
	case g.Token != "" && !hasToken(r, g.Token):
		return http.StatusUnauthorized, what +
			" wants the header Authorization: Bearer TOKEN, with the token that it was started with"
	case g.AllowRemote || g.RemoteToken != "" && hasToken(r, g.RemoteToken):
		return 0, ""
	case g.RemoteToken != "" && !isLocal(r):
		return http.StatusUnauthorized, what +
			" wants the token that the server printed at its start, as Authorization: Bearer TOKEN"
	case !isLocal(r):
		return http.StatusForbidden, what +
			" answers this machine only, and no proxy, unless it is started with --admin-allow-remote"
	case !isAddress(r.Host):
		return http.StatusForbidden, what +
			" answers at localhost, or an address, only, unless it is started with --admin-allow-remote"
	}
	return 0, ""
}

// isOfPage reports whether a page in a browser sent a request.
func isOfPage(r *http.Request) bool {
	site := r.Header.Get("Sec-Fetch-Site")
	return r.Header["Origin"] != nil || site != "" && site != "none"
}

// isOfOwnPage reports whether a page with the origin of this server sent a request. Browsers set
// Sec-Fetch-Site only for origins that they trust, such as localhost (Fetch Metadata, 2).
func isOfOwnPage(r *http.Request) bool {
	if site := r.Header.Get("Sec-Fetch-Site"); site != "" && site != "same-origin" {
		return false
	}
	for _, origin := range r.Header["Origin"] {
		if u, err := url.Parse(origin); err != nil || u.Host != r.Host {
			return false
		}
	}
	return true
}

// hasToken compares tokens in constant time.
func hasToken(r *http.Request, token string) bool {
	scheme, given, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	want, got := sha256.Sum256([]byte(token)), sha256.Sum256([]byte(strings.TrimSpace(given)))
	return strings.EqualFold(scheme, "Bearer") && subtle.ConstantTimeCompare(want[:], got[:]) == 1
}

// isAddress reports whether a Host is an IP address, localhost, or empty.
func isAddress(host string) bool {
	host = nameIn(host)
	if host == "" || host == "localhost" || strings.HasSuffix(host, ".localhost") { // RFC 6761, 6.3
		return true
	}
	return isIP(host)
}
