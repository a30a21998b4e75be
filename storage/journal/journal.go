// Package journal is what a store needs of whatever keeps its contents durable:
// an ordered map of buckets, changed by batches that are there wholly or not at
// all. Package storage writes to it; package storage/disk is one, in files.
package journal

import "errors"

// ErrClosed is the error of a journal that was closed.
var ErrClosed = errors.New("the journal is closed")

// Journal keeps batches in the order in which they are appended. All methods are
// safe for concurrent use, Load excepted, which is called once and first.
type Journal interface {
	// Load calls each with everything that is kept, by bucket and key in bytewise
	// order, and fails with its error, or if what is kept is damaged. The slices
	// are each's only until it returns.
	Load(each func(bucket, key, value []byte) error) error

	// Append takes a batch in, which the caller may use again, and returns a
	// ticket. It does not wait for anything, and never fails: Wait tells.
	Append(b *Batch) (ticket uint64)

	// Wait returns when the batch with a ticket, and all before it, is durable, or
	// with the error for which it is not. If the journal recovers the batch becomes
	// durable after all. Ticket 0 is always durable.
	Wait(ticket uint64) error

	// Err is the error for which nothing can be made durable at present, nil if all is well.
	Err() error

	// Close makes what was appended durable and ends the journal. Closing twice does nothing.
	Close() error
}
