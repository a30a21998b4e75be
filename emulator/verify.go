package emulator

import (
	"crypto/subtle"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/kugiri-db/kugiri/conventions/sigv4"
	"github.com/kugiri-db/kugiri/emulator/internal/apierr"
	"github.com/kugiri-db/kugiri/emulator/internal/httpd"
)

// Secret is what belongs to an access key.
type Secret struct {
	Key          string    // the secret access key
	SessionToken string    // of temporary credentials; "" for others
	Expires      time.Time // of temporary credentials, on the service's clock; zero for never
}

// WithCredentials has the service verify the signatures of all requests, with the
// secrets of the access keys that there are, and refuse what is signed otherwise,
// or more than fifteen minutes off the service's clock (see WithClock). By default
// anything that looks like a signature will do.
func WithCredentials(secrets map[string]Secret) Option {
	return func(s *settings) {
		s.credentials = map[string]Secret{}
		maps.Copy(s.credentials, secrets)
	}
}

// longestLife is how long a presigned request lasts at most (IAM User Guide, "Authenticating
// requests: using query parameters").
const longestLife = 7 * 24 * time.Hour

// Errors of signatures that do not depend on the request.
var (
	errUnknownClient = &apierr.Error{Type: apierr.UnrecognizedClient, Message: "The security token included in the request is invalid."}
	errTokenExpired  = &apierr.Error{Type: apierr.ExpiredToken, Message: "The security token included in the request is expired"}
	errMismatch      = &apierr.Error{Type: apierr.InvalidSignature, Message: "The request signature we calculated does not match the signature you provided. " +
		"Check your AWS Secret Access Key and signing method. Consult the service documentation for details."}
	errExpiresNoNumber = incomplete("X-Amz-Expires should be a number")
	errExpiresNegative = incomplete("X-Amz-Expires must be non-negative")
	errExpiresTooLong  = incomplete("X-Amz-Expires must be less than a week (in seconds); that is, the given X-Amz-Expires must be less than 604800 seconds")
)

// admit checks all of a request's signature that does not depend on its body: the time, what is
// signed, and whether the client is known. The signature is complete and its scope that of who.
// An unsigned request has come this far only from an HTTPClient, which is in this process and
// trusted.
func (e *Emulator) admit(r *http.Request, who credential) error {
	if unsigned(r) {
		return nil
	}
	s, err := readSignature(r)
	if err != nil {
		return err
	}
	now := e.clock()
	if err := s.current(r, now); err != nil {
		return err
	}
	if err := s.covers(r); err != nil {
		return err
	}
	if err := e.coversTenant(r, &s); err != nil {
		return err
	}
	token := httpd.First(r.Header["X-Amz-Security-Token"])
	if s.header == "" {
		token = r.URL.Query().Get("X-Amz-Security-Token")
	}
	secret, known := e.credentials[who.accessKey]
	switch {
	case !known || !same(token, secret.SessionToken):
		return errUnknownClient
	case !secret.Expires.IsZero() && !now.Before(secret.Expires):
		return errTokenExpired
	}
	return nil
}

// time is when the request was signed.
func (s *signature) time() (time.Time, error) {
	if t, err := time.Parse(sigv4.TimeFormat, s.date); err == nil {
		return t, nil
	}
	if t, err := http.ParseTime(s.date); err == nil { // of a Date header
		return t, nil
	}
	return time.Time{}, incomplete("Date must be in ISO-8601 'basic format'. Got '" + s.date + "'. See http://en.wikipedia.org/wiki/ISO_8601")
}

