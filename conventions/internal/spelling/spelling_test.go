package spelling

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestHint(t *testing.T) {
	known := []string{"items", "name", "equal", "returned", "of"}
	for _, c := range []struct{ name, want string }{
		{"itms", "; did you mean items?"},
		{"Items", "; did you mean items?"},
		{"euqal", "; did you mean equal?"},
		{"retruned", "; did you mean returned?"},
		{"key", ""},
		{"", ""},
		{strings.Repeat("name", 1000), ""},
	} {
		t.Run(c.name[:min(len(c.name), 20)], func(t *testing.T) {
			assert.Equal(t, c.want, Hint(c.name, known))
		})
	}
}
