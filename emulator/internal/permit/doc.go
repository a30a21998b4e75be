// Package permit decides who may do what: which permissions a request needs, the values of the
// context keys of policies, and the check against the policies of package iam. Authorize is the
// stage of a request.
package permit
