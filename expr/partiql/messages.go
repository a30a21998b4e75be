package partiql

// Error says why a text is no statement.
type Error string

func (e Error) Error() string { return string(e) }

// Refusal says why the service refuses a statement that it can read.
type Refusal string

func (r Refusal) Error() string { return string(r) }

// The errors of statements that cannot be read. The service has PartiQL's own parser
// (partiql-lang-kotlin, SqlParser) with its texts, as far as they are on record:
// passren/PyDynamoDB, issue 26; awsdocs/aws-sdk-for-javascript-v3, issue 98. The texts for the
// service's extensions are unconfirmed.
const (
	errUnexpectedTerm    = Error("Unexpected term")
	errUnexpectedKeyword = Error("Unexpected keyword")
	errOperator          = Error("Unexpected operator")
	errNoRight           = Error("Missing right-hand side expression of infix operator")
	errNoFrom            = Error("Expected FROM after DELETE")
	errTrailing          = Error("Unexpected token after expression")
	errSecond            = Error("Unexpected token after semicolon. (Only one query is allowed.)")
	errIdentifier        = Error("Expected identifier for simple path")
	errPathDot           = Error("Invalid path dot component")
	errPathComponent     = Error("Unexpected path component")
	errNoChange          = Error("Expected data manipulation")
	errDeep              = Error("Expression is nested too deeply")
	errAliasName         = Error("Expected identifier for alias")
	errTypeName          = Error("Expected type name")
	errMember            = Error("Expected string for the name of a map's member")

	errUnreadable = Error("") // the lexer's: service facts 2.7
)

// The refusals of statements that can be read: service facts 2.6 to 2.20, A.11 to A.23. Those about
// tables precede the lookup of the table.
const (
	refuseComponents = Refusal("A path may contain at most 2 components in the FROM clause")
	refuseEmptyName  = Refusal("Path component cannot be an empty string")
	refuseIndex      = Refusal("This operation is not supported on an index")

	refuseAlias    = Refusal("Aliasing is not supported")
	refuseEmptyBag = Refusal("Empty bags are not supported")
	refuseMixedBag = Refusal(
		"Unsupported data type in Bag. DynamoDB only supports either numbers or strings in bags")
	refuseBoolean    = "WHERE clause must contain an expression that resolves to a boolean"
	refuseMissing    = "MISSING must be compared using IS operator"
	refuseIsLeft     = "The left hand side argument to IS must be a Variable Reference, Literal, or Path"
	refuseNullInNS   = "One or more parameter values were invalid: Numeric sets may not contain null under "
	refuseSum        = "Unsupported operator in Condition Expression. Operator: "
	refuseColumn     = "Unexpected path component"
	refuseFunction   = "Unrecognized function: "
	refuseListIndex  = "List index is not within the allowable range; index: "
	refuseItem       = "Unsupported format in item expression. Please use struct format {...} to express item values for insert statement."
	refuseManyTables = "FROM clause may only contain a single table name in data manipulation statements"
)

// symbolNames are the parser's names of symbols.
var symbolNames = map[string]string{
	"(": "LEFT_PAREN", ")": "RIGHT_PAREN", "[": "LEFT_BRACKET", "]": "RIGHT_BRACKET",
	">>": "RIGHT_DOUBLE_ANGLE_BRACKET", "}": "RIGHT_CURLY", ":": "COLON", "=": "OPERATOR",
	"*": "STAR",
}

// errExpected returns the error of a missing symbol or keyword.
func errExpected(what string) Error {
	if name, ok := symbolNames[what]; ok {
		return Error("Expected " + name)
	}
	return Error("Expected " + what + " keyword")
}
