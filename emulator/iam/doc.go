// Package iam knows who calls a service and what they may do, as AWS Identity and Access Management
// does.
//
// A Directory maps access keys to principals: the root user of an account, a user, or a session of
// a role. Parse reads it from a JSON document:
//
//	{"accessKeys": {
//	  "ALICE": {"account": "111122223333", "user": "alice"},
//	  "APP":   {"account": "111122223333", "role": "app", "session": "run-1"},
//	  "ROOT":  {"account": "444455556666"}
//	}}
//
// A user or a role has policies, and may have a permissions boundary, tags and, for a session,
// session policies. A policy is a document, or the name of one of the directory's "policies".
//
// Decide answers a Request by the policies of its principal and the resource-based policy of its
// resource, and says which statement decided.
//
// The package has an evaluator of its own. Libraries for Go either only parse policies, such as
// github.com/micahhausler/aws-iam-policy, or leave out parts of the algorithm, such as grants to
// sessions and set operators.
package iam
