package guard

import (
	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/smithy-go"

	"github.com/kugiri-db/kugiri/conventions/internal/verdict"
	"github.com/kugiri-db/kugiri/conventions/policy"
)

// Error says that the guard refused a request and did not send it. errors.As finds in it
//
//   - a *Error, and the first reason as a *policy.Finding;
//   - a smithy.APIError, as in errors of the database: TransactionCanceledException for a
//     transaction, ConditionalCheckFailedException if another writer was first, and
//     ValidationException for other requests;
//   - for the first two, also the SDK's own type, with the reasons of each action.
//
// So code that handles the database's errors handles these too, and the SDK retries none of them.
type Error struct {
	Operation string
	// the enforced findings; none if the guard could not understand the request
	Findings []policy.Finding

	refusal *verdict.Refusal
}

var _ smithy.APIError = (*Error)(nil)

func (e *Error) Error() string {
	return "guard: " + e.Operation + " was not sent: " + e.refusal.Type + ": " + e.message()
}

// message returns the text of the database. For a transaction it adds the findings, which the error
// itself has in the reasons only.
func (e *Error) message() string {
	if len(e.Findings) == 0 || e.refusal.Reasons == nil {
		return e.refusal.Message
	}
	return e.refusal.Message + ": " + e.Findings[0].Error()
}

// ErrorCode returns the name of the error that DynamoDB would answer with.
func (e *Error) ErrorCode() string { return e.refusal.Type }

// ErrorMessage returns what is wrong and what to do.
func (e *Error) ErrorMessage() string { return e.refusal.Message }

// ErrorFault returns that the client is at fault.
func (e *Error) ErrorFault() smithy.ErrorFault { return smithy.FaultClient }

// Unwrap returns the SDK's error, if it has a type, and the findings.
func (e *Error) Unwrap() []error {
	var all []error
	switch e.refusal.Type {
	case verdict.TransactionCanceledException:
		canceled := &types.TransactionCanceledException{Message: aws.String(e.refusal.Message)}
		for _, r := range e.refusal.Reasons {
			reason := types.CancellationReason{Code: aws.String(r.Code)}
			if r.Message != "" {
				reason.Message = aws.String(r.Message)
			}
			canceled.CancellationReasons = append(canceled.CancellationReasons, reason)
		}
		all = append(all, canceled)
	case verdict.ConditionalCheckFailedException:
		all = append(all,
			&types.ConditionalCheckFailedException{Message: aws.String(e.refusal.Message)})
	}
	for i := range e.Findings {
		all = append(all, &e.Findings[i])
	}
	return all
}
