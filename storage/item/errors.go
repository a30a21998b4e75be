package item

import (
	"strconv"
	"strings"
)

// SerializationError says that JSON is not of the form that its shape wants. Its
// text is the message of the service's SerializationException; "" is an answer
// without a message.
type SerializationError string

func (e SerializationError) Error() string { return string(e) }

// What the service says of JSON that is not of the wanted form.
const (
	ErrSyntax       SerializationError = ""                                                   // it is no JSON at all
	ErrNoObjectHere SerializationError = "Start of structure or map found where not expected" // aws/aws-sdk-js-v3, issue 7102; aws-amplify/amplify-js, issue 13265
	ErrNoScalarHere SerializationError = "Unexpected field type"                              // but a list or map
	ErrNoValueHere  SerializationError = "Unexpected value type in payload"                   // but a structure
	ErrNoStringHere SerializationError = "Unexpected token received from parser"              // but true or false
	ErrNoBase64     SerializationError = "only base-64-encoded strings are convertible to bytes"
	ErrBase64Bits   SerializationError = "Invalid last non-pad Base64 character dectected" // so spelt
)

// The service's own types, as its messages name them: Java's names.
const (
	javaValue      = "com.amazonaws.dynamodb.v20120810.AttributeValue"
	JavaClass      = "class " // goes before the name of a type that is not generic
	JavaAttributes = "java.util.Map<java.lang.String, " + javaValue + ">"
)

// ErrNoList says that there is a list where another type is wanted. (The message is on
// record for an Item: JuliaCloud/AWS.jl, issue 246.)
func ErrNoList(wanted string) SerializationError {
	return SerializationError("Unrecognized collection type " + wanted)
}

// ErrDuplicateName says that an object has two members of a name.
func ErrDuplicateName(name string) SerializationError {
	return SerializationError("Duplicate field '" + name + "'")
}

// ErrConversion says that a scalar, given as it stands in the JSON, cannot be
// read as another type: "NUMBER_VALUE cannot be converted to String".
func ErrConversion(raw, wanted string) SerializationError {
	return SerializationError(token(raw) + " cannot be converted to " + wanted)
}

// token names a scalar as the service's parser does.
func token(raw string) string {
	switch {
	case raw[0] == '"':
		return "STRING_VALUE"
	case raw == "true":
		return "TRUE_VALUE"
	case raw == "false":
		return "FALSE_VALUE"
	case strings.ContainsAny(raw, ".eE"):
		return "DECIMAL_VALUE"
	}
	return "NUMBER_VALUE"
}

func errBase64Length(n int) SerializationError {
	return SerializationError("Base64 encoded length is expected a multiple of 4 bytes but found: " + strconv.Itoa(n))
}

func errBase64Character(c byte) SerializationError {
	return SerializationError("Invalid Base64 character: '" + string(rune(c)) + "'")
}

// Invalid says why well-formed JSON is no attribute value: the text of a
// ValidationException. Name is the member of the parsed map in which it was
// found ("" for ParseValue).
type Invalid struct {
	Name    string
	Message string
}

func (e *Invalid) Error() string { return e.Message }

// InvalidNoName is the message for an attribute, of an item or of a map in it,
// whose name is empty: Developer Guide, "Supported data types and naming rules".
// Parsing finds those in maps alone, since not every attribute map is an item:
// see Item.Unnamed. (The text is unconfirmed; its end is that of the message for
// such an entry of ExpressionAttributeNames.)
const InvalidNoName = "One or more parameter values were invalid: Empty attribute name"

const (
	invalidEmpty   = "Supplied AttributeValue is empty, must contain exactly one of the supported datatypes"
	invalidMany    = "Supplied AttributeValue has more than one datatypes set, must contain exactly one of the supported datatypes"
	invalidNull    = "One or more parameter values were invalid: Null attribute value types must have the value of true"
	invalidNesting = "Nesting Levels have exceeded supported limits: Attributes in the item have nested levels beyond supported limit"
	invalidName    = "One or more parameter values were invalid: Attribute name must not be longer than 65535 bytes" // the text is unconfirmed
	invalidEmptySS = "One or more parameter values were invalid: An string set  may not be empty"
	invalidEmptyNS = "One or more parameter values were invalid: An number set  may not be empty"
	invalidEmptyBS = "One or more parameter values were invalid: Binary sets should not be empty"
)

// invalidRepeated is the message for a set with duplicates, of its elements as given.
func invalidRepeated(t Type, elems []string) string {
	if t == NS {
		return "Input collection contains duplicates"
	}
	message := "One or more parameter values were invalid: Input collection [" + strings.Join(elems, ", ") + "]"
	if t == BS {
		message += "of type BS"
	}
	return message + " contains duplicates."
}
