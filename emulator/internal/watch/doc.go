// Package watch applies a policy of the conventions to requests.
//
//   - A Guard has the policy of a service, and its findings.
//   - A Watch checks the reads and writes of one call. A nil Watch allows everything.
package watch
