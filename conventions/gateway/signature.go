package gateway

import (
	"crypto/subtle"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/kugiri-db/kugiri/conventions/sigv4"
)

// signature is a parsed Authorization header.
type signature struct {
	accessKey string
	claim     sigv4.Claim // the claim without its date
	value     string
}

// parseAuthorization reads an Authorization header of Signature Version 4.
func parseAuthorization(values []string) (s signature, ok bool) {
	if len(values) != 1 {
		return s, false
	}
	rest, ok := strings.CutPrefix(values[0], sigv4.Algorithm+" ")
	if !ok {
		return s, false
	}
	scope := ""
	for rest != "" {
		var parameter string
		parameter, rest = sigv4.CutParameter(rest)
		name, value, _ := strings.Cut(parameter, "=")
		switch name {
		case "Credential":
			scope = value
		case "SignedHeaders":
			s.claim.SignedHeaders = value
		case "Signature":
			s.value = value
		}
	}
	parts := strings.Split(scope, "/")
	if len(parts) != 5 || slices.Contains(parts, "") || parts[4] != "aws4_request" {
		return s, false
	}
	s.accessKey = parts[0]
	s.claim.Day, s.claim.Region, s.claim.Service = parts[1], parts[2], parts[3]
	return s, true
}

// verify checks a signature. It returns nil if the signature is right.
func (g *Gateway) verify(r *http.Request, body []byte, s signature) *answer {
	secret, ok := g.config.Secrets[s.accessKey]
	if !ok {
		return &answerUnknownKey
	}
	signed := strings.Split(s.claim.SignedHeaders, ";")
	for _, name := range [...]string{"host", "x-amz-date", "x-amz-target"} {
		if !slices.Contains(signed, name) {
			return &answerUnsigned
		}
	}
	// The tenant header decides what the caller may do, so the signature must cover it.
	if header := g.config.Policy.TenantHeader(); header != "" && r.Header.Get(header) != "" &&
		!slices.Contains(signed, strings.ToLower(header)) {
		return &answerUnsignedTenant
	}
	date, err := time.Parse(sigv4.TimeFormat, r.Header.Get("X-Amz-Date"))
	if err != nil || date.Format("20060102") != s.claim.Day {
		return &answerWrongSignature
	}
	if off := g.config.Now().Sub(date); off > sigv4.Skew || off < -sigv4.Skew {
		return &answerSkewed
	}
	s.claim.Date = date
	if subtle.ConstantTimeCompare([]byte(s.claim.Signature(r, body, secret)),
		[]byte(s.value)) != 1 {
		return &answerWrongSignature
	}
	return nil
}
