package items

import "crypto/sha256"

// tokenID identifies the text of a token. It holds the text itself if that is short, as with all
// SDKs, and a digest otherwise. It has no pointers, so the garbage collector need not scan hundreds
// of thousands of them. The last byte is the length of the text, or marks a digest.
type tokenID [40]byte

const (
	tokenIDText = len(tokenID{}) - 1 // the longest text in bytes
	digested    = 0xff
)

func newTokenID(text string) (id tokenID) {
	if len(text) <= tokenIDText {
		copy(id[:], text)
		id[tokenIDText] = byte(len(text))
		return id
	}
	sum := sha256.Sum256([]byte(text))
	copy(id[:], sum[:])
	id[tokenIDText] = digested
	return id
}

// kept returns the form of the ID in a journal.
func (id *tokenID) kept() string {
	if id[tokenIDText] == digested {
		return string(id[:])
	}
	return string(id[:id[tokenIDText]])
}

// keptTokenID returns the ID of a text in a journal, which may be any text.
func keptTokenID(kept string) tokenID {
	if len(kept) == len(tokenID{}) && kept[tokenIDText] == digested {
		return tokenID([]byte(kept))
	}
	return newTokenID(kept)
}
