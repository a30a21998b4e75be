// Package sigv4 computes AWS Signature Version 4 (IAM User Guide, "AWS Signature Version 4 for API
// requests"). It signs requests, and it computes the signature of a received request for
// comparison. Its functions have no state of their own.
//
// The signer of the AWS SDK (aws/signer/v4) was rejected: it signs and does not verify, and the
// server must not link the SDK.
package sigv4

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
)

const (
	// Algorithm is the first word of an Authorization header.
	Algorithm = "AWS4-HMAC-SHA256"
	// TimeFormat is the format of X-Amz-Date, in UTC.
	TimeFormat = "20060102T150405Z"

	terminator = "aws4_request"
)

// Skew is how far the clocks of a client and DynamoDB may be apart. DynamoDB's errors end in "- 15
// min.)" (github.com/praetorian-inc/chariot-ui/issues/453), those of some other services in "- 5
// min.)".
const Skew = 15 * time.Minute

// Credentials sign requests. SessionToken is "" for long-term credentials.
type Credentials struct{ AccessKey, Secret, SessionToken string }

// Claim holds what a signed request says about its signature.
type Claim struct {
	Date          time.Time // the moment at which the client signed it
	Day           string    // day of the scope: YYYYMMDD
	Region        string
	Service       string
	SignedHeaders string // lower-case names, separated by semicolons
}

// CutParameter cuts the first parameter, such as Credential=…, off an Authorization header without
// its algorithm. Commas or blanks separate parameters (service facts 9.6). A blank belongs to a
// value if no parameter follows it. The parameter is "" between two commas.
func CutParameter(header string) (parameter, rest string) {
	header = strings.TrimSpace(header)
	parameter, rest, _ = strings.Cut(header, ",")
	for end := 0; ; end++ {
		blank := strings.IndexByte(parameter[end:], ' ')
		if blank < 0 {
			return strings.TrimSpace(parameter), rest
		}
		end += blank
		if beginsParameter(strings.TrimSpace(parameter[end:])) {
			return strings.TrimSpace(parameter[:end]), header[end:]
		}
	}
}

// beginsParameter reports whether a text begins with letters and an equals sign.
func beginsParameter(s string) bool {
	name, _, ok := strings.Cut(s, "=")
	return ok && name != "" &&
		strings.IndexFunc(name, func(c rune) bool { return (c|0x20) < 'a' || (c|0x20) > 'z' }) < 0
}

// Scope returns the scope of the credential, which follows the access key.
func (c *Claim) Scope() string {
	return c.Day + "/" + c.Region + "/" + c.Service + "/" + terminator
}

// Signature returns the signature that a request with a body should have, in hexadecimal. The
// request is one that a server received, or has a Host as if it were.
func (c *Claim) Signature(r *http.Request, body []byte, secret string) string {
	payload := sha256.Sum256(body)
	toSign := Algorithm + "\n" + c.Date.UTC().Format(TimeFormat) + "\n" + c.Scope() + "\n" +
		c.RequestHash(r, hex.EncodeToString(payload[:]))
	key := []byte("AWS4" + secret)
	for _, part := range [...]string{c.Day, c.Region, c.Service, terminator, toSign} {
		key = sum(key, part)
	}
	return hex.EncodeToString(key)
}

// RequestHash returns the hash of a request's canonical form, the last line of the text that is
// signed. payload is the hash of its body. Both are in hexadecimal.
func (c *Claim) RequestHash(r *http.Request, payload string) string {
	hash := sha256.Sum256([]byte(c.canonicalRequest(r, payload)))
	return hex.EncodeToString(hash[:])
}

func sum(key []byte, text string) []byte {
	h := hmac.New(sha256.New, key)
	h.Write([]byte(text))
	return h.Sum(nil)
}

