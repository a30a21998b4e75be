// Package dynamo makes requests for aws-sdk-go-v2 that follow package conventions: the three forms
// of queries of the guide "Key design patterns" ("Query patterns"), the put that copies a command
// to the data table ("Version management"), and the transaction of the article "Managing 'latest'
// in DynamoDB" that writes a new version.
//
// The package only builds inputs. The caller sends them, with any client and options.
package dynamo
