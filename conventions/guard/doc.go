// Package guard is middleware for the aws-sdk-go-v2 client of an application. It checks the
// application's own requests against a policy of package policy. A request that breaks a rule never
// leaves the process, whatever database it is for.
//
//	engine, err := policyfile.CompileFile("policy.yaml")
//	...
//	client := dynamodb.NewFromConfig(cfg, guard.New(engine, guard.Config{}).Options)
//	out, err := client.PutItem(guard.WithTenant(ctx, "tenant001"), input)
//
// The guard checks every rule that it can decide from the request alone. Where a rule depends on a
// stored item, the guard leaves the check to the database: it adds a condition on the version
// before to a write that sets a version and has no such condition. If another writer was first, the
// write fails with ConditionalCheckFailedException, as it does under a server that enforces the
// policy. Parts of batches, PartiQL statements and writes with legacy parameters cannot get such a
// condition, and must have their own where the rule requires one. The guard
// replaces the ClientRequestToken of a transaction by one that belongs to the tenant. It changes
// nothing else in allowed requests. It counts bound partition keys for the process, from its start.
package guard
