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
