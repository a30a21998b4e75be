package cli

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestClosest(t *testing.T) {
	words := []string{"export", "import", "tables", "lint", "policy", "serve"}
	for _, c := range []struct{ name, typed, want string }{
		{"a letter too many", "exportt", "export"},
		{"a letter too few", "tabes", "tables"},
		{"another letter", "implrt", "import"},
		{"swapped letters", "tabels", "tables"},
		{"the beginning", "pol", "policy"},
		{"a word itself", "lint", "lint"},
		{"nothing like it", "dance", ""},
		{"nothing", "", ""},
	} {
		t.Run(c.name, func(t *testing.T) { assert.Equal(t, c.want, closest(c.typed, words)) })
	}
}
