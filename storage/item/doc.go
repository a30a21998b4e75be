// Package item is the ground that everything stands on: attribute values, items,
// their sizes, their numbers and their keys.
//
// # The form at rest
//
// A value is kept as what it is on the wire, in one canonical form, and never as
// a tree (see Value); an item is one string of that form with a directory of its
// attributes in front (see Item). The other candidate was a tagged binary form
// (type, length, bytes). BenchmarkEncoding compares them on an item of 1 KB with
// 12 attributes, on two cores of an AMD EPYC:
//
//	                                wire form   tagged
//	answer with the whole item          17 ns  1,424 ns
//	look at one attribute (filter)      29 ns     70 ns
//	bytes at rest                       1,318    1,030
//
// The wire form costs a third more memory and makes a page of 1 MB cost a copy
// where the tagged form costs 1.4 ms. Because the form is canonical, equality of
// values, sets and documents included, is equality of strings.
package item
