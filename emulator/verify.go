package emulator

import (
	"crypto/subtle"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/kugiri-db/kugiri/conventions/sigv4"
)

// Secret is what belongs to an access key.
type Secret struct {
	Key          string    // the secret access key
	SessionToken string    // of temporary credentials; "" for others
	Expires      time.Time // of temporary credentials, on the service's clock; zero for never
}

// WithCredentials has the service verify the signatures of all requests, with the
// secrets of the access keys that there are, and refuse what is signed otherwise,
// or more than five minutes off the service's clock (see WithClock). By default
// anything that looks like a signature will do.
func WithCredentials(secrets map[string]Secret) Option {
	return func(s *settings) {
		s.credentials = map[string]Secret{}
		maps.Copy(s.credentials, secrets)
	}
}

// skew is how far the clocks of a client and the service may be apart (IAM User Guide, "Troubleshoot Signature Version 4").
const skew = 5 * time.Minute

// Errors of signatures that do not depend on the request.
var (
	errUnknownClient = &apiError{typ: errUnrecognizedClient, message: "The security token included in the request is invalid."}
	errTokenExpired  = &apiError{typ: errExpiredToken, message: "The security token included in the request is expired"}
	errHostUnsigned  = &apiError{typ: errInvalidSignature, message: "'Host' or ':authority' must be a 'SignedHeader' in the AWS Authorization."}
	errMismatch      = &apiError{typ: errInvalidSignature, message: "The request signature we calculated does not match the signature you provided. " +
		"Check your AWS Secret Access Key and signing method. Consult the service documentation for details."}
)

// admit checks all of a request's signature that does not depend on its body:
// whether the client is known, and the time. The signature is complete and its
// scope that of who. An unsigned request has come this far only from an HTTPClient,
// which is in this process and trusted.
func (e *Emulator) admit(r *http.Request, who credential) error {
	if unsigned(r) {
		return nil
	}
	s, err := readSignature(r)
	if err != nil {
		return err
	}
	if !slices.Contains(strings.Split(s.signed, ";"), "host") {
		return errHostUnsigned
	}
	date, err := s.time()
	if err != nil {
		return err
	}
	token := first(r.Header["X-Amz-Security-Token"])
	if s.header == "" {
		token = r.URL.Query().Get("X-Amz-Security-Token")
	}
	secret, known := e.credentials[who.accessKey]
	now := e.clock()
	switch {
	case !known || !same(token, secret.SessionToken):
		return errUnknownClient
	case !secret.Expires.IsZero() && !now.Before(secret.Expires):
		return errTokenExpired
	}
	return s.current(r, date, now)
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

// current checks that a signature of a date is neither of the past nor of the future.
// A presigned request says itself how long it lasts (IAM User Guide, "Authenticating requests", X-Amz-Expires).
func (s *signature) current(r *http.Request, date, now time.Time) error {
	life := skew
	if s.header == "" {
		if seconds, err := strconv.ParseUint(r.URL.Query().Get("X-Amz-Expires"), 10, 20); err == nil {
			life = time.Duration(seconds) * time.Second
		}
	}
	if oldest := now.Add(-life); date.Before(oldest) {
		return &apiError{typ: errInvalidSignature, message: fmt.Sprintf("Signature expired: %s is now earlier than %s (%s - %d min.)",
			iso(date), iso(oldest), iso(now), life/time.Minute)}
	}
	if newest := now.Add(skew); date.After(newest) {
		return &apiError{typ: errInvalidSignature, message: fmt.Sprintf("Signature not yet current: %s is still later than %s (%s + %d min.)",
			iso(date), iso(newest), iso(now), skew/time.Minute)}
	}
	return nil
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
	c := sigv4.Claim{Date: date, Day: who.day(), Region: who.region, Service: "dynamodb", SignedHeaders: s.signed}
	if !same(c.Signature(r, body, e.credentials[who.accessKey].Key), s.signature) {
		return errMismatch
	}
	return nil
}

// day is the date in the scope.
func (c credential) day() string { return c.scope[len(c.accessKey)+1 : len(c.scope)-len(c.region)-1] }

// same compares secrets in a time that does not depend on what they have in common.
func same(a, b string) bool { return subtle.ConstantTimeCompare([]byte(a), []byte(b)) == 1 }
