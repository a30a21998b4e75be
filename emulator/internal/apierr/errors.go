package apierr

import (
	"errors"
	"fmt"
	"net/http"

	"github.com/kugiri-db/kugiri/expr/partiql"
	"github.com/kugiri-db/kugiri/storage/item"
	"github.com/kugiri-db/kugiri/storage/item/jsontext"
)

// Type is the type of an error answer. It is the only place for its namespaced name and HTTP
// status.
type Type struct {
	Name      string // "ValidationException"
	Namespace string // "com.amazon.coral.validate"
	Status    int
	Member    string // the member with the message: "message", or "Message" for some types
}

// Namespaces of types.
const (
	CoralService      = "com.amazon.coral.service"
	coralValidate     = "com.amazon.coral.validate"
	coralAvailability = "com.amazon.coral.availability"
	dynamo            = "com.amazonaws.dynamodb.v20120810"
)

// Errors of the protocol.
var (
	UnknownOperation = &Type{"UnknownOperationException", CoralService,
		http.StatusBadRequest, "message"}
	MissingAuthenticationToken = &Type{"MissingAuthenticationTokenException", CoralService,
		http.StatusBadRequest, "message"}
	IncompleteSignature = &Type{"IncompleteSignatureException", CoralService,
		http.StatusBadRequest, "message"}
	InvalidSignature = &Type{"InvalidSignatureException", CoralService,
		http.StatusBadRequest, "message"}
	UnrecognizedClient = &Type{"UnrecognizedClientException", CoralService,
		http.StatusBadRequest, "message"}
	ExpiredToken = &Type{"ExpiredTokenException", CoralService, http.StatusBadRequest,
		"message"}
	Serialization = &Type{"SerializationException", CoralService,
		http.StatusBadRequest, "Message"}
	// the error of the endpoint with a strict reader (service facts F.77)
	StrictSerialization = &Type{"SerializationException", CoralService,
		http.StatusBadRequest, "message"}
	RequestTooLarge = &Type{"RequestEntityTooLargeException", CoralService,
		http.StatusRequestEntityTooLarge, "message"}
	RequestTimeout = &Type{"RequestTimeoutException", CoralService,
		http.StatusRequestTimeout, "message"}
	AccessDenied = &Type{"AccessDeniedException", CoralService, http.StatusBadRequest,
		"Message"}
	Validation = &Type{"ValidationException", coralValidate, http.StatusBadRequest,
		"message"}
)

// Errors of operations.
var (
	ResourceNotFound = &Type{"ResourceNotFoundException", dynamo, http.StatusBadRequest,
		"message"}
	TableNotFound = &Type{"TableNotFoundException", dynamo, http.StatusBadRequest,
		"message"}
	TableAlreadyExists = &Type{"TableAlreadyExistsException", dynamo,
		http.StatusBadRequest, "message"}
	TableInUse = &Type{"TableInUseException", dynamo, http.StatusBadRequest,
		"message"}
	BackupNotFound = &Type{"BackupNotFoundException", dynamo, http.StatusBadRequest,
		"message"}
	BackupInUse = &Type{"BackupInUseException", dynamo, http.StatusBadRequest,
		"message"}
	BackupsUnavailable = &Type{"ContinuousBackupsUnavailableException", dynamo,
		http.StatusBadRequest, "message"}
	RecoveryUnavailable = &Type{"PointInTimeRecoveryUnavailableException", dynamo,
		http.StatusBadRequest, "message"}
	InvalidRestoreTime = &Type{"InvalidRestoreTimeException", dynamo,
		http.StatusBadRequest, "message"}
	InvalidExportTime = &Type{"InvalidExportTimeException", dynamo, http.StatusBadRequest,
		"message"}
	ExportNotFound = &Type{"ExportNotFoundException", dynamo, http.StatusBadRequest,
		"message"}
	ExportConflict = &Type{"ExportConflictException", dynamo, http.StatusBadRequest,
		"message"}
	ImportNotFound = &Type{"ImportNotFoundException", dynamo, http.StatusBadRequest,
		"message"}
	ImportConflict = &Type{"ImportConflictException", dynamo, http.StatusBadRequest,
		"message"}
	PolicyNotFound = &Type{"PolicyNotFoundException", dynamo, http.StatusBadRequest,
		"message"}
	ResourceInUse = &Type{"ResourceInUseException", dynamo, http.StatusBadRequest,
		"message"}
	ConditionFailed = &Type{"ConditionalCheckFailedException", dynamo,
		http.StatusBadRequest, "message"}
	LimitExceeded = &Type{"LimitExceededException", dynamo, http.StatusBadRequest,
		"message"}
	DuplicateItem = &Type{"DuplicateItemException", dynamo, http.StatusBadRequest,
		"message"}
	CollectionTooLarge = &Type{"ItemCollectionSizeLimitExceededException", dynamo,
		http.StatusBadRequest, "message"}
	TransactionCanceled = &Type{"TransactionCanceledException", dynamo,
		http.StatusBadRequest, "Message"}
	TransactionConflict = &Type{"TransactionConflictException", dynamo,
		http.StatusBadRequest, "message"}
	TransactionInProgress = &Type{"TransactionInProgressException", dynamo,
		http.StatusBadRequest, "Message"}
	IdempotentParameterMismatch = &Type{"IdempotentParameterMismatchException", dynamo,
		http.StatusBadRequest, "Message"}
	ExpiredIterator = &Type{"ExpiredIteratorException", dynamo, http.StatusBadRequest,
		"message"}
	TrimmedDataAccess = &Type{"TrimmedDataAccessException", dynamo, http.StatusBadRequest,
		"message"}
	IndexNotFound = &Type{"IndexNotFoundException", dynamo, http.StatusBadRequest,
		"message"}
	GlobalTableNotFound = &Type{"GlobalTableNotFoundException", dynamo,
		http.StatusBadRequest, "message"}
	GlobalTableAlreadyExists = &Type{"GlobalTableAlreadyExistsException", dynamo,
		http.StatusBadRequest, "message"}
	ReplicaNotFound = &Type{"ReplicaNotFoundException", dynamo, http.StatusBadRequest,
		"message"}
	ReplicaAlreadyExists = &Type{"ReplicaAlreadyExistsException", dynamo,
		http.StatusBadRequest, "message"}
	ReplicatedWriteConflict = &Type{"ReplicatedWriteConflictException", dynamo,
		http.StatusBadRequest, "message"}
	InternalServerError = &Type{"InternalServerError", dynamo,
		http.StatusInternalServerError, "message"}
)

