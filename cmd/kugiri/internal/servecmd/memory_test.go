package servecmd

import (
	"math"
	"os"
	"path/filepath"
	"runtime/debug"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestMemoryLimit(t *testing.T) {
	before := debug.SetMemoryLimit(-1)
	t.Cleanup(func() { debug.SetMemoryLimit(before) })
	for _, c := range []struct {
		name, text string
		want       int64
		fails      bool
	}{
		{"none", "0", math.MaxInt64, false},
		{"a number", "1000000000", 800_000_000, false},
		{"a word", "lots", 0, true},
		{"less than nothing", "-1", 0, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			var m memoryLimit
			err := m.Set(c.text)
			if c.fails {
				assert.ErrorContains(t, err, "want a number of bytes")
				return
			}
			require.NoError(t, err)
			assert.Equal(t, c.want, m.apply())
		})
	}
}

func TestCgroupLimit(t *testing.T) {
	for _, c := range []struct {
		name, file, text string
		want             int64
		fails            string
	}{
		{"version 2", "memory.max", "536870912\n", 512 << 20, ""},
		{"version 2 without a limit", "memory.max", "max\n", 0, ""},
		{"version 1", "memory/memory.limit_in_bytes", "536870912\n", 512 << 20, ""},
		{"version 1 without a limit", "memory/memory.limit_in_bytes", "9223372036854771712\n", 0,
			""},
		{"something else", "memory.max", "x\n", 0, "is no number of bytes"},
		{"none", "other", "", 0, "no control groups"},
	} {
		t.Run(c.name, func(t *testing.T) {
			root := t.TempDir()
			file := filepath.Join(root, c.file)
			require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o700))
			require.NoError(t, os.WriteFile(file, []byte(c.text), 0o600))
			got, err := cgroupLimit(root)
			if c.fails != "" {
				assert.ErrorContains(t, err, c.fails)
				return
			}
			require.NoError(t, err)
			assert.Equal(t, c.want, got)
		})
	}
}
