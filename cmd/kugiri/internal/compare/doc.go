// Package compare tells whether two endpoints have the same tables: the same keys, indexes and
// items. It uses the AWS SDK and works with any endpoint.
//
// A Sum is the number of some items and the sum of their hashes, so the order in which an endpoint
// returns items makes no difference. The hash of an item is that of its canonical text: numbers are
// hashed by value, and sets without their order. A run keeps a Sum for each of many parts of the
// keys. If the Sums of a part differ, a second run reads its items and finds the keys that differ.
//
// The endpoints are read one page after another. What is written meanwhile may be reported as a
// difference.
package compare
