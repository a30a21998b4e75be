// Package streams has the operations of DynamoDB Streams. Package records has the form of records.
package streams
