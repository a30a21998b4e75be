package expr

import (
	"strconv"
	"strings"

	"github.com/kugiri-db/kugiri/storage/item"
)

// The service's messages about the text of an expression. After "Invalid ConditionExpression: "
// comes a sentence, a semicolon, and details.

// invalid returns an error with a message about a parameter.
func invalid(kind Kind, message string) Error {
	return Error("Invalid " + string(kind) + ": " + message)
}

const (
	msgEmpty       = "The expression can not be empty;"
	msgRedundant   = "The expression has redundant parentheses;"
	msgUnsupported = "The function is not allowed to be used this way in an expression; function: "
)

// msgTooLong contains the size only for conditions: service facts 8.10.
func msgTooLong(g grammar, bytes int) string {
	message := "Expression size has exceeded the maximum allowed size;"
	if g == grammarCondition {
		message += " expression size: " + strconv.Itoa(bytes)
	}
	return message
}

func msgSyntax(token, near string) string {
	return `Syntax error; token: "` + token + `", near: "` + near + `"`
}

func msgTooManyOperators(n int) string {
	return "The expression contains too many operators; operator count: " + strconv.Itoa(n)
}

func msgTooManyInOperands(n int) string {
	return "The IN operator is provided with too many operands; number of operands: " +
		strconv.Itoa(n)
}

func msgReserved(word string) string {
	return "Attribute name is a reserved keyword; reserved keyword: " + word
}

func msgTooDeep(levels int) string {
	return "The document path has too many nesting elements; nesting levels: " +
		strconv.Itoa(levels)
}

func msgIndexRange(index string) string {
	return "List index is not within the allowable range; index: [" + index + "]"
}

func msgUnknownFunction(name string) string {
	return "Invalid function name; function: " + name
}

func msgFunctionNotAllowed(g grammar, name string) string {
	where := "a condition"
	if g == grammarUpdate {
		where = "an update"
	}
	return "The function is not allowed in " + where + " expression; function: " + name
}

func msgSectionTwice(section string) string {
	return `The "` + section + `" section can only be used once in an update expression;`
}

func msgUndefinedName(placeholder string) string {
	return "An expression attribute name used in the document path is not defined; attribute name: " + placeholder
}

func msgUndefinedValue(placeholder string) string {
	return "An expression attribute value used in expression is not defined; attribute value: " +
		placeholder
}

func msgOperandCount(operator string, n int) string {
	return "Incorrect number of operands for operator or function; operator or function: " +
		operator +
		", number of operands: " + strconv.Itoa(n)
}

func msgOperandType(operator, typ string) string {
	return "Incorrect operand type for operator or function; operator or function: " + operator +
		", operand type: " + typ
}

// msgClauseOperandType is about the value of ADD and DELETE. The service spells out its types, and
// names those of ADD for both (service facts B.1).
func msgClauseOperandType(section string, t item.Type) string {
	return "Incorrect operand type for operator or function; operator: " + section +
		", operand type: " + typeWords[t] + ", typeSet: ALLOWED_FOR_ADD_OPERAND"
}

var typeWords = [...]string{
	item.S: "STRING", item.N: "NUMBER", item.B: "BINARY",
	item.SS: "STRING_SET", item.NS: "NUMBER_SET", item.BS: "BINARY_SET",
	item.M: "MAP", item.L: "LIST", item.NULL: "NULL", item.BOOL: "BOOL",
}

func msgNeedsPath(operator string) string {
	return "Operator or function requires a document path; operator or function: " + operator
}

func msgNotDistinct(operator, first string) string {
	return "The first operand must be distinct from the remaining operands for this operator or function; operator: " +
		operator + ", first operand: " + first
}

func msgTypeName(name string) string {
	// service facts A.20
	return "Invalid attribute type name found; type: " + name +
		", valid types: {N,BS,L,B,NULL,M,S,SS,NS,BOOL}"
}

func msgBetweenTypes(lo, hi item.Value) string {
	return "The BETWEEN operator requires same data type for lower and upper bounds; " +
		bounds(lo, hi)
}

func msgBetweenOrder(lo, hi item.Value) string {
	return "The BETWEEN operator requires upper bound to be greater than or equal to lower bound; " + bounds(lo, hi)
}

func bounds(lo, hi item.Value) string {
	return "lower bound operand: " + PrintScalar(lo) + ", upper bound operand: " + PrintScalar(hi)
}

// PrintScalar writes an S, N or B as the service's messages do: AttributeValue: {N:2}.
func PrintScalar(v item.Value) string {
	var text string
	switch v.Type() {
	case item.S:
		text = v.Str()
	case item.N:
		text = v.Num()
	default: // {"B":"..."}: messages show the base64
		text = strings.TrimSuffix(strings.TrimPrefix(string(v), `{"B":"`), `"}`)
	}
	return "AttributeValue: {" + v.Type().String() + ":" + text + "}"
}

func msgOverlap(one, two string) string {
	return "Two document paths overlap with each other; must remove or rewrite one of these paths; " +
		"path one: " + one + ", path two: " + two
}

func msgConflict(one, two string) string {
	return "Two document paths conflict with each other; must remove or rewrite one of these paths; " +
		"path one: " + one + ", path two: " + two
}

// The errors of evaluating an update against an item.
const (
	errMissingAttribute = Error(
		"The provided expression refers to an attribute that does not exist in the item")
	errOperandType = Error("An operand in the update expression has an incorrect data type")
	errUpdatePath  = Error(
		"The document path provided in the update expression is invalid for update")
	errLegacyType = Error("Type mismatch for attribute to update")
	errNesting    = Error("Nesting Levels have exceeded supported limits: " +
		"Attributes in the item have nested levels beyond supported limit")
	// PartiQL's: service facts A.11
	errNestingBrief = Error("Nesting Levels have exceeded supported limits")
)
