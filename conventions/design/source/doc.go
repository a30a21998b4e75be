// Package source makes designs of package design out of what people have: schemas of OneTable and
// of ElectroDB, models of NoSQL Workbench, AWS's data models in JSON, policies, and tables with
// items.
//
// Such a source says less than a design does, or other things. A Draft is a design that can be
// planned, with a comment at each field that a person should check.
//
// The package is pure: it reads texts and values, and asks no table.
package source
