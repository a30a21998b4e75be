// Package bucket gives an emulator the buckets of S3 that exports, imports and bulk puts use:
//
//	e := emulator.New(emulator.WithBuckets(bucket.New(bucket.Dir("buckets"))))
//
// A Store holds objects. Dir is a Store in a directory: each directory in it is a bucket, and the
// files below that are the objects. New puts the service's formats and layout on top of any Store:
//
//   - DynamoDB JSON, Amazon Ion and CSV; GZIP and ZSTD;
//   - the objects of an export: _started, the data files, manifest-files.json and
//     manifest-summary.json with their checksums (Developer Guide, "DynamoDB table export output
//     format");
//   - the report of a bulk put.
//
// What an emulator exports can be imported by the service, and the other way round. A program that
// does not import this package does not link the libraries for Ion and ZSTD.
package bucket
