package conventions_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/kugiri-db/kugiri/conventions"
	_ "github.com/kugiri-db/kugiri/storage/rapidseed" // fixes the seed
)

func TestEscape(t *testing.T) {
	assert.Equal(t, "bob%40example.com", conventions.Escape("bob@example.com"))
	assert.Equal(t, "100%25%23a", conventions.Escape("100%#a"))
	_, err := conventions.Unescape("100%")
	require.ErrorContains(t, err, `"100%" is not escaped`)
	rapid.Check(t, func(t *rapid.T) {
		value := rapid.StringN(1, -1, 200).Draw(t, "value")
		escaped := conventions.Escape(value)
		assert.NotContains(t, escaped, "@")
		assert.NotContains(t, escaped, "#")
		back, err := conventions.Unescape(escaped)
		require.NoError(t, err)
		assert.Equal(t, value, back)
	})
}
