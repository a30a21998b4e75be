// Package enforce applies a policy of the conventions to requests.
//
//   - A Policy has the policy of a service, and its findings.
//   - A Call checks the reads and writes of one call. A nil Call allows everything.
//   - A Reading is a read that the policy has allowed, and the way to its items.
//   - A Shown has the tables, streams and changes that a call may be shown.
package enforce
