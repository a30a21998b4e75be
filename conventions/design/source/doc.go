// Package source makes designs of package design out of what people have: schemas of OneTable and of
// ElectroDB, AWS's data models in JSON, and policies.
//
// Such a source says less than a design does, or other things. A Draft is a design that can be
// planned, with a comment at each field that a person should check.
//
// The package is pure: it reads texts.
package source
