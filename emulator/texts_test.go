package emulator

// Errors that many tests expect. Their words are pinned here.
const (
	noSuchTable     = "ResourceNotFoundException: Requested resource not found"
	conditionFailed = "ConditionalCheckFailedException: The conditional request failed"
	tooLargeItem    = "ValidationException: Item size has exceeded the maximum allowed size"
	invalidValues   = "ValidationException: One or more parameter values were invalid: "
	emptyKey        = "ValidationException: One or more parameter values are not valid. " +
		"The AttributeValue for a key attribute cannot contain an empty string value. Key: "
	startWrong             = "ValidationException: The provided starting key is invalid"
	namesWithoutExpression = "ValidationException: " +
		"ExpressionAttributeNames can only be specified when using expressions"
)

// badName returns the error for a table name that breaks a rule.
func badName(name, rule string) string {
	return "ValidationException: 1 validation error detected: Value '" + name +
		"' at 'tableName' failed to satisfy constraint: " + rule
}

const (
	nameTooShort = "Member must have length greater than or equal to 3"
	nameTooLong  = "Member must have length less than or equal to 255"
	namePattern  = "Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+"
)
