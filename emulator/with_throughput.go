package emulator

import "time"

// Throughput says how limits of throughput are enforced: see WithThroughput. The
// zero Throughput is as the service does it.
type Throughput struct {
	// Burst is for how long the capacity that a provisioned table or global index
	// does not use is kept for later; 0 is 5 minutes, and negative is not at all.
	Burst time.Duration
	// PartitionReads and PartitionWrites are the units that the items with one
	// partition key, of a table or global index, have a second; 0 is 3000 and 1000,
	// and negative is no limit.
	PartitionReads, PartitionWrites float64
}

// WithThroughput has the service throttle requests that exceed the provisioned
// throughput of tables and global indexes, the OnDemandThroughput of tables and
// indexes that are PAY_PER_REQUEST, and what a partition can do. By default nothing
// is ever throttled.
//
// Each limit is a bucket that its units flow into, by the service's clock, and
// that holds a second's worth, or for provisioned throughput that of the burst,
// counted from the creation of the table. A request is let through as long as there
// is anything in the buckets of all that it uses; what it uses is then taken out,
// even if it is more. That goes for the bytes that are read and written as capacity
// units count them, twice for the items of transactions, for failed conditions, and
// for the global indexes that a write changes, which throttle it when they have no more.
//
// A batch leaves unprocessed what is throttled, and is throttled itself if that is
// everything. A transaction is canceled. A Fork has buckets of its own, in which
// nothing was used yet.
func WithThroughput(t Throughput) Option {
	return func(s *settings) { s.enforced = &t }
}
