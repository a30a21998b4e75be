// Package conformance holds named cases of what a client of DynamoDB sees: results, errors to the letter,
// the order of validation, limits, paging and capacity figures. It runs against an in-process Kugiri by default, and
// against any other endpoint on demand:
//
//	go test ./conformance
//	go test ./conformance -endpoint http://localhost:8000
//	go test ./conformance -endpoint https://dynamodb.eu-west-1.amazonaws.com -region eu-west-1
//
// Against an endpoint of AWS the credentials come from the environment. Tables get names of their own in each run and are
// deleted at its end.
//
// Command conformance/cmd/scorecard prints what an endpoint passes, by area, and records its answers; -recorded compares
// with such a recording in place of what the cases expect.
//
// A case is written in the JSON of the wire and names where its rule is documented ("Developer Guide, Constraints").
// It is sent through the AWS SDK unless it is marked raw, for requests that the SDK refuses to send.
package conformance
