// Package statements has the operations on PartiQL statements. A statement is translated to the
// reads and writes of package items. Package expr/partiql parses.
package statements
