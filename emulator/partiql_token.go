package emulator

import (
	"crypto/sha256"
	"encoding/base64"
	"strings"

	"github.com/kugiri-db/kugiri/storage/item"
	"github.com/kugiri-db/kugiri/storage/item/jsontext"
)

// A NextToken is the key of the item after which a SELECT goes on, and a sum over
// it and the statement with its parameters: it is of use to no other.

const tokenSumBytes = 16

var errNextToken = invalid("Invalid NextToken specified for the statement")

func (s *statement) token(last item.JSON) string {
	return base64.URLEncoding.EncodeToString(append(s.tokenSum(string(last)), last...))
}

// readToken returns the key in a token.
func (s *statement) readToken(token string) (item.Item, error) {
	text, err := base64.URLEncoding.DecodeString(token)
	if err != nil || len(text) < tokenSumBytes {
		return "", errNextToken
	}
	key := string(text[tokenSumBytes:])
	if string(s.tokenSum(key)) != string(text[:tokenSumBytes]) {
		return "", errNextToken
	}
	scanner := jsontext.NewScanner(key)
	a, err := item.ParseAttributes(&scanner)
	if err != nil || a.Invalid != nil || a.Item == "" {
		return "", errNextToken
	}
	return a.Item, nil
}

func (s *statement) tokenSum(key string) []byte {
	var parts strings.Builder
	parts.WriteString(s.Statement.String())
	for _, p := range s.params {
		parts.WriteByte(0)
		parts.WriteString(string(p))
	}
	parts.WriteByte(0)
	parts.WriteString(key)
	sum := sha256.Sum256([]byte(parts.String()))
	return sum[:tokenSumBytes]
}
