package emulator

import (
	"github.com/kugiri-db/kugiri/emulator/internal/wire"
	"github.com/kugiri-db/kugiri/storage/item"
)

// form is how an operation words what is wrong with the parameters of a request. In 2026 the
// service moved some operations to a new layer of validation (service facts 0.2).
type form uint8

const (
	formOld       form = iota // the wording before 2026
	formBare                  // the new wording
	formEnveloped             // the new wording, in an envelope
)

// envelope stands before a text that the new layer of validation has found.
const envelope = "1 validation error detected: "

// finding is something wrong with the parameters of a request, found without its tables.
// It knows what is wrong; the form of the operation puts that into words. What is wrong with a
// request for its table is an apiError, which all forms word alike (service facts 0.5).
type finding struct {
	about findingSubject
	text  string        // all forms have it
	value *item.Invalid // of the subjects that are values

	members []wire.Violation // of aboutMembers
	report  memberReport
}

type findingSubject uint8

const (
	aboutText            findingSubject = iota
	aboutSelect                         // Query: Select does not go with the other parameters
	aboutUselessValues                  // ExpressionAttributeValues without an expression; text: which are absent
	aboutMembers                        // members violate constraints of the model
	aboutValue                          // a value is invalid
	aboutExpressionValue                // one of ExpressionAttributeValues is
	aboutStartValue                     // one of ExclusiveStartKey is
)

// invalidParameter is the error of a request that is wrong by itself, whatever its table is.
// invalid is the error of one that is wrong for its table.
func invalidParameter(text string) error { return &finding{text: text} }

// invalidValue is the error of an attribute value.
func invalidValue(v *item.Invalid) error { return &finding{about: aboutValue, value: v} }

func (f *finding) Error() string { return errValidation.name + ": " + f.in(formOld) }

// in is the text in a form.
func (f *finding) in(o form) string {
	if f.about == aboutMembers {
		return o.members(f.members, f.report)
	}
	if o == formEnveloped || o == formBare && f.about == aboutSelect {
		return envelope + f.bare(o)
	}
	return f.bare(o)
}

func (f *finding) bare(o form) string {
	switch {
	case f.about == aboutUselessValues:
		const text = "ExpressionAttributeValues can only be specified when using expressions"
		if o == formOld {
			return text + ": " + f.text
		}
		return text
	case f.value == nil:
		return f.text
	case o != formOld:
		return f.value.Message(item.NewWording)
	}
	text := f.value.Message(item.OldWording)
	switch f.about {
	case aboutExpressionValue:
		return "ExpressionAttributeValues contains invalid value: " + text + " for key " + f.value.Name
	case aboutStartValue:
		if !readEarly(f.value) {
			return startKeyInvalid + ": " + text
		}
	}
	return text
}

// readEarly reports whether the service finds that a value is invalid before it looks at the
// ExclusiveStartKey with it (service facts 1.3).
func readEarly(v *item.Invalid) bool {
	switch v.Fault {
	case item.BadNumber, item.RepeatedElement:
		return true
	case item.EmptySet:
		return v.Set == item.NS
	}
	return false
}

// oldLayerDepth is how deep the values of a request may be for the new layer of validation to
// see it (service facts 0.12).
const oldLayerDepth = 62

// refused returns the error of a request, which the old layer words if a value is nested far
// too deep.
func (c *call) refused(in any, err error) error {
	if _, ok := err.(*finding); ok && c.form == formEnveloped && wire.Depth(in) > oldLayerDepth {
		c.form = formOld
	}
	return err
}

// worded is the answer for an error: of a finding its text in the form, of others themselves.
func (o form) worded(err error) error {
	if f, ok := err.(*finding); ok {
		return &apiError{typ: errValidation, message: f.in(o)}
	}
	return err
}
