// Package dynamo makes requests for aws-sdk-go-v2 that follow package conventions: the three query forms of the guide
// "Key design patterns" ("Query patterns"), the put that carries a command to the data table ("Version management"), and the
// transaction that the article "Managing 'latest' in DynamoDB" writes a new version with.
//
// It only builds inputs. Sending them, with whatever client and options, is the caller's.
package dynamo
