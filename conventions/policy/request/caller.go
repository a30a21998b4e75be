package request

// Caller identifies the sender of a request.
type Caller struct {
	AccessKey string // id of the access key that signed the request
	Header    string // value of the policy's tenant header

	// Authenticated reports that the signature is verified and covers the header. Without it a
	// header cannot make a caller privileged.
	Authenticated bool

	// Tenant is the caller's tenant, if the application already knows it, for example when it
	// checks its own requests. It takes precedence over the access key and the header, and applies
	// even if the policy declares no callers.
	Tenant string
}
