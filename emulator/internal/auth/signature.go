package auth

import (
	"net/http"
	"net/url"
	"strings"

	"github.com/kugiri-db/kugiri/conventions/sigv4"
	"github.com/kugiri-db/kugiri/emulator/internal/apierr"
	"github.com/kugiri-db/kugiri/emulator/internal/httpd"
)

// signature holds the parts of a request's signature (AWS General Reference, "Signature Version
// 4"). The service always checks its form. It verifies the signature only under WithCredentials;
// otherwise it accepts any access key and any secret.
type signature struct {
	header     string // all of it, "" if the query has the parameters
	credential string
	signature  string
	signed     string // SignedHeaders
	date       string // X-Amz-Date or Date
}

// algorithmParameter names the algorithm in the query of a presigned request.
const algorithmParameter = "X-Amz-Algorithm"

// LongestAccessKey is the maximum length of an access key (IAM API Reference, AccessKey), and
// LongestRegion that of a region's name. AWS's region names are shorter than half of that.
const (
	LongestAccessKey = 128
	LongestRegion    = 64
)

// Authentication errors that do not depend on the request.
var (
	// service facts 9.8
	errNoToken = &apierr.Error{
		Type: apierr.MissingAuthenticationToken, Message: "Request is missing Authentication Token",
	}
	errTwoTokens = &apierr.Error{Type: apierr.InvalidSignature,
		// service facts 9.11
		Message: "Found both 'X-Amz-Algorithm' as a query-string param and 'Authorization' as HTTP header."}
)

// SigningName is the service name in the signatures of DynamoDB's clients.
const SigningName = "dynamodb"

// Credential is the checked credential of a signature, AKID/date/region/dynamodb/aws4_request.
type Credential struct {
	Scope     string // AKID/date/region
	AccessKey string
	Region    string
}

// Authenticate returns the access key and the region of a request. It checks the service name in
// the scope only if the signature is verified, because some clients take it from the host's name:
// service is that name then, and otherwise "".
func Authenticate(r *http.Request, service string) (Credential, error) {
	if m := asRecent(r, service); m != nil {
		return m.credential, nil
	}
	if Unsigned(r) {
		if c := CallerOf(r); c != nil {
			return *c, nil
		}
	}
	c, err := read(r, service)
	if err == nil {
		remember(r, service, c)
	}
	return c, err
}

// read is Authenticate for a request with a signature.
func read(r *http.Request, service string) (Credential, error) {
	s, err := readSignature(r)
	if err != nil {
		return Credential{}, err
	}
	return s.scope(service)
}

// Unsigned reports whether a request has no signature at all, good or bad.
func Unsigned(r *http.Request) bool {
	return httpd.First(r.Header["Authorization"]) == "" &&
		!strings.Contains(r.URL.RawQuery, "X-Amz-")
}

// readSignature reads a request's signature and checks that it is complete.
func readSignature(r *http.Request) (s signature, err error) {
	header, presigned := httpd.First(r.Header["Authorization"]), strings.Contains(r.URL.RawQuery,
		"X-Amz-")
	switch {
	case header != "" && presigned && r.URL.Query().Has(algorithmParameter):
		return s, errTwoTokens
	case header != "":
		return s, s.readHeader(header, r.Header)
	case presigned:
		return s, s.readQuery(r.URL.Query())
	}
	return s, errNoToken
}

// readHeader reads "AWS4-HMAC-SHA256 Credential=..., SignedHeaders=..., Signature=...". It
// refuses another algorithm that begins with AWS4- only once no part is missing: before that, the
// error lists the missing parts (service facts M.11).
func (s *signature) readHeader(header string, all http.Header) error {
	algorithm, rest, _ := strings.Cut(header, " ")
	if !strings.HasPrefix(algorithm, "AWS4-") {
		return errNoToken
	}
	s.header = header
	for rest != "" {
		var pair string
		if pair, rest = sigv4.CutParameter(rest); pair == "" {
			continue
		}
		name, value, ok := strings.Cut(pair, "=")
		if !ok {
			return incomplete("'" + pair +
				"' not a valid key=value pair (missing equal-sign) in Authorization header: '" +
				header + "'.")
		}
		switch name {
		case "Credential":
			s.credential = value
		case "Signature":
			s.signature = value
		case "SignedHeaders":
			s.signed = value
		}
	}
	if s.date = httpd.First(all["X-Amz-Date"]); s.date == "" {
		s.date = httpd.First(all["Date"])
	}
	if err := s.complete(); err != nil {
		return err
	}
	if algorithm != sigv4.Algorithm {
		return errNoToken
	}
	return nil
}

