package auth

import (
	"crypto/subtle"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/kugiri-db/kugiri/conventions/sigv4"
	"github.com/kugiri-db/kugiri/emulator/internal/apierr"
	"github.com/kugiri-db/kugiri/emulator/internal/httpd"
)

// Secret holds the data of an access key: see emulator.Secret.
type Secret struct {
	Key          string
	SessionToken string
	Expires      time.Time
}

// Secrets maps the known access keys to their secrets.
type Secrets map[string]Secret

// longestLife is the maximum lifetime of a presigned request (IAM User Guide, "Authenticating
// requests: using query parameters").
const longestLife = 7 * 24 * time.Hour

// Errors of signatures that do not depend on the request.
var (
	errTokenExpired = &apierr.Error{
		Type: apierr.ExpiredToken, Message: "The security token included in the request is expired",
	}
	errMismatch = &apierr.Error{Type: apierr.InvalidSignature,
		Message: "The request signature we calculated does not match the signature you provided. " +
			"Check your AWS Secret Access Key and signing method. Consult the service documentation for details."}
	errExpiresNoNumber = incomplete("X-Amz-Expires should be a number")
	errExpiresNegative = incomplete("X-Amz-Expires must be non-negative")
	errExpiresTooLong  = incomplete(
		"X-Amz-Expires must be less than a week (in seconds); that is, the given X-Amz-Expires must be less than 604800 seconds")
)

// Admit checks the parts of a request's signature that do not depend on its body: the time, the
// signed headers, and whether the client is known. The signature must be complete and have the
// scope of who. If the request has the given header, the signature must cover it; "" names no
// header. Only an HTTPClient, which is in this process and trusted, sends unsigned requests this
// far.
func (all Secrets) Admit(r *http.Request, who Credential, now time.Time, header string) error {
	if Unsigned(r) {
		return nil
	}
	s, err := readSignature(r)
	if err != nil {
		return err
	}
	if err := s.current(r, now); err != nil {
		return err
	}
	if err := s.covers(r); err != nil {
		return err
	}
	if err := s.coversHeader(r, header); err != nil {
		return err
	}
	token := httpd.First(r.Header["X-Amz-Security-Token"])
	if s.header == "" {
		token = r.URL.Query().Get("X-Amz-Security-Token")
	}
	secret, known := all[who.AccessKey]
	switch {
	case !known || !same(token, secret.SessionToken):
		return apierr.ErrUnknownClient
	case !secret.Expires.IsZero() && !now.Before(secret.Expires):
		return errTokenExpired
	}
	return nil
}

// Dated adds to the error of a scope that is wrong what is wrong with the date as well: the service
// reports both (service facts H.7). It returns any other error as it is.
func Dated(r *http.Request, err error, now time.Time) error {
	e := apierr.As(err)
	if e == nil || e.Type != apierr.InvalidSignature {
		return err
	}
	s, unread := readSignature(r)
	if unread != nil {
		return err
	}
	date := apierr.As(s.current(r, now))
	if date == nil || date.Type != apierr.InvalidSignature {
		return err
	}
	return &apierr.Error{Type: e.Type, Message: e.Message + date.Message}
}

// time returns when the request was signed.
func (s *signature) time() (time.Time, error) {
	if t, err := time.Parse(sigv4.TimeFormat, s.date); err == nil {
		return t, nil
	}
	if t, err := http.ParseTime(s.date); err == nil { // the date is that of a Date header
		return t, nil
	}
	return time.Time{}, incomplete("Date must be in ISO-8601 'basic format'. Got '" + s.date +
		"'. See http://en.wikipedia.org/wiki/ISO_8601")
}

// current checks that the signature is neither expired nor from the future.
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
		return &apierr.Error{Type: apierr.InvalidSignature, Message: fmt.Sprintf(
			"Signature expired: %s is now earlier than %s (%s - %d min.)",
			iso(date), iso(oldest), iso(now), life/time.Minute)}
	}
	if newest := now.Add(sigv4.Skew); date.After(newest) {
		return &apierr.Error{Type: apierr.InvalidSignature, Message: fmt.Sprintf(
			"Signature not yet current: %s is still later than %s (%s + %d min.)",
			iso(date), iso(newest), iso(now), sigv4.Skew/time.Minute)}
	}
	return nil
}

// life returns how long the signature is valid. A presigned request may set this itself. The errors
// have S3's texts, because no such answer of DynamoDB is known.
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

// covers checks that the signature covers the headers that decide where a request goes, when it was
// made, what it does, and for whom. Nobody can then replace them. A presigned request may have them
// in its query, which the signature covers as a whole.
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
		case s.header == "" && strings.HasSuffix(name, "Date"): // the date of the query counts
		default:
			return unsignedHeader("'" + name + "'")
		}
	}
	return nil
}

// coversHeader checks that the signature covers a header if the request has it. The header is as
// trustworthy as the signature.
func (s *signature) coversHeader(r *http.Request, header string) error {
	if header == "" || len(r.Header[header]) == 0 ||
		slices.Contains(strings.Split(s.signed, ";"), strings.ToLower(header)) {
		return nil
	}
	return unsignedHeader("'" + header + "'")
}

func unsignedHeader(name string) error {
	return &apierr.Error{
		Type:    apierr.InvalidSignature,
		Message: name + " must be a 'SignedHeader' in the AWS Authorization.",
	}
}

func iso(t time.Time) string { return t.UTC().Format(sigv4.TimeFormat) }

// Verify checks that an admitted request is signed with the client's secret, for a service. body is
// the body as it was sent.
func (all Secrets) Verify(r *http.Request, who Credential, service string, body []byte) error {
	if Unsigned(r) {
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
	c := sigv4.Claim{
		Date: date, Day: who.day(), Region: who.Region, Service: service,
		SignedHeaders: s.signed,
	}
	if !same(c.Signature(r, body, all[who.AccessKey].Key), s.signature) {
		return errMismatch
	}
	return nil
}

// day returns the date in the scope.
func (c Credential) day() string {
	return c.Scope[len(c.AccessKey)+1 : len(c.Scope)-len(c.Region)-1]
}

// same compares secrets in constant time.
func same(a, b string) bool { return subtle.ConstantTimeCompare([]byte(a), []byte(b)) == 1 }
