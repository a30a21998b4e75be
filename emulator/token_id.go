package emulator

import "crypto/sha256"

// tokenID stands for the text of a token, and is the text itself if that is short,
// as those of all SDKs are. It points to nothing: there are hundreds of thousands
// of them, which the garbage collector need not follow. The last byte says how long
// the text is, or that the ID is its digest.
type tokenID [40]byte

const (
	tokenIDText = len(tokenID{}) - 1 // bytes of text at most
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

// kept is what a journal keeps for the ID.
func (id *tokenID) kept() string {
	if id[tokenIDText] == digested {
		return string(id[:])
	}
	return string(id[:id[tokenIDText]])
}

// keptTokenID is the ID of what a journal has kept, which may be any text.
func keptTokenID(kept string) tokenID {
	if len(kept) == len(tokenID{}) && kept[tokenIDText] == digested {
		return tokenID([]byte(kept))
	}
	return newTokenID(kept)
}
