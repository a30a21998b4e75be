// Package apierr has the errors of the service as clients see them.
//
//   - An Error is an error answer: a Type with its HTTP status, and a message.
//   - A ParameterError is a fault in the parameters of a request. The Form of the operation words
//     it.
//   - A Cancellation collects the reasons why a transaction fails.
//   - An Exceeded is a limit of throughput that a request exceeds. It makes a throttling error.
package apierr
