package emulator

// Errors that many tests expect. Their words are pinned here.
const (
	noSuchTable     = "ResourceNotFoundException: Requested resource not found"
	wrongKey        = "ValidationException: The provided key element does not match the schema"
	conditionFailed = "ConditionalCheckFailedException: The conditional request failed"
	notNumeric      = "ValidationException: " +
		"The parameter cannot be converted to a numeric value: x"
	tooLargeItem           = "ValidationException: Item size has exceeded the maximum allowed size"
	namesWithoutExpression = "ValidationException: " +
		"ExpressionAttributeNames can only be specified when using expressions"
)
