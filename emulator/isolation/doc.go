// Package isolation proves that a policy keeps tenants apart, in an emulator of its own.
//
// Prove makes the tables that the policy declares and one that it does not, with items of two
// tenants A and B and of what tenants share, for every entity of every table and index. There are
// items of B as well whose keys are not as the policy declares them: of an undeclared prefix,
// without a separator, without a tenant, with the tenant in the sort key only, with too few and too
// many segments. A policy that lifts a rule lets such items in, or they were there before it. A
// table that is declared as an earlier one, under another name, is counted and not proven again.
// Then it plays the operations of the catalog:
//
//   - as tenant A against the items of B, and against shared ones that tenants only read,
//   - as A with B's name in the tenant header, if the policy knows tenants by both,
//   - as nobody: by an access key that the policy does not list, with the name of no tenant,
//   - as a caller without a header.
//
// A request got through if it changes what is not the caller's, if its answer has something of B,
// or if its answer is another one where B has no items. Only the rules on tenants are in force, as
// the policy has them: no other rule may be what keeps tenants apart. Signatures are not verified.
//
// The proof tries what it knows. A policy without a Leak has none of these holes; a policy that a
// request gets through does not keep tenants apart.
//
// Nouns: an actor is who calls; a place is a table or an index; a target is a key in a place, and
// whose it is; a play is a request.
package isolation
