// Package api has the shapes of the operations: the members of each request and answer, in the
// order of the service's API model, and the constraints of the model as data.
//
// The shapes and constraints are generated from the model (shapes.go, constraints.go). A shape
// becomes a Go type of its own if it is a structure or has constraints. The generator replaces
// other shapes by plain Go types. unpublished.go has the rules of the service that its model does
// not contain.
//
// The package is public because both the server and the policies read requests with it, and they
// share no internal directory. It is no API for other programs, which have the SDK's types: a name
// changes when the service's model does.
package api

//go:generate go run ./generate
