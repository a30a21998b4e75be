// Package terminal prints tables, and colors on terminals that support them.
//
// A table has numbers to the right and all else to the left. text/tabwriter was rejected, because
// it aligns all columns to one side.
package terminal
