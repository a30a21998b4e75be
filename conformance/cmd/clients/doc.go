// Command clients runs the client matrix: one scenario in the idiom of each client of DynamoDB,
// against a server of its own.
//
//	go run ./conformance/cmd/clients [-write | -diff] [-all] [-sample N/M | ROW...]
//
// It runs in the root of the repository, all rows or those whose names contain a ROW. -sample 2/5
// runs the rows that are not "sampled: true" in client.yaml, and the second of five parts of those
// that are; rows of a project that is "nightly: true" are in no sample. -write writes the table of
// emulator/docs/clients.md, -diff reports whether it would change. Rows that do not run keep what
// the page says. -all fails if the machine lacks a toolchain; without it the rows of that toolchain
// do not run.
//
// A client.yaml in a directory below conformance/clients says how its rows are installed, built and
// run (see clients.Project). A row is a program. Its environment has the URL of the server in
// AWS_ENDPOINT_URL_DYNAMODB and AWS_ENDPOINT_URL_DYNAMODB_STREAMS, with a region and credentials.
// The client of a row finds the server by these variables. "endpoint: code" in client.yaml says
// that the program gives it the endpoint, which is then in DYNAMODB_ENDPOINT as well; "endpoint:
// never" that it must, because the client does not read the variables. The program checks that. The
// admin API is at /_kugiri/ of the URL in MATRIX_SERVER, and KUGIRI_BINARY names the server's
// program. The row prints a line for its version and one for each step, among others that only a
// failed row shows:
//
//	version 3.1164.0
//	ok tables
//	left out PartiQL: has no PartiQL
//	failed numbers: 1E+125 came back as Infinity
//
// The steps are those of the list in step.go, or the ones that client.yaml names for the row.
package main
