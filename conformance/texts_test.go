package conformance

// Errors that many tests expect. Their words are pinned here.
const (
	noSuchTable      = "ResourceNotFoundException: Requested resource not found"
	wrongKey         = "ValidationException: The provided key element does not match the schema"
	tooLargeItem     = "ValidationException: Item size has exceeded the maximum allowed size"
	noSuchTableNamed = "ResourceNotFoundException: " +
		"Requested resource not found: Table: no-such-table not found"
	notNumericFault = "Invalid: The parameter cannot be converted to a numeric value: x"
	updatedKey      = "ValidationException: " +
		"One or more parameter values were invalid: " +
		"Cannot update attribute pk. This attribute is part of the key"
	conditionFailedText = "The conditional request failed"
	accessDenied        = "AccessDeniedException: Access is denied"
)
