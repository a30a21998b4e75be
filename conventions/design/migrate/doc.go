// Package migrate finds the way from the table of one plan to that of another one, while its
// patterns are read and its items are written.
//
// A Migration has the Steps, in the order in which all patterns in use work after each: Diff makes
// it. A Mutation is a migration with a mistake in it, which a verification has to find.
package migrate
