// All generated packages have the files in common whose names have "_support". Package render
// copies them whole beside the code that it writes. The other files are that code for the design
// testdata/support.yaml, so that this directory is a package like any that is generated: the
// compiler, go vet and the tests see the files here that others get.
//
// Planned, in planned.go, is the consumer of a stream for any plan, by the same files: a proof runs
// it in all orders of its requests. TestPlanned compares it with the generated one of the sample.
//
// A file of package support may use the files keys, reader and writes, and these names of the
// generated code: TableName, keyNames, effects and shapes; in tests rows, rebuild, patternCases,
// fetchCases, writeNames, writeCases, streamNames and streamCases.
package support
