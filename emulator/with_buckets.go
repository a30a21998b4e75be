package emulator

import "github.com/kugiri-db/kugiri/emulator/transfers"

// WithBuckets sets the buckets that ExportTableToPointInTime, ImportTable and StartBulkPutItems
// use: those of package emulator/bucket, or your own. Without it there are no buckets: the
// operations are served, and what they begin fails with the code S3NoSuchBucket, as for any bucket
// that does not exist.
func WithBuckets(b transfers.Buckets) Option { return func(s *settings) { s.Buckets = b } }
