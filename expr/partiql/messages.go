package partiql

// Error says why a text is no statement.
type Error string

func (e Error) Error() string { return string(e) }

// What is wrong with a statement, each written once. The service's parser is PartiQL's
// own (partiql-lang-kotlin, SqlParser), and so are its texts, as far as they are on record:
// passren/PyDynamoDB, issue 26; awsdocs/aws-sdk-for-javascript-v3, issue 98. Those of what
// the service has beyond PartiQL are unconfirmed.
const (
	errUnexpectedTerm    = Error("Unexpected term")
	errUnexpectedKeyword = Error("Unexpected keyword")
	errTrailing          = Error("Unexpected token after expression")
	errSecond            = Error("Unexpected token after semicolon. (Only one query is allowed.)")
	errIdentifier        = Error("Expected identifier for simple path")
	errPathDot           = Error("Invalid path dot component")
	errPathComponent     = Error("Unexpected path component")
	errNoChange          = Error("Expected data manipulation")
	errIndex             = Error("List index is not within the allowable range")
	errDeep              = Error("Expression is nested too deeply")
	errReturning         = Error("Unsupported RETURNING clause")
	errOperandCount      = Error("Incorrect number of operands for function ")
	errFunction          = Error("Unknown function ")
	errMember            = Error("Expected string for the name of a map's member")
)

// symbolNames are what the parser's texts call symbols.
var symbolNames = map[string]string{
	"(": "LEFT_PAREN", ")": "RIGHT_PAREN", "[": "LEFT_BRACKET", "]": "RIGHT_BRACKET",
	">>": "RIGHT_DOUBLE_ANGLE_BRACKET", "}": "RIGHT_CURLY", ":": "COLON", "=": "OPERATOR", "*": "STAR",
}

// errExpected is that a symbol or a keyword is missing.
func errExpected(what string) Error {
	if name, ok := symbolNames[what]; ok {
		return Error("Expected " + name)
	}
	return Error("Expected " + what + " keyword")
}
