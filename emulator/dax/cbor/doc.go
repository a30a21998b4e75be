// Package cbor reads and writes CBOR (RFC 8949) as the clients of DynamoDB Accelerator speak it.
//
//   - A Source takes single data items off a connection, whole and within limits, without decoding
//     them: the messages of the protocol have no length in front.
//   - A Reader decodes a data item, or several, from memory. Its errors are all ErrMalformed or
//     wrap it.
//   - The Append functions write data items onto a slice.
//
// The package knows nothing of DynamoDB but the size of its numbers.
package cbor
