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

// keptTokens are the tokens that the journal has, by age from next on. It has each
// by when it expires (8 bytes) and its text, with its fingerprint (8 bytes).
type keptTokens struct {
	order []usedToken
	next  int
}

func tokenKey(text string, expires int64) string {
	return string(binary.BigEndian.AppendUint64(nil, uint64(expires))) + text
}

func tokenValue(fingerprint uint64) string {
	return string(binary.BigEndian.AppendUint64(nil, fingerprint))
}

// add has a token kept from now on, and those forgotten that are over or too many.
func (k *keptTokens) add(tx *storage.Tx, token *requestToken, now time.Time) {
	for k.next < len(k.order) && (k.order[k.next].expires <= now.UnixNano() || len(k.order)-k.next >= maxTokens) {
		tx.Forget(tokenKey(k.order[k.next].text, k.order[k.next].expires))
		k.next++
	}
	if k.next > len(k.order)/2 {
		k.order = slices.Delete(k.order, 0, k.next)
		k.next = 0
	}
	expires := now.Add(tokenLifetime).UnixNano()
	key := tokenKey(token.text, expires)
	tx.Keep(key, tokenValue(token.fingerprint))
	k.order = append(k.order, usedToken{key[8:], expires})
}

var errKeptToken = errors.New("a token is not one")

// load fills in what a journal has kept.
func (t *transactions) load(kept map[string]string) error {
	for _, key := range slices.Sorted(maps.Keys(kept)) { // which is by age
		if len(key) < 8 || len(kept[key]) != 8 {
			return errKeptToken
		}
		text, expires := key[8:], int64(binary.BigEndian.Uint64([]byte(key)))
		t.tokens.put(text, tokenUse{binary.BigEndian.Uint64([]byte(kept[key])), expires})
		t.kept.order = append(t.kept.order, usedToken{text, expires})
	}
	return nil
}

// keepAll has a journal keep all tokens, which it has none of.
func (t *transactions) keepAll(keep func(key, value string)) {
	t.kept = keptTokens{}
	all := map[string]tokenUse{}
	for _, l := range t.tokens.layers {
		maps.Copy(all, l.known)
	}
	maps.Copy(all, t.tokens.known)
	for text, use := range all {
		keep(tokenKey(text, use.expires), tokenValue(use.fingerprint))
		t.kept.order = append(t.kept.order, usedToken{text, use.expires})
	}
	slices.SortFunc(t.kept.order, func(a, b usedToken) int { return cmp.Compare(a.expires, b.expires) })
}
