// Package accelerators has the operations on clusters of DynamoDB Accelerator (DAX), which a client
// calls by the target AmazonDAXV3: clusters, parameter groups, subnet groups, tags and events.
//
//   - A State holds those of an account in a region. Forks, snapshots and the journal treat it as
//     they treat tables.
//   - An Accelerator answers at the ports of DAX: package dax implements it. A Link says which one
//     there is, if any. A cluster leads to it, and its parameter group and its nodes count for
//     those requests there that belong to its account and region.
//   - A fault is an error of the service (API Reference, "Amazon DynamoDB Accelerator").
//
// The shapes are those of the service's API model, and the examples of the AWS CLI's reference show
// which members an answer has. What nobody has published of texts is worded like the model's
// descriptions of the errors.
package accelerators
