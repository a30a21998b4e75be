package emulator

import "github.com/kugiri-db/kugiri/emulator/internal/feature/transfer"

// Buckets is S3 as exports, imports and bulk puts see it. Package emulator/bucket implements it
// with the service's formats and layout, on a directory or on any store of objects, and names the
// types of its methods.
type Buckets = transfer.Buckets

// WithBuckets sets the buckets that ExportTableToPointInTime, ImportTable and StartBulkPutItems
// use. Without it there are no buckets: the operations are served, and what they begin fails with
// the code S3NoSuchBucket, as for any bucket that does not exist.
func WithBuckets(b Buckets) Option { return func(s *settings) { s.buckets = b } }
