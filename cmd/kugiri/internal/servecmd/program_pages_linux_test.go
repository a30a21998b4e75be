package servecmd

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestUnchangedPages(t *testing.T) {
	for _, c := range []struct {
		name, line string
		ok         bool
	}{
		{"code", "00400000-00dbb000 r-xp 00000000 fe:00 10111233                           /bin/kugiri", true},
		{"constants",
			"00dbb000-0180e000 r--p 009bb000 fe:00 10111233                           /bin/kugiri",
			true},
		{"variables",
			"0180e000-018ca000 rw-p 0140e000 fe:00 10111233                           /bin/kugiri",
			false},
		{"another file",
			"00400000-00dbb000 r-xp 00000000 fe:00 10111233                         /bin/xkugiri",
			false},
		{"the heap", "c000000000-c000800000 rw-p 00000000 00:00 0", false},
		{"the kernel's",
			"7ffd0b5f4000-7ffd0b5f6000 r-xp 00000000 00:00 0                          [vdso]",
			false},
	} {
		t.Run(c.name, func(t *testing.T) {
			from, to, ok := unchangedPages(c.line, "/bin/kugiri")
			assert.Equal(t, c.ok, ok)
			assert.Equal(t, c.ok, from < to && from != 0)
		})
	}
}

// TestGiveBackStartPages runs code again whose pages are given back.
func TestGiveBackStartPages(t *testing.T) {
	for range 3 {
		require.NoError(t, giveBackStartPages())
	}
}
