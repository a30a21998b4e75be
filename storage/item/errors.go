package item

import (
	"strconv"
	"strings"
)

// SerializationError says that JSON does not have the form of its shape. Its text is the message of
// the service's SerializationException; "" is an answer without a message.
type SerializationError string

func (e SerializationError) Error() string { return string(e) }

// The messages of the service for JSON that does not have the form of its shape.
const (
	// not JSON at all
	ErrSyntax SerializationError = ""
	// aws/aws-sdk-js-v3, issue 7102; aws-amplify/amplify-js, issue 13265
	ErrNoObjectHere SerializationError = "Start of structure or map found where not expected"
	// but a list or map
	ErrNoScalarHere SerializationError = "Unexpected field type"
	// but a structure
	ErrNoValueHere SerializationError = "Unexpected value type in payload"
	// but true or false
	ErrNoStringHere SerializationError = "Unexpected token received from parser"
	ErrNoBase64     SerializationError = "only base-64-encoded strings are convertible to bytes"
	// so spelt
	ErrBase64Bits SerializationError = "Invalid last non-pad Base64 character dectected"
)

// The service's own types, by the Java names in its messages.
const (
	javaValue      = "com.amazonaws.dynamodb.v20120810.AttributeValue"
	JavaClass      = "class " // precedes the name of a type that is not generic
	JavaAttributes = "java.util.Map<java.lang.String, " + javaValue + ">"
)

// ErrNoList is the error of a list in the place of another type. (The message is on record for an
// Item: JuliaCloud/AWS.jl, issue 246.)
func ErrNoList(wanted string) SerializationError {
	return SerializationError("Unrecognized collection type " + wanted)
}

// ErrDuplicateName is the error of an object with two members of a name.
func ErrDuplicateName(name string) SerializationError {
	return SerializationError("Duplicate field '" + name + "'")
}

// DuplicateName returns the name in an ErrDuplicateName.
func DuplicateName(err error) (name string, ok bool) {
	if e, is := err.(SerializationError); is {
		if name, ok = strings.CutPrefix(string(e), "Duplicate field '"); ok {
			return strings.TrimSuffix(name, "'"), true
		}
	}
	return "", false
}

// ErrConversion is the error of a scalar that cannot be read as another type: "NUMBER_VALUE cannot
// be converted to String". raw is its JSON.
func ErrConversion(raw, wanted string) SerializationError {
	return SerializationError(token(raw) + " cannot be converted to " + wanted)
}

// token returns the name of a scalar in the service's parser.
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
	return SerializationError(
		"Base64 encoded length is expected a multiple of 4 bytes but found: " + strconv.Itoa(n))
}

func errBase64Character(c byte) SerializationError {
	return SerializationError("Invalid Base64 character: '" + string(rune(c)) + "'")
}
