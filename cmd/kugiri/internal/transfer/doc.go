// Package transfer copies the items of a table to files and back. It uses the AWS SDK and works
// with any endpoint.
//
// A format has a Reader and a Writer of items. Import and Export connect them to a table, with
// several concurrent requests and a limited number of items in memory.
//
// CSV is read and written by encoding/csv. The types of columns are this package's own: libraries
// such as github.com/gocarina/gocsv were rejected, because they map columns to fields of structs,
// and items have no struct.
package transfer
