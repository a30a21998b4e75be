// Package gateway stands in front of a DynamoDB endpoint, DynamoDB's own or a compatible one, and holds the requests of clients
// in all languages to a policy of package policy.
//
// What breaks an enforced rule is answered in DynamoDB's form and never sent. What is allowed is sent as it is: the body byte by
// byte (but for the conditions that it lacks, unless Config.NoConditions is set, and for a transaction's ClientRequestToken, of which each tenant
// has its own), the headers but for those of the signature, which is made
// anew with the gateway's credentials. Answers are streamed back unchanged, compressed or not, with their checksums. Nothing
// is tried twice.
//
// # Who calls
//
// A request must be signed. Its access key is who calls, and with Config.Secrets the signature is verified, as DynamoDB does
// it. Without, the gateway believes any access key and tenant header: let only trusted services reach it then. In either case
// clients need no credentials of the database: what the gateway's own may do, all callers may, but for what the policy
// refuses. A policy that says who its callers are leaves operations on tables to privileged ones; Config.DataOnly keeps everybody from
// creating, changing, exporting and deleting tables. ListTables is for privileged callers too, as its answer is passed on as it is.
//
// # Limits
//
// A request has at most 16 MB, as with DynamoDB, and is read whole before it is sent. DynamoDB Streams and DAX are other services
// and are not passed on, nor are presigned and compressed requests, which no SDK makes. A BatchExecuteStatement is refused as
// a whole. Rules that need to see stored items are not decided here (see policy.Engine.CheckRequest).
package gateway
