// Package records gives changes the form in which streams show them.
package records
