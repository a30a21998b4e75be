// Package sqlite reads the rows of the tables of an SQLite database from front to back, which is
// enough to extract data. It follows "Database File Format" (sqlite.org/fileformat2.html).
//
// Drivers were rejected: modernc.org/sqlite v1.62.0 adds 7 MB to a program that does nothing else,
// and github.com/mattn/go-sqlite3 needs cgo, so that no binary could be built for another platform
// without its C compiler.
package sqlite
