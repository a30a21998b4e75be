package emulator

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
// expiry (8 bytes), its text or, if the text is long, its digest, and its fingerprint (8 bytes).
type keptTokens struct {
	order []usedToken
	next  int
}

func tokenKey(t *usedToken) string {
	return string(binary.BigEndian.AppendUint64(nil, uint64(t.expires))) + t.id.kept()
}

func tokenValue(fingerprint uint64) string {
	return string(binary.BigEndian.AppendUint64(nil, fingerprint))
}

// add stores a token in the journal and deletes expired and surplus ones.
func (k *keptTokens) add(tx *storage.Tx, token *requestToken, now time.Time) {
	for k.next < len(k.order) && (k.order[k.next].expires <= now.UnixNano() || len(k.order)-k.next >= maxTokens) {
		tx.Forget(tokenKey(&k.order[k.next]))
		k.next++
	}
	if k.next > len(k.order)/2 {
		k.order = slices.Delete(k.order, 0, k.next)
		k.next = 0
	}
	used := usedToken{newTokenID(token.text), now.Add(tokenLifetime).UnixNano()}
	tx.Keep(tokenKey(&used), tokenValue(token.fingerprint))
	k.order = append(k.order, used)
}

var errKeptToken = errors.New("a token is not one")

// load adds the tokens in a journal.
func (t *transactions) load(kept map[string]string) error {
	for _, key := range slices.Sorted(maps.Keys(kept)) { // by age
		if len(key) < 8 || len(kept[key]) != 8 {
			return errKeptToken
		}
		id, expires := keptTokenID(key[8:]), int64(binary.BigEndian.Uint64([]byte(key)))
		t.tokens.put(id, tokenUse{binary.BigEndian.Uint64([]byte(kept[key])), expires})
		t.kept.order = append(t.kept.order, usedToken{id, expires})
	}
	return nil
}

// keepAll stores all tokens in a journal that has none of them.
func (t *transactions) keepAll(keep func(key, value string)) {
	t.kept = keptTokens{}
	all := map[tokenID]tokenUse{}
	for _, l := range t.tokens.layers {
		maps.Copy(all, l.known)
	}
	maps.Copy(all, t.tokens.known)
	for id, use := range all {
		used := usedToken{id, use.expires}
		keep(tokenKey(&used), tokenValue(use.fingerprint))
		t.kept.order = append(t.kept.order, used)
	}
	slices.SortFunc(t.kept.order, func(a, b usedToken) int { return cmp.Compare(a.expires, b.expires) })
}
