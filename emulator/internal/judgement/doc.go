// Package judgement has one table of how the service judges a request before it looks at tables:
// for each operation its generation, which decides how faults are worded, and the order of its
// layers. It is data: the server reads it when it starts, and a new fact is a cell.
//
// The page order.md of conformance/facts is this table in words. Package facts there has a request
// with a fault for each cell, and sends each of them, and each pair of them.
package judgement
