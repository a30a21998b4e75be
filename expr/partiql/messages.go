package partiql

// Error says why a text is no statement.
type Error string

func (e Error) Error() string { return string(e) }

// What is wrong with a statement, each written once.
const (
	errUnexpectedToken   = Error("Unexpected token")
	errUnexpectedKeyword = Error("Unexpected keyword")
	errTrailing          = Error("Unexpected token after expression")
	errIdentifier        = Error("Expected identifier for simple path")
	errPathComponent     = Error("Unexpected path component")
	errIndex             = Error("List index is not within the allowable range")
	errDeep              = Error("Expression is nested too deeply")
	errNoChange          = Error("Expected SET or REMOVE")
	errReturning         = Error("Unsupported RETURNING clause")
	errOperandCount      = Error("Incorrect number of operands for function ")
	errFunction          = Error("Unknown function ")
	errMember            = Error("Expected string for the name of a map's member")
)

func errExpected(what string) Error { return "Expected " + Error(what) }
