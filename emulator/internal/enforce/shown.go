package enforce

import (
	"slices"

	"github.com/kugiri-db/kugiri/storage"
)

// Shown has what a call may be shown of an account: tables, streams and changes, without those
// that the policy hides from the caller. Everything that an operation lists or describes to a
// tenant comes from here.
type Shown struct {
	call *Call
	tx   *storage.Tx
}

// Shown returns what the call may be shown of an account. A nil Call is shown everything.
func (c *Call) Shown(tx *storage.Tx) Shown {
	if c != nil {
		c.shown = true
	}
	return Shown{c, tx}
}

// HasShown reports whether the call has asked for what it may be shown.
func (c *Call) HasShown() bool { return c == nil || c.shown }

// lists reports whether a table and its streams are among those that the caller is told of.
func (s Shown) lists(table string) bool {
	return s.call == nil || s.call.policy.engine.Lists(s.call.request.Caller, table)
}

// Tables returns the names of the tables, sorted, that come after a name.
func (s Shown) Tables(after string) []string {
	names := s.tx.Tables().Names()
	first, found := slices.BinarySearch(names, after)
	if found {
		first++
	}
	return slices.DeleteFunc(names[first:], func(name string) bool { return !s.lists(name) })
}

// Streams returns the streams.
func (s Shown) Streams() []*storage.Stream {
	return slices.DeleteFunc(s.tx.Streams().All(),
		func(stream *storage.Stream) bool { return !s.lists(stream.Table) })
}

// Changes calls a function with the changes of a shard from a number on, as storage.Streams.Changes
// does, and passes only the number of a change that is hidden from the caller.
func (s Shown) Changes(stream *storage.Stream, sh *storage.Shard, from uint64,
	show func(*storage.Change) bool, hide func(seq uint64) bool) (tooOld bool) {
	return s.tx.Streams().Changes(stream, sh, from, func(ch *storage.Change) bool {
		if c := s.call; c != nil &&
			!c.policy.engine.Sees(c.request.Caller, stream.Table, ch.Keys) {
			return hide(ch.Seq)
		}
		return show(ch)
	})
}

// Counts reports whether the caller is told how many items a table has.
func (s Shown) Counts(table string) bool {
	return s.call == nil || s.call.policy.engine.ShowsCounts(s.call.request.Caller, table)
}
