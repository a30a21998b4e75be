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
package iam
