// Package gateway is a proxy in front of a DynamoDB endpoint, that of AWS or a compatible one. It
// checks the requests of clients in any language against a policy of package policy.
//
// The gateway answers a request that breaks an enforced rule with an error in DynamoDB's form, and
// never sends it. It forwards allowed requests and changes only these parts:
//
//   - It adds missing conditions to writes, unless Config.NoConditions is set.
//   - It replaces the ClientRequestToken of a transaction by one that belongs to the tenant.
//   - It replaces the signature by one with its own credentials.
//
// It streams answers back unchanged, compressed or not, with their checksums. It retries nothing.
//
// # Who calls
//
// A request must be signed. Its access key identifies the caller. With Config.Secrets the gateway
// verifies the signature, as DynamoDB does. Without, it trusts any access key and tenant header, so
// only trusted services should be able to reach it. In either case clients need no credentials of
// the database: a caller may do everything that the gateway's credentials allow and the policy does
// not refuse. A policy that lists its callers reserves operations on tables for privileged ones.
// Config.DataOnly refuses to create, change, export and delete tables for all callers. ListTables
// is for privileged callers too, because the gateway does not filter the answer.
//
// # Limits
//
// A request may have 16 MB, as with DynamoDB. The gateway reads it completely before it sends it.
// It does not forward requests for DynamoDB Streams and DAX, which are other services, nor
// presigned and compressed requests, which no SDK makes. It refuses a BatchExecuteStatement as a
// whole. It does not check rules that need stored items (see policy.Engine.CheckRequest).
package gateway
