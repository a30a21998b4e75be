// Package where splits the WHERE clause of a statement into branches, each of which names the keys
// that it reads.
package where
