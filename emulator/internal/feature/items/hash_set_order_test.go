package items

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestHashSetOrder(t *testing.T) {
	for names, want := range map[string]string{
		"b a":                       "a, b",
		"zz aa mm":                  "zz, aa, mm",
		"m l k j i h g f e d c b a": "a, b, c, d, e, f, g, h, i, j, k, l, m",
		"p o q":                     "p, q, o",
	} {
		assert.Equal(t, want, hashSetOrder(strings.Fields(names)), names)
	}
}
