// Package request describes what a request reads and writes, as far as the rules of package policy
// look at it.
//
// A Request holds Reads and Writes, each with the number of its action in the batch or transaction,
// and the Caller who sends it. FromJSON decodes the body of an HTTP request into its shape of
// package api, as the server does, and views that as a Request. Request.AddStatement adds what a
// PartiQL statement does, KeysOf returns the keys that a CreateTable defines, and a server fills in
// the other fields from what it has parsed already. An ImagedWrite is a Write with the item before
// and after it.
//
// The package decides nothing: whether a request is valid, and what to do about it, is for its
// readers to say.
package request
