package budget

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
)

func TestExcerpt(t *testing.T) {
	a, b := strings.Repeat("a", shownText), strings.Repeat("b", shownText)
	for _, c := range []struct{ name, text, want string }{
		{"nothing", "", ""},
		{"as long as it may be", strings.Repeat("x", maxText), strings.Repeat("x", maxText)},
		{"longer", a + strings.Repeat("x", 1000) + b, a + " ... (1000 bytes) ... " + b},
		{"characters of several bytes", "a" + strings.Repeat("\u00e9", 1000),
			"a" + strings.Repeat("\u00e9", 149) + " ... (1402 bytes) ... " +
				strings.Repeat("\u00e9", 150)},
	} {
		t.Run(c.name, func(t *testing.T) {
			assert.Equal(t, c.want, Excerpt(c.text))
			assert.True(t, utf8.ValidString(Excerpt(c.text)))
		})
	}
}

func TestBrief(t *testing.T) {
	assert.NoError(t, Brief(nil))
	short := errors.New("short")
	assert.Equal(t, short, Brief(short))
	long := Brief(fmt.Errorf("%s: %w", strings.Repeat("x", 10_000), short))
	assert.ErrorIs(t, long, short)
	assert.Less(t, len(long.Error()), maxText)
	assert.ErrorContains(t, long, ": short")
}