// canonicalRequest returns the text to hash (IAM User Guide, "Create a signed AWS API request",
// step 1).
func (c *Claim) canonicalRequest(r *http.Request, payload string) string {
	var b strings.Builder
	path := r.URL.EscapedPath()
	if path == "" {
		path = "/"
	}
	b.WriteString(r.Method + "\n")
	b.WriteString(escape(path, "/") + "\n") // escaped twice, as for all services but S3
	b.WriteString(canonicalQuery(r.URL.RawQuery) + "\n")
	for name := range strings.SplitSeq(c.SignedHeaders, ";") {
		b.WriteString(name + ":" + headerValue(r, name) + "\n")
	}
	b.WriteString("\n" + c.SignedHeaders + "\n" + payload)
	return b.String()
}

// headerValue returns the value of a header. The name is in lower case. Surrounding spaces are cut
// and each run of spaces is one. net/http keeps some headers outside r.Header.
func headerValue(r *http.Request, name string) string {
	values := r.Header[http.CanonicalHeaderKey(name)]
	switch {
	case name == "host":
		values = []string{r.Host}
	case name == "content-length" && values == nil && r.ContentLength >= 0:
		values = []string{strconv.FormatInt(r.ContentLength, 10)}
	case name == "transfer-encoding" && values == nil:
		values = r.TransferEncoding
	}
	trimmed := make([]string, len(values))
	for i, v := range values {
		trimmed[i] = strings.Join(strings.Fields(v), " ")
	}
	return strings.Join(trimmed, ",")
}

// canonicalQuery sorts the parameters and leaves out the signature of a presigned request.
func canonicalQuery(raw string) string {
	if raw == "" {
		return ""
	}
	type parameter struct{ name, value string }
	var all []parameter
	for pair := range strings.SplitSeq(raw, "&") {
		name, value, _ := strings.Cut(pair, "=")
		name, value = unescape(name), unescape(value)
		if pair != "" && name != "X-Amz-Signature" {
			all = append(all, parameter{escape(name, ""), escape(value, "")})
		}
	}
	slices.SortFunc(all, func(a, b parameter) int {
		if by := strings.Compare(a.name, b.name); by != 0 {
			return by
		}
		return strings.Compare(a.value, b.value)
	})
	var b strings.Builder
	for i, p := range all {
		if i > 0 {
			b.WriteByte('&')
		}
		b.WriteString(p.name + "=" + p.value)
	}
	return b.String()
}

// unescape decodes percent encoding. It leaves a percent sign that begins no encoding as it is.
func unescape(s string) string {
	if u, err := url.QueryUnescape(s); err == nil {
		return u
	}
	return s
}

// escape encodes all bytes except the unreserved ones of RFC 3986 and those in keep.
func escape(s, keep string) string {
	const hexDigits = "0123456789ABCDEF"
	var b strings.Builder
	for i := range len(s) {
		switch c := s[i]; {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c &&
			c <= '9', strings.IndexByte("-_.~"+keep, c) >= 0:
			b.WriteByte(c)
		default:
			b.WriteString("%" + string(hexDigits[c>>4]) + string(hexDigits[c&15]))
		}
	}
	return b.String()
}

// Sign signs a request with the given body before it is sent. It sets X-Amz-Date, Authorization,
// and X-Amz-Security-Token if the key has one. It signs all headers that the request has.
func Sign(r *http.Request, body []byte, k Credentials, region, service string, now time.Time) {
	r.Header.Set("X-Amz-Date", now.UTC().Format(TimeFormat))
	if k.SessionToken != "" {
		r.Header.Set("X-Amz-Security-Token", k.SessionToken)
	}
	if r.Host == "" {
		r.Host = r.URL.Host
	}
	r.Header.Del("Authorization")
	names := []string{"host"}
	for name := range r.Header {
		names = append(names, strings.ToLower(name))
	}
	slices.Sort(names)
	c := Claim{
		Date: now, Day: now.UTC().Format("20060102"), Region: region, Service: service,
		SignedHeaders: strings.Join(names, ";"),
	}
	r.Header.Set("Authorization",
		Algorithm+" Credential="+k.AccessKey+"/"+c.Scope()+", SignedHeaders="+c.SignedHeaders+
			", Signature="+c.Signature(r, body, k.Secret))
}
