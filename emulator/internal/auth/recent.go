package auth

import (
	"hash/maphash"
	"net/http"
	"strings"
	"sync/atomic"

	"github.com/kugiri-db/kugiri/emulator/internal/httpd"
)

// recent is a header that Authenticate has accepted. For a day, the headers of a client's requests
// differ in nothing but their signatures. So most need not be read again.
type recent struct {
	header     string // the header up to the signature, which is its end
	day        string // the day of X-Amz-Date
	service    string
	credential Credential
}

const (
	signatureDigits = 64   // a SHA-256 in hexadecimal
	longestRecent   = 1024 // bytes of a header that is remembered
)

// recents is safe for concurrent use. A header has its place by its hash.
var (
	recents    [64]atomic.Pointer[recent]
	recentSeed = maphash.MakeSeed()
)

// asRecent returns what is remembered of a request's header, nil if nothing is.
func asRecent(r *http.Request, service string) *recent {
	header, ok := rememberable(r)
	if !ok {
		return nil
	}
	m := recentPlace(header).Load()
	date := httpd.First(r.Header["X-Amz-Date"])
	if m == nil || m.header != header || m.service != service || !inBasicFormat(date) ||
		date[:len(m.day)] != m.day {
		return nil
	}
	return m
}

// remember keeps the credential of a request that was accepted.
func remember(r *http.Request, service string, c Credential) {
	header, ok := rememberable(r)
	date := httpd.First(r.Header["X-Amz-Date"])
	if ok && inBasicFormat(date) {
		recentPlace(header).Store(&recent{header, date[:len("20060102")], service, c})
	}
}

func recentPlace(header string) *atomic.Pointer[recent] {
	return &recents[maphash.String(recentSeed, header)%uint64(len(recents))]
}

// rememberable returns the Authorization header of a request without its signature. ok is false
// unless it ends with one parameter of that name, and the query has no signature.
func rememberable(r *http.Request) (header string, ok bool) {
	const name = "Signature="
	header = httpd.First(r.Header["Authorization"])
	n := len(header) - signatureDigits
	if r.URL.RawQuery != "" || n < len(name) || len(header) > longestRecent ||
		header[n-len(name):n] != name {
		return "", false
	}
	signature, last := header[n:], header[len(header)-1]
	return header[:n], last > ' ' && last < 0x7f &&
		strings.IndexByte(signature, ' ') < 0 && strings.IndexByte(signature, ',') < 0
}
