// Package enforce applies a policy of the conventions to requests.
//
//   - A Policy has the policy of a service, and its findings.
//   - A Call checks the reads and writes of one call. A nil Call allows everything.
package enforce
