// Package cbor reads and writes CBOR (RFC 8949) as the clients of DynamoDB Accelerator speak it.
//
//   - A Source takes single data items off a connection, whole and within limits, without decoding
//     them: the messages of the protocol have no length in front.
//   - A Reader decodes a data item, or several, from memory. Its errors are all ErrMalformed or
//     wrap it.
//   - The Append functions write data items onto a slice.
//
// The package knows nothing of DynamoDB but the size of its numbers.
//
// github.com/fxamacker/cbor was rejected: it decodes a data item into Go values by reflection. Here
// the caller goes through a message item by item, and writes the JSON of a request or an answer
// without values between.
package cbor
