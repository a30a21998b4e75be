// Package isolation proves that a policy keeps tenants apart, in an emulator of its own.
//
// Prove makes the tables that the policy declares and one that it does not, with items of two
// tenants A and B and of what tenants share, for every entity of every table and index. Then it
// plays the operations of the catalog:
//
//   - as tenant A against the items of B, and against shared ones that tenants only read,
//   - as A with B's name in the tenant header, if the policy knows tenants by both,
//   - as nobody: by an access key that the policy does not list, with the name of no tenant,
//   - as a caller without a header.
//
// A request got through if it changes what is not the caller's, if its answer has something of B,
// or if its answer is another one where B has no items. Only the rules on tenants are in force, as
// the policy has them: no other rule may be what keeps tenants apart.
//
// The proof tries what it knows. A policy without a Leak has none of these holes; a policy that a
// request gets through does not keep tenants apart.
//
// Nouns: an actor is who calls; a place is a table or an index; a target is a key in a place, and
// whose it is; a play is a request.
package isolation
