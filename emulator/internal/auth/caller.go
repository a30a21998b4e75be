package auth

import (
	"context"
	"net/http"
)

// callerKey is the context key of the *Credential of an unsigned request from an HTTPClient.
type callerKey struct{}

// CallerOf returns the credential of an unsigned request, or nil.
func CallerOf(r *http.Request) *Credential {
	c, _ := r.Context().Value(callerKey{}).(*Credential)
	return c
}

// WithCaller returns a request that belongs to the caller if it is not signed.
func WithCaller(r *http.Request, caller *Credential) *http.Request {
	return r.WithContext(context.WithValue(r.Context(), callerKey{}, caller))
}

// NewCaller returns the credential of unsigned requests with an access key to a region. Neither
// name has a slash.
func NewCaller(accessKey, region string) Credential {
	return Credential{Scope: accessKey + "/-/" + region, AccessKey: accessKey, Region: region}
}
