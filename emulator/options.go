package emulator

import (
	"io"
	"log/slog"
	"time"
)

// Option changes how a service made by New behaves.
type Option func(*settings)

// Options makes one option of several.
func Options(opts ...Option) Option {
	return func(s *settings) {
		for _, o := range opts {
			o(s)
		}
	}
}

// WithClock has the service ask now for the time, for everything that depends on
// it: creation times, the states of tables. now must be safe for concurrent use
// and should not go backwards. The default is time.Now.
func WithClock(now func() time.Time) Option {
	return func(s *settings) { s.clock, s.held = now, nil }
}

// WithHeldClock has the service go by a clock that is moved by hand, by Advance
// and Set, and moves not at all otherwise. Nothing of the service then waits for
// real time.
func WithHeldClock(c *Clock) Option {
	return func(s *settings) { s.clock, s.held = c.Now, c }
}

// WithRandom has all randomness of the service (request and table ids) derive
// from 32 bytes that New reads from r. Two services with the same bytes that get
// the same requests in the same order answer with the same ids. The default is
// crypto/rand.
func WithRandom(r io.Reader) Option {
	return func(s *settings) { s.randomness = r }
}

// WithAccountID sets the AWS account that is in all ARNs: 12 digits. The default
// is 000000000000. Whatever access key a request is signed with, its account is
// this one; its tables are its own nevertheless (see WithSharedData).
func WithAccountID(id string) Option {
	return func(s *settings) { s.account = id }
}

// WithSharedData shows the same tables to all access keys and regions. By default
// each pair of an access key and a region has tables of its own, as accounts and
// regions do in AWS.
func WithSharedData() Option {
	return func(s *settings) { s.shared = true }
}

// WithTableDelays sets how long tables and indexes stay in the states CREATING,
// UPDATING and DELETING, measured on the clock. The default is 0: none is ever
// seen in those states.
func WithTableDelays(create, update, remove time.Duration) Option {
	return func(s *settings) { s.delays = tableDelays{create: create, update: update, delete: remove} }
}

// WithStreamShards sets how many shards of a table's stream are open at a time,
// to which items are spread by their partition keys, and how long a shard stays
// open until another takes its place, measured on the clock. At least one is
// open. The defaults are 1 and 4 hours, as with the service.
func WithStreamShards(open int, life time.Duration) Option {
	return func(s *settings) { s.openShards, s.shardLife = max(1, open), life }
}

// WithStreamMemory sets how many bytes of changes the streams of an account and
// region hold, all tables together. Beyond that the oldest changes are trimmed
// though they are not 24 hours old, and who reads them gets a
// TrimmedDataAccessException. The service has no such limit; 0 is none. The
// default is 128 MiB.
func WithStreamMemory(bytes int64) Option {
	return func(s *settings) { s.streamMemory = max(0, bytes) }
}

// WithPITRMemory sets how many bytes the tables of an account and region keep for point-in-time
// recovery, all together: of each change since the beginning of a table's recovery period, the item
// that was there before. Beyond that the oldest changes are forgotten, and
// EarliestRestorableDateTime moves forward. The system backups of deleted tables are held to as
// much. The service has no such limit; 0 is none. The default is 128 MiB.
func WithPITRMemory(bytes int64) Option {
	return func(s *settings) { s.pitrMemory = max(0, bytes) }
}

// standardPITRMemory is that of streams.
const standardPITRMemory = standardStreamMemory

// standardStreamMemory is a few hundred thousand changes of items of common sizes.
const standardStreamMemory = 128 << 20

// WithTTLInterval sets for how long after a change of a table's TTL settings
// another is refused, measured on the clock. With the service that is up to an
// hour; the default is 0, as everything happens at once.
func WithTTLInterval(d time.Duration) Option {
	return func(s *settings) { s.ttlInterval = d }
}

// WithLogger sets where the service logs what is wrong with itself, which should
// be nothing; what is wrong with requests is not logged. The default is slog.Default().
func WithLogger(l *slog.Logger) Option {
	return func(s *settings) { s.logger = l }
}

// WithTransactionHook has every write transaction (TransactWriteItems) that is
// possible, because its conditions hold, call hook before it is committed; the
// token is its ClientRequestToken, "" if it has none, which SDKs never let happen.
// Until hook returns the transaction is open, and so its items are in conflict
// with others, as with the service (Developer Guide, "Amazon DynamoDB
// Transactions: How it works", "Transaction conflict handling"):
//
//   - TransactWriteItems and TransactGetItems of one of its items are canceled with the reason TransactionConflict;
//   - PutItem, UpdateItem and DeleteItem of one fail with TransactionConflictException, BatchWriteItem leaves it unprocessed;
//   - the same token again fails with TransactionInProgressException;
//   - all other reads see the items as they were before.
//
// hook may block for as long as it likes, and may send requests of its own. When
// it returns, the transaction is committed. Without a hook transactions are never
// seen open: requests that overlap in time happen one after the other, and none
// ever conflicts.
func WithTransactionHook(hook func(token string)) Option {
	return func(s *settings) { s.transactionHook = hook }
}
