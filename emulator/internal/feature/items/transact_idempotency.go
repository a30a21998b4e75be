package items

import (
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/kugiri-db/kugiri/conventions/api"
	"github.com/kugiri-db/kugiri/conventions/wire"
	"github.com/kugiri-db/kugiri/emulator/internal/apierr"
	"github.com/kugiri-db/kugiri/emulator/internal/httpd"
	"github.com/kugiri-db/kugiri/emulator/internal/serve"
)

// API Reference, TransactWriteItems, ClientRequestToken.
const TokenLifetime = 10 * time.Minute

// maxTokens is the most tokens that a namespace keeps. SDKs send a token with every transaction.
// Beyond this the oldest tokens are forgotten early.
const maxTokens = 1 << 18

// RequestToken is a client token and the request that it was sent with.
type RequestToken struct {
	Text        string // "" for a request without one
	sent        string // the text as it was sent
	Fingerprint uint64 // a hash of all other parameters
	charged     string // see chargedSizes
}

// NewRequestToken returns the token of a request. without is the request without its token. The
// members of its objects must have an order that depends only on themselves. Under a policy each
// tenant has tokens of its own.
func NewRequestToken[In any](c *serve.Call, token *api.ClientRequestToken,
	without *In) RequestToken {
	if token == nil {
		return RequestToken{}
	}
	b := httpd.Answers.Get()
	defer httpd.Answers.Put(b)
	return RequestToken{
		Text: c.Policy.Own(string(*token)), sent: string(*token),
		Fingerprint: wire.Sum64(without, *b),
	}
}

// WithoutDefault returns nil for NONE. A request without the parameter means NONE, so the two are
// the same request (service facts F.34).
func WithoutDefault(
	r *api.ReturnValuesOnConditionCheckFailure) *api.ReturnValuesOnConditionCheckFailure {
	if !WantsOld(r) {
		return nil
	}
	return r
}

// dropDefault is WithoutDefault for an action.
func dropDefault(a *api.TransactWriteItem) {
	var of **api.ReturnValuesOnConditionCheckFailure
	switch {
	case a.Put != nil:
		of = &a.Put.ReturnValuesOnConditionCheckFailure
	case a.Update != nil:
		of = &a.Update.ReturnValuesOnConditionCheckFailure
	case a.Delete != nil:
		of = &a.Delete.ReturnValuesOnConditionCheckFailure
	case a.ConditionCheck != nil:
		of = &a.ConditionCheck.ReturnValuesOnConditionCheckFailure
	}
	*of = WithoutDefault(*of)
}

// orderNames sorts the placeholders for names in the actions. The members of an object have no
// order, and a client that repeats a request may write them in another order (the SDK for Go does).
// All other objects in a request hold attributes, which are already sorted.
func orderNames(actions []api.TransactWriteItem) {
	for i := range actions {
		var names api.Map[api.AttributeName]
		switch a := &actions[i]; {
		case a.Put != nil:
			names = a.Put.ExpressionAttributeNames
		case a.Update != nil:
			names = a.Update.ExpressionAttributeNames
		case a.Delete != nil:
			names = a.Delete.ExpressionAttributeNames
		case a.ConditionCheck != nil:
			names = a.ConditionCheck.ExpressionAttributeNames
		}
		slices.SortFunc(names,
			func(a, b api.Entry[api.AttributeName]) int { return strings.Compare(a.Key, b.Key) })
	}
}

// tokens holds the tokens of the transactions that were committed in the last ten minutes. Tokens
// that forks share are in layers, which never change.
type tokens struct {
	known map[tokenID]tokenUse
	// large has the sizes of those few of known that a replay cannot take for one unit for each
	// item: known itself has no pointers (see tokenID).
	large  map[tokenID]string
	order  []usedToken // the oldest first, beginning at next
	next   int
	latest int64        // the expiry of the last one that was added here
	layers []tokenLayer // older than known, the oldest first; replaced, never modified
}

// tokenUse says what a token was used for, and until when that counts.
type tokenUse struct {
	fingerprint uint64
	expires     int64 // nanoseconds: with many tokens, a time.Time costs
}

type usedToken struct {
	id      tokenID
	expires int64
}

