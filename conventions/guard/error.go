package guard

import (
	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/smithy-go"

	"github.com/kugiri-db/kugiri/conventions/internal/verdict"
	"github.com/kugiri-db/kugiri/conventions/policy"
)

// Error is a request that was refused and not sent. To errors.As it is
//
//   - a *Error, and the *policy.Finding that is the first reason;
//   - a smithy.APIError, as what the database answers is: ValidationException; of a transaction
//     TransactionCanceledException, of a lost race ConditionalCheckFailedException;
//   - of those two, also the SDK's own type, with the reasons of each action.
//
// So code that handles the database's errors handles these, and none is retried by the SDK.
type Error struct {
	Operation string
	Findings  []policy.Finding // those that are enforced; none if the request could not be understood

	refusal *verdict.Refusal
}

var _ smithy.APIError = (*Error)(nil)

func (e *Error) Error() string {
	return "guard: " + e.Operation + " was not sent: " + e.refusal.Type + ": " + e.message()
}

// message is that of the database, with the findings that it holds only in the reasons of a transaction.
func (e *Error) message() string {
	if len(e.Findings) == 0 || e.refusal.Reasons == nil {
		return e.refusal.Message
	}
	return e.refusal.Message + ": " + e.Findings[0].Error()
}

// ErrorCode is the name of the error that DynamoDB would answer with.
func (e *Error) ErrorCode() string { return e.refusal.Type }

// ErrorMessage says what is wrong and what to do.
func (e *Error) ErrorMessage() string { return e.refusal.Message }

// ErrorFault is the client's.
func (e *Error) ErrorFault() smithy.ErrorFault { return smithy.FaultClient }

// Unwrap are the SDK's error, where it has a type, and the findings.
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
		all = append(all, &types.ConditionalCheckFailedException{Message: aws.String(e.refusal.Message)})
	}
	for i := range e.Findings {
		all = append(all, &e.Findings[i])
	}
	return all
}
