// Package guard holds an application's own requests to a policy of package policy, as middleware of its aws-sdk-go-v2 client:
// what breaks a rule never leaves the process, whatever database it would have gone to.
//
//	engine, err := policyfile.CompileFile("policy.yaml")
//	...
//	client := dynamodb.NewFromConfig(cfg, guard.New(engine, guard.Config{}).Options)
//	out, err := client.PutItem(guard.WithTenant(ctx, "tenant001"), input)
//
// What can be decided from a request alone is decided. What depends on stored items is left to the database, by a condition:
// a write that sets a version and is not conditional on the one before is made so. A lost race then fails with
// ConditionalCheckFailedException, as it does where rules see what is stored. Parts of batches, PartiQL and writes with legacy
// parameters can have no such condition, and must be conditional where the rule wants it. A transaction's ClientRequestToken
// becomes one of its tenant's own. Allowed requests are otherwise sent as they are, byte by byte. Bound partition keys are
// counted for the process, from its start.
package guard
