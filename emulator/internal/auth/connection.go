package auth

import (
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/kugiri-db/kugiri/conventions/sigv4"
	"github.com/kugiri-db/kugiri/emulator/internal/apierr"
)

// Connection is the signature of a connection to the accelerator. It signs an empty request that
// is never sent: POST / at acceleratorHost. The token is not signed.
type Connection struct {
	AccessKey    string
	Signature    string
	StringToSign string
	SessionToken string // "" for none
}

// AcceleratorName is the service name in the signatures of DAX's clients and of the requests about
// its clusters.
const (
	AcceleratorName = "dax"
	acceleratorHost = "dax.amazonaws.com"
)

// claim reads the text that a connection signs: the algorithm, the time, the scope, and the hash of
// the request.
func (c *Connection) claim() (sigv4.Claim, string, error) {
	parts := strings.Split(c.StringToSign, "\n")
	if len(parts) != 4 || parts[0] != sigv4.Algorithm {
		return sigv4.Claim{}, "", incomplete("The text that is signed has another form.")
	}
	scope := strings.Split(parts[2], "/")
	date, err := time.Parse(sigv4.TimeFormat, parts[1])
	if err != nil || len(scope) != 4 || !strings.HasPrefix(parts[1], scope[0]) ||
		scope[2] != AcceleratorName || scope[3] != "aws4_request" || scope[1] == "" ||
		len(scope[1]) > LongestRegion {
		return sigv4.Claim{}, "", incomplete("The text that is signed has another scope.")
	}
	return sigv4.Claim{
		Date: date, Day: scope[0], Region: scope[1], Service: AcceleratorName,
		SignedHeaders: "host;x-amz-date",
	}, parts[3], nil
}

// Caller returns the access key and the region of a connection, whoever signed it.
func (c *Connection) Caller() (Credential, error) {
	claim, _, err := c.claim()
	switch {
	case err != nil:
		return Credential{}, err
	case c.AccessKey == "" || len(c.AccessKey) > LongestAccessKey ||
		strings.Contains(c.AccessKey, "/"):
		return Credential{}, apierr.ErrUnknownClient
	}
	return NewCaller(c.AccessKey, claim.Region), nil
}

// AdmitConnection checks that a connection is signed with the client's secret, about now.
func (all Secrets) AdmitConnection(c *Connection, now time.Time) error {
	claim, hash, err := c.claim()
	if err != nil {
		return err
	}
	secret, known := all[c.AccessKey]
	switch {
	case !known || !same(c.SessionToken, secret.SessionToken):
		return apierr.ErrUnknownClient
	case !secret.Expires.IsZero() && !now.Before(secret.Expires):
		return errTokenExpired
	case claim.Date.Before(now.Add(-sigv4.Skew)), claim.Date.After(now.Add(sigv4.Skew)):
		return &apierr.Error{Type: apierr.InvalidSignature, Message: "Signature of " +
			iso(claim.Date) + " is more than 15 min. off " + iso(now)}
	}
	r := &http.Request{Method: http.MethodPost, URL: &url.URL{Path: "/"}, Host: acceleratorHost,
		Header: http.Header{"X-Amz-Date": {iso(claim.Date)}}}
	empty := sha256.Sum256(nil)
	if !same(claim.RequestHash(r, hex.EncodeToString(empty[:])), hash) ||
		!same(claim.Signature(r, nil, secret.Key), c.Signature) {
		return errMismatch
	}
	return nil
}
