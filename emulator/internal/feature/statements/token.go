package statements

import (
	"crypto/sha256"
	"encoding/base64"
	"slices"
	"strings"

	"github.com/kugiri-db/kugiri/emulator/internal/apierr"
	"github.com/kugiri-db/kugiri/storage/item"
	"github.com/kugiri-db/kugiri/storage/item/jsontext"
)

// A NextToken contains a checksum of the statement and its parameters, because it is valid only for
// them; the key of the item after which the SELECT continues; and a checksum of both.
const tokenSumBytes = 16

var (
	// the text is unconfirmed
	errNextToken = apierr.Invalid("Invalid NextToken specified for the statement")
	// aws-sdk-js-v3, issue 4424
	errNextTokenOther = apierr.Invalid("NextToken does not match request")
)

func (s *statement) token(last item.JSON) string {
	token := append(s.sum(), last...)
	return base64.URLEncoding.EncodeToString(append(token, tokenSum(string(token))...))
}

// readToken returns the key in a token.
func (s *statement) readToken(token string) (item.Item, error) {
	text, err := base64.URLEncoding.DecodeString(token)
	end := len(text) - tokenSumBytes
	if err != nil || end < tokenSumBytes ||
		string(tokenSum(string(text[:end]))) != string(text[end:]) {
		return "", errNextToken
	}
	if string(s.sum()) != string(text[:tokenSumBytes]) || s.neverResumes() {
		return "", errNextTokenOther
	}
	scanner := jsontext.NewScanner(string(text[tokenSumBytes:end]))
	a, err := item.ParseAttributes(&scanner)
	if err != nil || a.Invalid != nil || a.Item == "" {
		return "", errNextToken
	}
	return a.Item, nil
}

// neverResumes reports whether a parameter is a list or a map, with which no token is taken back
// (service facts F.38).
func (s *statement) neverResumes() bool {
	return slices.ContainsFunc(s.params, func(v item.Value) bool {
		return v.Type() == item.L || v.Type() == item.M
	})
}

// sum returns the checksum of the statement as it is written, and its parameters (service facts
// F.37).
func (s *statement) sum() []byte {
	var parts strings.Builder
	parts.WriteString(s.text)
	for _, p := range s.params {
		parts.WriteByte(0)
		parts.WriteString(string(p))
	}
	return tokenSum(parts.String())
}

func tokenSum(text string) []byte {
	sum := sha256.Sum256([]byte(text))
	return sum[:tokenSumBytes]
}
