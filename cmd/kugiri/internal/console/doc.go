// Package console serves the console: a page for browsers that shows the tables of an endpoint, and
// changes them.
//
// The page is in the directory web, in TypeScript. "go generate" makes the bundle of it, which the
// package embeds, so that neither a build of kugiri nor its use needs Node. The bundle is
// committed.
//
// All paths begin with Path. The page is there, with its files below. It sends requests of DynamoDB
// to "dynamodb", in the protocol of DynamoDB itself, with the headers X-Kugiri-Access-Key and
// X-Kugiri-Region in place of a signature. "load" creates the tables of a file, and "session"
// describes the endpoint. What only Kugiri has, the page finds in the admin API, below the prefix
// of that.
//
// The page itself holds no data and is for everybody. Middleware says who may send requests.
package console

//go:generate go -C ../../../../conformance run ./cmd/console