// Add remembers a token from now on.
func (t *tokens) Add(token *RequestToken, now time.Time) {
	t.expire(now)
	use := tokenUse{token.Fingerprint, now.Add(TokenLifetime).UnixNano()}
	t.put(newTokenID(token.Text), use, token.charged)
}

// put adds what a token was used for last.
func (t *tokens) put(id tokenID, use tokenUse, charged string) {
	if t.known == nil {
		t.known, t.large = map[tokenID]tokenUse{}, map[tokenID]string{}
	}
	t.known[id] = use
	delete(t.large, id)
	if charged != "" {
		t.large[id] = charged
	}
	t.order = append(t.order, usedToken{id, use.expires})
	t.latest = max(t.latest, use.expires)
}

// expire forgets what is over, and makes room for one.
func (t *tokens) expire(now time.Time) {
	remembered := len(t.known)
	for i := range t.layers {
		remembered += len(t.layers[i].known)
	}
	for len(t.layers) > 0 && (now.UnixNano() >= t.layers[0].expires || remembered >= maxTokens) {
		remembered -= len(t.layers[0].known)
		t.layers = t.layers[1:]
	}
	for t.next < len(t.order) {
		first := &t.order[t.next]
		if now.UnixNano() < first.expires && len(t.known) < maxTokens {
			break
		}
		// a later use may be there after a clock was set back
		if t.known[first.id].expires == first.expires {
			delete(t.known, first.id)
			delete(t.large, first.id)
		}
		t.next++
	}
	if t.next > len(t.order)/2 {
		n := copy(t.order, t.order[t.next:])
		t.order, t.next = t.order[:n], 0
	}
}

var (
	ErrTokenReused = &apierr.Error{Type: apierr.IdempotentParameterMismatch,
		Message: "Specified idempotent token was used with different request parameters within the idempotency window"}
)

// Committed reports whether a transaction with the token was committed in the last ten minutes. own
// means that the open transaction with the token is this one.
func (t *Transactions) Committed(token *RequestToken, own bool, now time.Time) (bool, error) {
	if _, open := t.open[token.Text]; open && !own {
		return false, serve.ErrTokenOpen
	}
	use, known := t.Tokens.use(token.Text)
	switch {
	case !known || now.UnixNano() >= use.expires:
		return false, nil
	case use.fingerprint != token.Fingerprint:
		return false, ErrTokenReused
	}
	return true, nil
}

// tokenLayer holds tokens that forks share.
type tokenLayer struct {
	known   map[tokenID]tokenUse
	large   map[tokenID]string
	expires int64 // the expiry of the last of them
}

// use returns what a token was last used for.
func (t *tokens) use(text string) (use tokenUse, known bool) {
	use, _, known = t.find(newTokenID(text))
	return use, known
}

// find returns what a token was last used for, and what it was charged for.
func (t *tokens) find(id tokenID) (use tokenUse, charged string, known bool) {
	if use, known = t.known[id]; known {
		return use, t.large[id], true
	}
	for i := len(t.layers) - 1; i >= 0; i-- {
		if use, known = t.layers[i].known[id]; known {
			return use, t.layers[i].large[id], true
		}
	}
	return tokenUse{}, "", false
}

// fork returns the same tokens for another namespace, without copying them: they become a layer
// that both share. A layer is merged with the one before it unless that is much larger, so that
// there are few layers and few copies of each token.
func (t *tokens) fork() tokens {
	if len(t.known) == 0 {
		return tokens{layers: t.layers}
	}
	top := tokenLayer{t.known, t.large, t.latest}
	layers := t.layers
	for n := len(layers); n > 0 && len(layers[n-1].known) <= 2*len(top.known); n-- {
		top = layers[n-1].merge(&top)
		layers = layers[:n-1]
	}
	*t = tokens{layers: append(layers[:len(layers):len(layers)], top), latest: t.latest}
	return tokens{layers: t.layers}
}

// merge returns the tokens of both layers. Those of newer replace others.
func (l *tokenLayer) merge(newer *tokenLayer) tokenLayer {
	both := tokenLayer{
		make(map[tokenID]tokenUse, len(l.known)+len(newer.known)), map[tokenID]string{},
		max(l.expires, newer.expires),
	}
	for _, from := range []*tokenLayer{l, newer} {
		maps.Copy(both.known, from.known)
		for id := range from.known {
			delete(both.large, id)
		}
		maps.Copy(both.large, from.large)
	}
	return both
}
