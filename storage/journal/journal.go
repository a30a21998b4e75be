// Package journal defines what a store needs to be durable: a Journal, which is
// an ordered map of buckets that batches change atomically. Package storage
// writes to a Journal, and package storage/disk implements one in files.
package journal

import "errors"

// ErrClosed is the error of a closed journal.
var ErrClosed = errors.New("the journal is closed")

// Journal keeps batches in the order in which they are appended. All methods but Load are safe for
// concurrent use. Load is called once, before the others.
type Journal interface {
	// Load calls each with every entry, by bucket and key in bytewise order. It fails if each
	// fails, or if the journal is damaged. The slices are valid until each returns.
	Load(each func(bucket, key, value []byte) error) error

	// Append takes a batch and returns its ticket. It does not wait and does not fail: Wait does.
	// The caller may reuse the batch.
	Append(b *Batch) (ticket uint64)

	// Wait returns nil when the batch with a ticket and all batches before it are durable. It
	// returns an error if they cannot be made durable at present. If the journal recovers later,
	// they become durable after all. Ticket 0 is always durable.
	Wait(ticket uint64) error

	// Err returns the error for which nothing can be made durable at present, or nil.
	Err() error

	// Close makes all batches durable and closes the journal. A second call does nothing.
	Close() error
}
