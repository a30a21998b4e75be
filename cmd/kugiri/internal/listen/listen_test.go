package listen

import (
	"net"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestReachable(t *testing.T) {
	for address, want := range map[string]string{
		"[::]:8000": "127.0.0.1:8000", "0.0.0.0:1": "127.0.0.1:1", "10.0.0.1:2": "10.0.0.1:2",
		"[::1]:3": "[::1]:3",
	} {
		a, err := net.ResolveTCPAddr("tcp", address)
		require.NoError(t, err)
		assert.Equal(t, want, Reachable(a))
	}
}
