package policy

import "github.com/kugiri-db/kugiri/conventions/policy/request"

// The next commits move these names to package request.
type (
	Request     = request.Request
	Read        = request.Read
	Write       = request.Write
	ImagedWrite = request.ImagedWrite
	Caller      = request.Caller
)

// The kinds of writes.
const (
	Put    = request.Put
	Update = request.Update
	Delete = request.Delete
	Check  = request.Check
)
