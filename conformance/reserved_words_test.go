package conformance

import (
	_ "embed"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// reservedWords is the list of the Developer Guide, "Reserved words in DynamoDB".
//
//go:embed testdata/reserved_words.txt
var reservedWords string

// TestReservedWords checks each reserved word, and names that resemble reserved words.
func TestReservedWords(t *testing.T) {
	t.Parallel()
	// Words of the grammar may be a syntax error where a name is expected.
	const grammar = " ADD AND BETWEEN DELETE IN NOT OR REMOVE SET "
	words := strings.Fields(reservedWords)
	require.Len(t, words, 573)
	var cases []kase
	for i, word := range words {
		spelt := word
		if i%2 == 0 {
			spelt = strings.ToLower(word)
		}
		k := kase{name: spelt,
			in:  `{"Key":{"pk":{"S":"reserved"}},"ProjectionExpression":"` + spelt + `"}`,
			err: "ValidationException: Invalid ProjectionExpression: Attribute name is a reserved keyword; reserved keyword: " + spelt}
		if strings.Contains(grammar, " "+word+" ") {
			k.err += ` || ValidationException: Invalid ProjectionExpression: Syntax error; token: "` + spelt + `"*`
		}
		cases = append(cases, k)
	}
	for _, word := range strings.Fields(
		"id email message code version password target period title price sk pk created updated address country remove_ attributes groups xSTATUS SIZES sizes names_") {
		cases = append(cases,
			kase{name: "not " + word,
				in:   `{"Key":{"pk":{"S":"reserved"}},"ProjectionExpression":"` + word + `"}`,
				want: `{}`})
	}
	run(t, defaults{
		src: "Developer Guide, Reserved words in DynamoDB", table: "hash", op: "GetItem",
	}, cases)
}