// Errors of a service that is too busy.
var (
	ThroughputExceeded = &Type{"ProvisionedThroughputExceededException", dynamo,
		http.StatusBadRequest, "message"}
	RequestLimitExceeded = &Type{"RequestLimitExceeded", dynamo, http.StatusBadRequest, "message"}
	Throttling           = &Type{"ThrottlingException", coralAvailability, http.StatusBadRequest,
		"message"}
	ServiceUnavailable = &Type{"ServiceUnavailable", coralAvailability,
		http.StatusServiceUnavailable, "message"}
)

// ErrUnknownClient is the error of an access key that does not exist.
var ErrUnknownClient = &Error{
	Type: UnrecognizedClient, Message: "The security token included in the request is invalid.",
}

// Error is the answer to a request that fails.
type Error struct {
	Type      *Type
	Message   string               // "" if the answer has no message
	Item      item.JSON            // the item of a ConditionalCheckFailedException with ALL_OLD
	reasons   []cancellationReason // the reasons of a TransactionCanceledException
	Throttled *ThrottlingReason    // the reason of a throttling error
	Policy    bool                 // a policy refuses the request, not the service
	Whole     bool                 // refuses a transaction as a whole instead of canceling it
}

func (e *Error) Error() string { return e.Type.Name + ": " + e.Message }

// Invalid returns a ValidationException: see InvalidParameter.
func Invalid(format string, args ...any) error {
	if len(args) > 0 {
		format = fmt.Sprintf(format, args...)
	}
	return &Error{Type: Validation, Message: format}
}

// BadParameter returns the ValidationException for parameters that do not go together.
func BadParameter(format string, args ...any) error {
	return Invalid("One or more parameter values were invalid: "+format, args...)
}

// As returns the answer for an error. It returns nil for an error of our own, which has none.
func As(err error) *Error {
	if e, ok := err.(*Error); ok {
		return e
	}
	var (
		wrapped   *Error
		parameter *ParameterError
		refusal   partiql.Refusal
		malformed item.SerializationError
	)
	switch {
	case errors.As(err, &wrapped):
		return wrapped
	case errors.As(err, &parameter):
		return &Error{Type: Validation, Message: parameter.in(OldForm)}
	case errors.As(err, &refusal):
		return &Error{Type: Validation, Message: string(refusal)}
	case errors.As(err, &malformed):
		return &Error{Type: Serialization, Message: string(malformed)}
	}
	return nil
}

// Append appends the body of the answer.
func (e *Error) Append(dst []byte) []byte {
	dst = append(dst, `{"__type":"`...)
	dst = append(dst, e.Type.Namespace...)
	dst = append(dst, '#')
	dst = append(dst, e.Type.Name...)
	dst = append(dst, '"')
	member := e.Type.Member
	if e.Item != "" { // service facts F.1
		dst = append(dst, `,"Item":`...)
		dst = append(dst, e.Item...)
		member = "Message"
	}
	if e.Message != "" {
		dst = append(dst, `,"`...)
		dst = append(dst, member...)
		dst = append(dst, `":`...)
		dst = jsontext.AppendQuoted(dst, e.Message)
	}
	if e.reasons != nil {
		dst = append(dst, `,"CancellationReasons":`...)
		dst = appendReasons(dst, e.reasons)
	}
	if e.Throttled != nil {
		dst = e.Throttled.append(dst, e.Type)
	}
	return append(dst, '}')
}
