package emulator

// WithBuckets sets the buckets that ExportTableToPointInTime, ImportTable and StartBulkPutItems
// use. Without it there are no buckets: the operations are served, and what they begin fails with
// the code S3NoSuchBucket, as for any bucket that does not exist.
func WithBuckets(b Buckets) Option { return func(s *settings) { s.buckets = b } }
