package emulatortest_test

import (
	"net"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/emulator/dax"
	"github.com/kugiri-db/kugiri/emulator/emulatortest"
)

// TestStartDAX: the accelerator listens until the test ends. Its clients are tested in emulator/dax
// and in conformance/clients/dax.
func TestStartDAX(t *testing.T) {
	var addr string
	t.Run("test", func(t *testing.T) {
		a := emulatortest.Start(t).StartDAX(t, func(c *dax.Config) { c.Nodes = 2 })
		var ok bool
		addr, ok = strings.CutPrefix(a.URL, "dax://127.0.0.1:")
		require.True(t, ok, a.URL)
		conn, err := net.Dial("tcp", "127.0.0.1:"+addr)
		require.NoError(t, err)
		require.NoError(t, conn.Close())
		assert.NoError(t, a.FailNode(1))
	})
	_, err := net.Dial("tcp", "127.0.0.1:"+addr)
	assert.Error(t, err)
	failing := new(exampleTest)
	defer failing.end()
	assert.PanicsWithValue(t,
		"emulatortest: no accelerator: 0 nodes: a cluster has 1 to 11", func() {
			emulatortest.Start(failing).StartDAX(failing, func(c *dax.Config) { c.Nodes = 0 })
		})
}
