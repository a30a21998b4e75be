// Package endpoint finds the DynamoDB endpoint of a command that is a client, with its credentials,
// and makes clients that say what is wrong in words for somebody at a terminal.
package endpoint