// readQuery reads the parameters of a presigned request.
func (s *signature) readQuery(q url.Values) error {
	if !q.Has(algorithmParameter) {
		return errNoToken
	}
	s.credential = q.Get("X-Amz-Credential")
	s.signature = q.Get("X-Amz-Signature")
	s.signed = q.Get("X-Amz-SignedHeaders")
	s.date = q.Get("X-Amz-Date")
	if err := s.complete(); err != nil {
		return err
	}
	if q.Get(algorithmParameter) != sigv4.Algorithm {
		return errNoToken
	}
	return nil
}

func incomplete(message string) error {
	return &apierr.Error{Type: apierr.IncompleteSignature, Message: message}
}

// complete checks that no part is missing. Like the service, it lists all missing parts.
func (s *signature) complete() error {
	if s.credential != "" && s.signature != "" && s.signed != "" && s.date != "" {
		return nil
	}
	if s.header == "" {
		return incomplete(s.missing("AWS query-string parameters must include '", "'. ", "X-Amz-") +
			"Re-examine the query-string parameters.")
	}
	message := s.missing("Authorization header requires '", "' parameter. ", "")
	if s.date == "" {
		message += "Authorization header requires existence of either a 'X-Amz-Date' or a 'Date' header. "
	}
	return incomplete(message + "Authorization=" + s.header)
}

func (s *signature) missing(before, after, prefix string) string {
	var b strings.Builder
	for _, p := range [...]struct{ name, value string }{
		{"Credential", s.credential}, {"Signature", s.signature}, {"SignedHeaders", s.signed},
	} {
		if p.value == "" {
			b.WriteString(before + prefix + p.name + after)
		}
	}
	if prefix != "" && s.date == "" {
		b.WriteString(before + prefix + "Date" + after)
	}
	return b.String()
}

// scope splits the credential and checks the parts that need no secret.
func (s *signature) scope(want string) (Credential, error) {
	rest := s.credential
	accessKey, rest, _ := strings.Cut(rest, "/")
	date, rest, _ := strings.Cut(rest, "/")
	region, rest, _ := strings.Cut(rest, "/")
	service, terminator, ok := strings.Cut(rest, "/")
	if !ok || accessKey == "" || strings.Contains(terminator, "/") {
		return Credential{}, incomplete(
			"Credential must have exactly 5 slash-delimited elements, e.g. keyid/date/region/service/term, got '" + s.credential + "'")
	}
	signed, err := s.isoDate()
	if err != nil {
		return Credential{}, err
	}
	var faults string
	if region == "" || len(region) > LongestRegion {
		faults += "Credential should be scoped to a valid region. "
	}
	if want != "" && service != want {
		faults += "Credential should be scoped to correct service: '" + want + "'. "
	}
	if terminator != "aws4_request" {
		faults += "Credential should be scoped with a valid terminator: 'aws4_request', not '" +
			terminator + "'. "
	}
	if signed[:8] != date {
		faults += "Date in Credential scope does not match YYYYMMDD from ISO-8601 version of date from HTTP: '" +
			date + "' != '" + signed[:8] + "', from '" + signed + "'. "
	}
	if faults != "" {
		return Credential{}, &apierr.Error{Type: apierr.InvalidSignature, Message: faults}
	}
	if len(accessKey) > LongestAccessKey {
		return Credential{}, apierr.ErrUnknownClient
	}
	return Credential{
		Scope:     s.credential[:len(accessKey)+len(date)+len(region)+2],
		AccessKey: accessKey,
		Region:    region,
	}, nil
}

// isoDate returns the time of the signature in the form 20060102T150405Z. It does not parse a date
// that already has this form, to keep requests fast; only the method time needs a valid date.
func (s *signature) isoDate() (string, error) {
	if inBasicFormat(s.date) {
		return s.date, nil
	}
	t, err := s.time()
	if err != nil {
		return "", err
	}
	return iso(t), nil // the date is that of a Date header
}

// inBasicFormat reports whether a text has the form of sigv4.TimeFormat.
func inBasicFormat(text string) bool {
	if len(text) != len(sigv4.TimeFormat) {
		return false
	}
	for i := range len(text) {
		switch c := sigv4.TimeFormat[i]; {
		case c == 'T' || c == 'Z':
			if text[i] != c {
				return false
			}
		case text[i] < '0' || text[i] > '9':
			return false
		}
	}
	return true
}
