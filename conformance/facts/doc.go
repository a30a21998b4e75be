// Package facts reads what the Markdown files of this directory say about DynamoDB: a Fact says
// what the service answers, how that is known, and which tests hold it. README.md describes the
// form.
//
// Comments and tests cite facts by number, "service facts 0.12" or "ack-api-quirks, DDB-TABLE-442".
// A fact names tests: an Index has those of the source that it was given. The tests of this package
// check that all citations and all names resolve.
package facts
