// Package transfer copies the items of a table to files and back. It uses the AWS SDK and works
// with any endpoint.
//
// A format has a Reader and a Writer of items. Import and Export connect them to a table, with
// several concurrent requests and a limited number of items in memory.
package transfer
