package policy

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestIsNewer(t *testing.T) {
	for _, c := range []struct{ name, older, newer string }{
		{"numbers", "9", "10"},
		{"numbers with zeros in front", "009", "10"},
		{"numbers after text", "v9", "v10"},
		{"numbers of several parts", "1.9.10", "1.10.9"},
		{"the first part that differs", "2.9", "10.1"},
		{"days", "2024-01-31", "2024-02-01"},
		{"numbers of thirty digits", "999999999999999999999999999999",
			"1000000000000000000000000000000"},
		{"ULIDs", "01HX7MBJK3V9WQBZ7XNDK5ZT2M", "01HX8MBJK3V9WQBZ7XNDK5ZT2A"},
		{"times", "2024-01-15T10:30:00Z", "2024-01-15T10:30:00.5Z"},
	} {
		t.Run(c.name, func(t *testing.T) {
			assert.True(t, isNewer(c.newer, c.older))
			assert.False(t, isNewer(c.older, c.newer))
			assert.False(t, isNewer(c.newer, c.newer))
		})
	}
	for _, c := range []struct{ name, a, b string }{
		{"words", "blue", "green"},
		{"a word and a number", "v", "v1"},
		{"numbers after different texts", "v1", "w2"},
		{"different texts after numbers", "1a", "2b"},
		{"more parts", "1.0", "1.0.1"},
		{"random ids", "f47ac10b-58cc-4372-a567-0e02b2c3d479",
			"9b2e4f10-1c2d-4e5f-8a9b-0c1d2e3f4a5b"},
		{"the same number", "01", "1"},
	} {
		t.Run(c.name+" have no order", func(t *testing.T) {
			assert.False(t, isNewer(c.a, c.b))
			assert.False(t, isNewer(c.b, c.a))
		})
	}
}
