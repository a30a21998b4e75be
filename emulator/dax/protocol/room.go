package protocol

import "github.com/kugiri-db/kugiri/emulator/dax/cbor"

// Limits bound what a Decoder makes of a request, which is judged while it is decoded: a byte of a
// message can be fourteen of JSON. What is within them is for the service to judge.
type Limits struct {
	ItemBytes int // an item to put, by its size in the service
	BodyBytes int // the JSON of a request
}

// Limits of what has another limit in the service, which is lower and has an error of its own.
const (
	maxEntries = 1000    // items of a request
	maxTables  = 1000    // tables of a request
	maxValues  = 4 << 20 // bytes of the values, or of the names, of a request's expressions
	maxText    = 64 << 10
)

// ErrBody is the error of a request beyond Limits.BodyBytes, as the service has it.
var ErrBody = NewError("RequestEntityTooLargeException", "Request too large.", 413)

// ErrItem is the error of an item beyond Limits.ItemBytes, as the service has it.
var ErrItem = NewError("ValidationException",
	"Item size has exceeded the maximum allowed size", 400)

// room is how many bytes an attribute value, or several, may still have by their size in the
// service, which is that of their texts at least.
type room struct {
	left int
	err  error // the error of values that have more
}

// take takes n bytes.
func (m *room) take(n int) error {
	if m == nil {
		return nil
	}
	if m.left -= n; m.left < 0 {
		return m.err
	}
	return nil
}

// body returns ErrBody if the JSON of a request has become too large.
func (d *Decoder) body(made []byte) error {
	if len(made) > d.Limits.BodyBytes {
		return ErrBody
	}
	return nil
}

// bounded returns an error if a text is longer than the service allows any.
func bounded(text string, err error) (string, error) {
	if err == nil && len(text) > maxText {
		err = cbor.ErrTooLarge
	}
	return text, err
}
