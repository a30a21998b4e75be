// Package conformance has named cases of the behavior that clients of DynamoDB see: results, the
// exact texts of errors, the order of validation, limits, paging and consumed capacity. By default
// it tests a Kugiri in its own process. It can test any other endpoint:
//
//	go test ./conformance
//	go test ./conformance -endpoint http://localhost:8000
//	go test ./conformance -endpoint https://dynamodb.eu-west-1.amazonaws.com -region eu-west-1
//
// Against an endpoint of AWS the credentials come from the environment. Each run uses table names
// of its own and deletes its tables at the end.
//
// Command conformance/cmd/scorecard prints the results for an endpoint by area, and records its
// answers. With -recorded the cases compare answers with such a recording instead of their own
// expectations.
//
// A case is written in the JSON of the wire and names the documentation of its rule ("Developer
// Guide, Constraints"), or the fact that it holds ("service facts 0.12", which is in
// conformance/facts). The AWS SDK sends it, unless the case is marked raw because the SDK refuses
// to send it.
package conformance
