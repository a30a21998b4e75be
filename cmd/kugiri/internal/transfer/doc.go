// Package transfer moves the items of a table to files and back, by way of the
// AWS SDK: it works with any endpoint.
//
// A format is a Reader and a Writer of items. Import and Export connect them to
// a table, with several requests in flight and a bounded number of items in memory.
package transfer
