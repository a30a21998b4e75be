package emulator

import (
	"errors"
	"fmt"
	"net/http"

	"github.com/kugiri-db/kugiri/expr/partiql"
	"github.com/kugiri-db/kugiri/storage/item"
	"github.com/kugiri-db/kugiri/storage/item/jsontext"
)

// errorType is the kind of an error answer: its namespaced name and HTTP status live here and nowhere else.
type errorType struct {
	name      string // "ValidationException"
	namespace string // "com.amazon.coral.validate"
	status    int
	member    string // what holds the message: "message", for some types "Message"
}

const (
	coralService      = "com.amazon.coral.service"
	coralValidate     = "com.amazon.coral.validate"
	coralAvailability = "com.amazon.coral.availability"
	dynamo            = "com.amazonaws.dynamodb.v20120810"
)

// Errors of the protocol.
var (
	errUnknownOperation    = &errorType{"UnknownOperationException", coralService, http.StatusBadRequest, "message"}
	errMissingToken        = &errorType{"MissingAuthenticationTokenException", coralService, http.StatusBadRequest, "message"}
	errIncompleteSignature = &errorType{"IncompleteSignatureException", coralService, http.StatusBadRequest, "message"}
	errInvalidSignature    = &errorType{"InvalidSignatureException", coralService, http.StatusBadRequest, "message"}
	errUnrecognizedClient  = &errorType{"UnrecognizedClientException", coralService, http.StatusBadRequest, "message"}
	errExpiredToken        = &errorType{"ExpiredTokenException", coralService, http.StatusBadRequest, "message"}
	errSerialization       = &errorType{"SerializationException", coralService, http.StatusBadRequest, "Message"}
	errRequestTooLarge     = &errorType{"RequestEntityTooLargeException", coralService, http.StatusRequestEntityTooLarge, "message"}
	errRequestTimeout      = &errorType{"RequestTimeoutException", coralService, http.StatusRequestTimeout, "message"}
	errAccessDenied        = &errorType{"AccessDeniedException", coralService, http.StatusBadRequest, "Message"}
	errValidation          = &errorType{"ValidationException", coralValidate, http.StatusBadRequest, "message"}
)

// Errors of operations.
var (
	errResourceNotFound   = &errorType{"ResourceNotFoundException", dynamo, http.StatusBadRequest, "message"}
	errTableNotFound      = &errorType{"TableNotFoundException", dynamo, http.StatusBadRequest, "message"}
	errPolicyNotFound     = &errorType{"PolicyNotFoundException", dynamo, http.StatusBadRequest, "message"}
	errResourceInUse      = &errorType{"ResourceInUseException", dynamo, http.StatusBadRequest, "message"}
	errConditionFailed    = &errorType{"ConditionalCheckFailedException", dynamo, http.StatusBadRequest, "message"}
	errLimitExceeded      = &errorType{"LimitExceededException", dynamo, http.StatusBadRequest, "message"}
	errDuplicateItem      = &errorType{"DuplicateItemException", dynamo, http.StatusBadRequest, "message"}
	errCollectionTooBig   = &errorType{"ItemCollectionSizeLimitExceededException", dynamo, http.StatusBadRequest, "message"}
	errTxCanceled         = &errorType{"TransactionCanceledException", dynamo, http.StatusBadRequest, "Message"}
	errTxConflict         = &errorType{"TransactionConflictException", dynamo, http.StatusBadRequest, "message"}
	errTxInProgress       = &errorType{"TransactionInProgressException", dynamo, http.StatusBadRequest, "Message"}
	errIdempotentMismatch = &errorType{"IdempotentParameterMismatchException", dynamo, http.StatusBadRequest, "Message"}
	errExpiredIterator    = &errorType{"ExpiredIteratorException", dynamo, http.StatusBadRequest, "message"}
	errTrimmedData        = &errorType{"TrimmedDataAccessException", dynamo, http.StatusBadRequest, "message"}
	errInternal           = &errorType{"InternalServerError", dynamo, http.StatusInternalServerError, "message"}
)

// Errors of a service that is too busy.
var (
	errThroughput   = &errorType{"ProvisionedThroughputExceededException", dynamo, http.StatusBadRequest, "message"}
	errRequestLimit = &errorType{"RequestLimitExceeded", dynamo, http.StatusBadRequest, "message"}
	errThrottling   = &errorType{"ThrottlingException", coralAvailability, http.StatusBadRequest, "message"}
	errUnavailable  = &errorType{"ServiceUnavailable", coralAvailability, http.StatusServiceUnavailable, "message"}
)

// apiError is an error answer.
type apiError struct {
	typ     *errorType
	message string               // "": the answer has none
	item    item.JSON            // of ConditionalCheckFailedException with ALL_OLD
	reasons []cancellationReason // of TransactionCanceledException
	limit   *throttlingReason    // of throttling
	policy  bool                 // a policy refuses, not the service
	whole   bool                 // refuses a transaction as a whole, in place of canceling it
}

func (e *apiError) Error() string { return e.typ.name + ": " + e.message }

// invalid is a ValidationException: see invalidParameter.
func invalid(format string, args ...any) error {
	if len(args) > 0 {
		format = fmt.Sprintf(format, args...)
	}
	return &apiError{typ: errValidation, message: format}
}

// asAPIError returns the answer for an error, nil if there is none: the error is ours.
func asAPIError(err error) *apiError {
	if e, ok := err.(*apiError); ok {
		return e
	}
	if e, ok := errors.AsType[*apiError](err); ok {
		return e
	}
	if f, ok := errors.AsType[*finding](err); ok {
		return &apiError{typ: errValidation, message: f.in(formOld)}
	}
	if r, ok := errors.AsType[partiql.Refusal](err); ok {
		return &apiError{typ: errValidation, message: string(r)}
	}
	if e, ok := errors.AsType[item.SerializationError](err); ok {
		return &apiError{typ: errSerialization, message: string(e)}
	}
	return nil
}

// append appends the answer's body.
func (e *apiError) append(dst []byte) []byte {
	dst = append(dst, `{"__type":"`...)
	dst = append(dst, e.typ.namespace...)
	dst = append(dst, '#')
	dst = append(dst, e.typ.name...)
	dst = append(dst, '"')
	if e.message != "" {
		dst = append(dst, `,"`...)
		dst = append(dst, e.typ.member...)
		dst = append(dst, `":`...)
		dst = jsontext.AppendQuoted(dst, e.message)
	}
	if e.item != "" {
		dst = append(dst, `,"Item":`...)
		dst = append(dst, e.item...)
	}
	if e.reasons != nil {
		dst = append(dst, `,"CancellationReasons":`...)
		dst = appendReasons(dst, e.reasons)
	}
	if e.limit != nil {
		dst = e.limit.append(dst, e.typ)
	}
	return append(dst, '}')
}
