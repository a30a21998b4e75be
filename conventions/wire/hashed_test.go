package wire

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestHashed: lists that the service has printed (ack-api-quirks, DDB-TABLE-127; users of AWS
// CloudFormation).
func TestHashed(t *testing.T) {
	for _, c := range []struct {
		given, want string
		least       int
	}{
		{"", "", 2},
		{"pk sk", "sk pk", 2},
		{"a b", "a b", 2},
		{"my-string my-int my-hash", "my-string my-int my-hash", 2},
		{"my-hash my-int my-string", "my-int my-string my-hash", 2},
		{"ProductId ProductName ProductDescription CreatedTime", "ProductId ProductDescription CreatedTime ProductName", 2},
		{"ProductId ProductName CreatedTime ProductDescription", "ProductId CreatedTime ProductDescription ProductName", 2},
		{"pk sk a b c", "sk a b pk c", 2},
		{"pk sk a", "a sk pk", 16},
		{"ProductId CreatedTime ProductName", "CreatedTime ProductName ProductId", 16},
		{"my-string my-hash", "my-hash my-string", 16},
	} {
		given := strings.Fields(c.given)
		assert.Equal(t, strings.Fields(c.want), Hashed(given, c.least), c.given)
		assert.Equal(t, strings.Fields(c.given), given, "the list itself stays")
	}
}
