package design

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestPerSecond writes rates without an exponent, however low.
func TestPerSecond(t *testing.T) {
	for _, c := range []struct {
		rate        float64
		text, three string
	}{
		{0, "0", "0"}, {0.00002, "0.00002", "0.00002"}, {0.001234, "0.0012", "0.00123"},
		{0.1, "0.1", "0.1"}, {16.666, "16.7", "16.7"}, {1000, "1,000.0", "1000"},
	} {
		assert.Equal(t, c.three, plain(c.rate, 3))
		assert.Equal(t, c.text, perSecond(c.rate))
	}
}
