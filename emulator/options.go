package emulator

import (
	"io"
	"log/slog"
	"time"

	"github.com/kugiri-db/kugiri/emulator/internal/serve"
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

// WithClock sets the service's clock. Everything that depends on the time asks now: creation times
// and the states of tables, for example. now must be safe for concurrent use and should not go
// backwards. The default is time.Now.
func WithClock(now func() time.Time) Option {
	return func(s *settings) { s.Clock, s.held = now, nil }
}

// WithHeldClock makes the service use a clock that moves only when the caller calls Advance or Set.
// No part of the service then waits for real time.
func WithHeldClock(c *Clock) Option {
	return func(s *settings) { s.Clock, s.held = c.Now, c }
}

// WithRandom derives all randomness of the service (request IDs and table IDs) from 32 bytes that
// New reads from r. Two services that have the same bytes and get the same requests in the same
// order answer with the same IDs. The default is crypto/rand.
func WithRandom(r io.Reader) Option {
	return func(s *settings) { s.randomness = r }
}

// WithAccountID sets the AWS account in all ARNs, which has 12 digits. The default is 000000000000.
// All access keys have this account ID, but each still has its own tables (see WithSharedData).
func WithAccountID(id string) Option {
	return func(s *settings) { s.Account = id }
}

// WithSharedData shows the same tables to all access keys and regions. By default
// each pair of an access key and a region has tables of its own, as accounts and
// regions do in AWS.
func WithSharedData() Option {
	return func(s *settings) { s.Shared = true }
}

// WithTableDelays sets how long tables and indexes stay in the states CREATING, UPDATING and
// DELETING, measured on the clock. The default is 0, with which no client sees those states.
func WithTableDelays(create, update, remove time.Duration) Option {
	return func(s *settings) {
		s.Delays = serve.TableDelays{Create: create, Update: update, Delete: remove}
	}
}

// WithStreamShards sets how many shards of a table's stream are open at a time and how long each
// stays open, measured on the clock. An item's partition key decides its shard. When a shard
// closes, another replaces it. At least one shard is open. The defaults are those of the service: 1
// shard and 4 hours.
func WithStreamShards(open int, life time.Duration) Option {
	return func(s *settings) { s.openShards, s.shardLife = max(1, open), life }
}

// WithTTLInterval sets how long after a change of a table's TTL settings another change is refused,
// measured on the clock. The service refuses it for up to an hour. The default is 0.
func WithTTLInterval(d time.Duration) Option {
	return func(s *settings) { s.TTLInterval = d }
}

// WithLogger sets where the service logs its own failures. It should have none. It does not log
// errors of requests. The default is slog.Default().
func WithLogger(l *slog.Logger) Option {
	return func(s *settings) { s.Logger = l }
}

// WithTransactionHook calls hook for every write transaction (TransactWriteItems) whose conditions
// hold, before the commit. The token is the transaction's ClientRequestToken, or "" if it has none;
// SDKs always set one. The transaction stays open until hook returns. Its items meanwhile conflict
// with other requests, as in the service (Developer Guide, "Amazon DynamoDB Transactions: How it
// works", "Transaction conflict handling"):
//
//   - TransactWriteItems and TransactGetItems of one of its items are canceled with the reason
//     TransactionConflict;
//   - PutItem, UpdateItem and DeleteItem of one of its items fail with
//     TransactionConflictException, and BatchWriteItem leaves the write unprocessed;
//   - a request with the same token fails with TransactionInProgressException;
//   - all other reads see the items from before the transaction.
//
// hook may block for as long as it likes, and may send requests of its own. When it returns, the
// transaction is committed. Without a hook no request ever sees an open transaction: requests that
// overlap in time run one after the other, and none conflicts.
func WithTransactionHook(hook func(token string)) Option {
	return func(s *settings) { s.TransactionHook = hook }
}
