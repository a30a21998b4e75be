// Package api holds the shapes of the operations: what a request may carry and
// what an answer carries, member by member and in the order of the service's
// API model, with the model's constraints beside them as data.
//
// Shapes and constraints are generated from the model (shapes.go, constraints.go). A shape becomes
// a Go type of its own if it is a structure or constrained; other shapes become plain Go types
// where they are used. What the service does beside its model is in unpublished.go.
package api

//go:generate go run ./generate
