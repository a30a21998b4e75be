package request

import "strings"

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

// TenantIn returns the value of a tenant header for Caller.Header. A proxy that appends its value
// to that of a client makes several of them, or a list with commas, and neither is to be chosen
// from: the result is then a text that is no tenant's name.
func TenantIn(values []string) string {
	switch {
	case len(values) == 0:
		return ""
	case len(values) == 1 && !strings.Contains(values[0], ","):
		return values[0]
	}
	return "#" + strings.Join(values, "#")
}
