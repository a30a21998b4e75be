package emulator

import (
	"strings"
	"time"

	"github.com/cespare/xxhash/v2"

	"github.com/kugiri-db/kugiri/emulator/internal/api"
	"github.com/kugiri-db/kugiri/emulator/internal/wire"
	"github.com/kugiri-db/kugiri/storage"
)

// API Reference, TransactWriteItems, ClientRequestToken.
const tokenLifetime = 10 * time.Minute

// maxTokens bounds how many tokens a namespace remembers: SDKs send one with every
// transaction. Beyond it the oldest are forgotten early.
const maxTokens = 1 << 18

// requestToken is a client token and what it was sent with.
type requestToken struct {
	text        string // "": there is none
	fingerprint uint64 // of all other parameters
}

// newRequestToken is the token of a request. without is the request less its token.
func newRequestToken[In any](token *api.ClientRequestToken, without *In) requestToken {
	if token == nil {
		return requestToken{}
	}
	b := answers.get()
	defer answers.put(b)
	*b = wire.Append(*b, without)
	return requestToken{string(*token), xxhash.Sum64(*b)}
}

// tokens are those of the committed transactions of the last ten minutes.
type tokens struct {
	known map[string]tokenUse
	order []usedToken // by age, from next on
	next  int
}

// tokenUse says what a token was used for, and until when that counts.
type tokenUse struct {
	fingerprint uint64
	expires     int64 // in nanoseconds: with many tokens, a time.Time costs
}

type usedToken struct {
	text    string
	expires int64
}

// add remembers a token from now on.
func (t *tokens) add(token *requestToken, now time.Time) {
	t.expire(now)
	if t.known == nil {
		t.known = map[string]tokenUse{}
	}
	text, expires := strings.Clone(token.text), now.Add(tokenLifetime).UnixNano()
	t.known[text] = tokenUse{token.fingerprint, expires}
	t.order = append(t.order, usedToken{text, expires})
}

// expire forgets what is over, and makes room for one.
func (t *tokens) expire(now time.Time) {
	for t.next < len(t.order) {
		first := &t.order[t.next]
		if now.UnixNano() < first.expires && len(t.known) < maxTokens {
			break
		}
		delete(t.known, first.text)
		*first = usedToken{}
		t.next++
	}
	if t.next > len(t.order)/2 {
		n := copy(t.order, t.order[t.next:])
		clear(t.order[n:])
		t.order, t.next = t.order[:n], 0
	}
}

var (
	errTokenReused = &apiError{typ: errIdempotentMismatch,
		message: "Specified idempotent token was used with different request parameters within the idempotency window"}
	errTokenOpen = &apiError{typ: errTxInProgress, message: "Transaction from previous request is still in progress"}
)

// committed reports whether a transaction with the token was committed within the
// last ten minutes; own says that it is the transaction's own that is open.
func (t *transactions) committed(token *requestToken, own bool, now time.Time) (bool, error) {
	if _, open := t.open[token.text]; open && !own {
		return false, errTokenOpen
	}
	use, known := t.tokens.known[token.text]
	switch {
	case !known || now.UnixNano() >= use.expires:
		return false, nil
	case use.fingerprint != token.fingerprint:
		return false, errTokenReused
	}
	return true, nil
}

// replay answers a transaction that was committed before: what it costs is to
// read the items (API Reference, TransactWriteItems, ClientRequestToken).
func (x *writeTransaction) replay(c *call, tx *storage.Tx) error {
	if err := resolveTables(c, tx, x.tables); err != nil {
		return err
	}
	for i := range x.tables {
		x.tables[i].used = newTransactUsage(x.capacity, readUsage)
	}
	for i := range x.actions {
		a := &x.actions[i]
		t := &x.tables[a.in]
		k, err := a.change.key(tx, t.table)
		if err != nil {
			return err
		}
		t.used.addTable(readUnits(tx.Get(t.table, k).Size(), true))
		if _, checked := a.change.(noChange); x.metrics && !checked {
			t.measure(tx, a.keyed)
		}
	}
	return nil
}
