// Package jobs has exports to S3, imports from it, and bulk puts.
//
//   - A Job is an export, an import or a bulk put. It is a state of its account and is in the
//     journal, so that it goes on after a restart.
//   - A jobRun does the work of a Job in the background.
//   - A loader writes items in batches, by way of the WriteSet of package items.
//   - Buckets are S3. Package emulator/bucket has the formats and a directory.
package jobs
