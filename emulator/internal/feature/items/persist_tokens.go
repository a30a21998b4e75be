package items

import (
	"cmp"
	"encoding/binary"
	"errors"
	"maps"
	"slices"
	"time"

	"github.com/kugiri-db/kugiri/storage"
)

// keptTokens holds the tokens in the journal, by age from next on. A token is stored with its
// expiry (8 bytes), its text or, if the text is long, its digest, its fingerprint (8 bytes), and
// what chargedSizes has of it.
type keptTokens struct {
	Order []usedToken
	next  int
}

func tokenKey(t *usedToken) string {
	return string(binary.BigEndian.AppendUint64(nil, uint64(t.expires))) + t.id.kept()
}

func tokenValue(fingerprint uint64, charged string) string {
	return string(binary.BigEndian.AppendUint64(nil, fingerprint)) + charged
}

// add stores a token in the journal and deletes expired and surplus ones.
func (k *keptTokens) add(tx *storage.Tx, token *RequestToken, now time.Time) {
	for k.next < len(k.Order) &&
		(k.Order[k.next].expires <= now.UnixNano() || len(k.Order)-k.next >= maxTokens) {
		tx.Forget(tokenKey(&k.Order[k.next]))
		k.next++
	}
	if k.next > len(k.Order)/2 {
		k.Order = slices.Delete(k.Order, 0, k.next)
		k.next = 0
	}
	used := usedToken{newTokenID(token.Text), now.Add(TokenLifetime).UnixNano()}
	tx.Keep(tokenKey(&used), tokenValue(token.Fingerprint, token.charged))
	k.Order = append(k.Order, used)
}

var errKeptToken = errors.New("a token is not one")

// Load adds the tokens in a journal.
func (t *Transactions) Load(kept map[string]string) error {
	for _, key := range slices.Sorted(maps.Keys(kept)) { // the oldest first
		value := kept[key] // keys are those of tokenKey, values those of tokenValue
		if len(key) < 8 || len(value) < 8 || len(value)%4 != 0 {
			return errKeptToken
		}
		expires, id := int64(binary.BigEndian.Uint64([]byte(key))), keptTokenID(key[8:])
		fingerprint, charged := binary.BigEndian.Uint64([]byte(value)), value[8:]
		t.Tokens.put(id, tokenUse{fingerprint, expires}, charged)
		t.Kept.Order = append(t.Kept.Order, usedToken{id, expires})
	}
	return nil
}

// KeepAll stores all tokens in a journal that has none of them.
func (t *Transactions) KeepAll(keep func(key, value string)) {
	t.Kept = keptTokens{}
	all := tokenLayer{map[tokenID]tokenUse{}, nil, 0}
	for i := range t.Tokens.layers {
		all = all.merge(&t.Tokens.layers[i])
	}
	all = all.merge(&tokenLayer{t.Tokens.known, t.Tokens.large, 0})
	for id, use := range all.known {
		used := usedToken{id, use.expires}
		keep(tokenKey(&used), tokenValue(use.fingerprint, all.large[id]))
		t.Kept.Order = append(t.Kept.Order, used)
	}
	slices.SortFunc(t.Kept.Order,
		func(a, b usedToken) int { return cmp.Compare(a.expires, b.expires) })
}
