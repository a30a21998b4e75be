// Package apierr holds the errors of the service as clients see them.
//
//   - An Error is an answer: a Type with its HTTP status, and a message.
//   - A ParameterError is something wrong with the parameters of a request. The Form of its
//     operation puts it into words.
//   - A Cancellation gathers the reasons why a transaction cannot be done.
//   - An Exceeded limit of throughput makes a throttling error.
package apierr
