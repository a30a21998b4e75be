// Package where splits the WHERE clause of a statement into branches. Each branch names the keys
// that it reads.
package where
