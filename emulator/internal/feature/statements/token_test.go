package statements

import (
	"testing"

	"github.com/kugiri-db/kugiri/conventions/api"
	"github.com/kugiri-db/kugiri/emulator/internal/serve"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestTokensAreOfTheirStatement(t *testing.T) {
	c := &serve.Call{Service: new(serve.Service)}
	parse := func(text string) *statement {
		s, err := newStatement(c, api.Ref(api.PartiQLStatement(text)), nil)
		require.NoError(t, err)
		return s
	}
	const text = `SELECT * FROM plain WHERE pk = 'a'`
	token := parse(text).token(`{"pk":{"S":"a"}}`)
	key, err := parse(text).readToken(token)
	assert.NoError(t, err)
	assert.Equal(t, `{"pk":{"S":"a"}}`, string(key.JSON()))
	for _, k := range []struct {
		name, statement, token string
		want                   error
	}{
		{"of another statement", `SELECT * FROM plain WHERE pk = 'b'`, token, errNextTokenOther},
		{"changed", text, "A" + token[1:], errNextToken},
		{"cut", text, token[:len(token)-8], errNextToken},
		{"short", text, "AAAA", errNextToken},
		{"no base64", text, "!", errNextToken},
		{"empty", text, "", errNextToken},
	} {
		t.Run(k.name, func(t *testing.T) {
			_, err := parse(k.statement).readToken(k.token)
			assert.Equal(t, k.want, err)
		})
	}
}