// current checks that the signature is neither of the past nor of the future.
func (s *signature) current(r *http.Request, now time.Time) error {
	date, err := s.time()
	if err != nil {
		return err
	}
	life, err := s.life(r)
	if err != nil {
		return err
	}
	if oldest := now.Add(-life); date.Before(oldest) {
		return &apierr.Error{Type: apierr.InvalidSignature, Message: fmt.Sprintf("Signature expired: %s is now earlier than %s (%s - %d min.)",
			iso(date), iso(oldest), iso(now), life/time.Minute)}
	}
	if newest := now.Add(sigv4.Skew); date.After(newest) {
		return &apierr.Error{Type: apierr.InvalidSignature, Message: fmt.Sprintf("Signature not yet current: %s is still later than %s (%s + %d min.)",
			iso(date), iso(newest), iso(now), sigv4.Skew/time.Minute)}
	}
	return nil
}

// life is how long the signature is valid. A presigned request may say so itself. The texts of
// what is wrong with that are S3's; no answer of DynamoDB's is known.
func (s *signature) life(r *http.Request) (time.Duration, error) {
	q := r.URL.Query()
	if s.header != "" || !q.Has("X-Amz-Expires") {
		return sigv4.Skew, nil
	}
	seconds, err := strconv.Atoi(q.Get("X-Amz-Expires"))
	switch {
	case errors.Is(err, strconv.ErrRange):
		return 0, errExpiresTooLong
	case err != nil:
		return 0, errExpiresNoNumber
	case seconds < 0:
		return 0, errExpiresNegative
	case seconds > int(longestLife/time.Second):
		return 0, errExpiresTooLong
	}
	return time.Duration(seconds) * time.Second, nil
}

// covers checks that the headers are signed that decide where a request goes, when it was made,
// what it does, and for whom. Nobody can then swap them. A presigned request may have them in its
// query, all of which is signed.
func (s *signature) covers(r *http.Request) error {
	signed := strings.Split(s.signed, ";")
	if !slices.Contains(signed, "host") {
		return unsignedHeader("'Host' or ':authority'")
	}
	query := r.URL.Query()
	for _, name := range [...]string{"X-Amz-Date", "Date", "X-Amz-Target", "X-Amz-Security-Token"} {
		value := r.Header[name]
		switch {
		case len(value) == 0 || slices.Contains(signed, strings.ToLower(name)):
		case name == "Date" && s.date != value[0]: // X-Amz-Date counts
		case s.header == "" && slices.Equal(query[name], value):
		case s.header == "" && strings.HasSuffix(name, "Date"): // that of the query counts
		default:
			return unsignedHeader("'" + name + "'")
		}
	}
	return nil
}

// coversTenant checks that the header with the tenant is signed: it is worth as much as the signature.
func (e *Emulator) coversTenant(r *http.Request, s *signature) error {
	if e.guard == nil || e.guard.header == "" || len(r.Header[e.guard.header]) == 0 ||
		slices.Contains(strings.Split(s.signed, ";"), strings.ToLower(e.guard.header)) {
		return nil
	}
	return unsignedHeader("'" + e.guard.header + "'")
}

func unsignedHeader(name string) error {
	return &apierr.Error{Type: apierr.InvalidSignature, Message: name + " must be a 'SignedHeader' in the AWS Authorization."}
}

func iso(t time.Time) string { return t.UTC().Format(sigv4.TimeFormat) }

// verify checks that a request that was admitted, with a body as it was sent, is
// signed with the client's secret.
func (e *Emulator) verify(r *http.Request, who credential, body []byte) error {
	if unsigned(r) {
		return nil
	}
	s, err := readSignature(r)
	if err != nil {
		return err
	}
	date, err := s.time()
	if err != nil {
		return err
	}
	c := sigv4.Claim{Date: date, Day: who.day(), Region: who.region, Service: signingName, SignedHeaders: s.signed}
	if !same(c.Signature(r, body, e.credentials[who.accessKey].Key), s.signature) {
		return errMismatch
	}
	return nil
}

// day is the date in the scope.
func (c credential) day() string { return c.scope[len(c.accessKey)+1 : len(c.scope)-len(c.region)-1] }

// same compares secrets in a time that does not depend on what they have in common.
func same(a, b string) bool { return subtle.ConstantTimeCompare([]byte(a), []byte(b)) == 1 }
