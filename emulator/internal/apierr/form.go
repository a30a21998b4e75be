package apierr

import (
	"strings"

	"github.com/kugiri-db/kugiri/conventions/wire"
	"github.com/kugiri-db/kugiri/storage/item"
)

// Form is the wording that an operation uses for faults in the parameters of a request. In 2026 the
// service moved some operations to a new layer of validation (service facts 0.2).
type Form uint8

const (
	OldForm       Form = iota // the wording before 2026
	BareForm                  // the new wording
	EnvelopedForm             // the new wording, in an envelope
)

// Envelope begins an error text of the new layer of validation.
const Envelope = "1 validation error detected: "

// ParameterError is a fault in the parameters of a request that shows without its tables. It holds
// the fault. The form of the operation words it. A fault that depends on the table is an Error,
// which all forms word alike (service facts 0.5).
type ParameterError struct {
	About findingSubject
	Text  string        // the same in all forms
	Value *item.Invalid // a fault in a value

	// the fields of AboutMembers
	Members  []wire.Violation
	Report   Report
	Unjoined bool   // the request has parameters that do not go together
	Also     string // one more fault of a member, which the new layer lists last; "" for none
	First    string // what comes before names of tables inside of actions; "" for nothing
}

type findingSubject uint8

const (
	aboutText   findingSubject = iota
	AboutSelect                // Query: Select does not go with the other parameters
	// ExpressionAttributeValues without an expression; text: which are absent
	AboutUselessValues
	AboutMembers         // members violate constraints of the model
	aboutValue           // a value is invalid
	AboutExpressionValue // one of ExpressionAttributeValues is
	AboutStartValue      // one of ExclusiveStartKey is
)

// InvalidParameter returns the error of a request that is wrong for any table. Invalid returns the
// error of a request that is wrong for its table.
func InvalidParameter(text string) error { return &ParameterError{Text: text} }

// InvalidValue returns the error of an attribute value.
func InvalidValue(v *item.Invalid) error { return &ParameterError{About: aboutValue, Value: v} }

func (f *ParameterError) Error() string { return Validation.Name + ": " + f.in(OldForm) }

// in returns the text in a form.
func (f *ParameterError) in(o Form) string {
	if f.About == AboutMembers {
		return o.members(f)
	}
	if o == EnvelopedForm || o == BareForm && f.About == AboutSelect {
		return Envelope + f.bare(o)
	}
	return f.bare(o)
}

func (f *ParameterError) bare(o Form) string {
	switch {
	case f.About == AboutUselessValues:
		const text = "ExpressionAttributeValues can only be specified when using expressions"
		if o == OldForm {
			return text + ": " + f.Text
		}
		return text
	case f.Value == nil && o != OldForm:
		return withoutSize(f.Text)
	case f.Value == nil:
		return f.Text
	case o != OldForm:
		return f.Value.Message(item.NewWording)
	}
	text := f.Value.Message(item.OldWording)
	switch f.About {
	case AboutExpressionValue:
		return "ExpressionAttributeValues contains invalid value: " +
			text + " for key " + f.Value.Name
	case AboutStartValue:
		if !readEarly(f.Value) {
			return StartKeyInvalid + ": " + text
		}
	}
	return text
}

// withoutSize leaves the size out of a text about an expression that is too long: the new layer
// does not say it (service facts F.14).
func withoutSize(text string) string {
	const size = "Expression size has exceeded the maximum allowed size;"
	if before, _, found := strings.Cut(text, size+" expression size: "); found {
		return before + size
	}
	return text
}

// StartKeyInvalid begins the errors of an ExclusiveStartKey.
const StartKeyInvalid = "The provided starting key is invalid"

// readEarly reports whether the service finds the fault in a value before it checks the
// ExclusiveStartKey with the value (service facts 1.3).
func readEarly(v *item.Invalid) bool {
	switch v.Fault {
	case item.BadNumber, item.RepeatedElement:
		return true
	case item.EmptySet:
		return v.Set == item.NS
	}
	return false
}

// Worded returns the answer for a ParameterError in the wording of the form. It returns other
// errors unchanged.
func (o Form) Worded(err error) error {
	if f, ok := err.(*ParameterError); ok {
		return &Error{Type: Validation, Message: f.in(o)}
	}
	return err
}
