package partiql

// Error says why a text is no statement.
type Error string

func (e Error) Error() string { return string(e) }

// Refusal says why the service refuses a statement that it can read.
type Refusal string

func (r Refusal) Error() string { return string(r) }

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
	errDeep              = Error("Expression is nested too deeply")
	errAliasName         = Error("Expected identifier for alias")
	errTypeName          = Error("Expected type name")
	errMember            = Error("Expected string for the name of a map's member")

	errUnreadable = Error("") // the lexer's: service facts 2.7
)

// What the service refuses in a statement that it can read, each written once: service facts
// 2.6 to 2.20, A.11 to A.23. Those of tables are found before the table is looked up.
const (
	refuseComponents = Refusal("A path may contain at most 2 components in the FROM clause")
	refuseEmptyName  = Refusal("Path component cannot be an empty string")
	refuseIndex      = Refusal("This operation is not supported on an index")

	refuseAlias      = Refusal("Aliasing is not supported")
	refuseEmptyBag   = Refusal("Empty bags are not supported")
	refuseMixedBag   = Refusal("Unsupported data type in Bag. DynamoDB only supports either numbers or strings in bags")
	refuseColumn     = "Unexpected path component"
	refuseFunction   = "Unrecognized function: "
	refuseListIndex  = "List index is not within the allowable range; index: "
	refuseItem       = "Unsupported format in item expression. Please use struct format {...} to express item values for insert statement."
	refuseManyTables = "FROM clause may only contain a single table name"
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
