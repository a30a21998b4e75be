// Package servecmd is "kugiri serve": its flags, the server that they describe, and the command
// line of DynamoDB Local, which starts the same server.
package servecmd
