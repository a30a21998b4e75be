//go:build go1.25

package zoo

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/kugiri-db/kugiri/emulator/explore"
)

// specimen is a program in a broken and a mended form.
type specimen struct {
	name           string
	broken, mended func(*explore.X)
	options        []explore.Option

	// What the search finds: the kind of failure, and how few switches between workers and faults
	// it takes.
	kind             string
	switches, faults int
}

var specimens = slices.Concat(counters, conditions, documents, failures, protocols,
	versions, caches, consumers, otherReads, clocks, between)

func TestZoo(t *testing.T) {
	for _, s := range specimens {
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			report := explore.Search(t, newTable, s.broken, s.options...)
			if assert.Len(t, report.Failures, 1, "the broken form") {
				f := report.Failures[0]
				assert.Equal(t, s.kind, f.Kind, "%s", f)
				assert.Equal(t, s.switches, f.Switches, "switches: %s", f)
				assert.Equal(t, s.faults, f.Faults, "faults: %s", f)
			}
			t.Log("broken:", report.Runs, "runs; mended:")
			assert.True(t, explore.Run(t, newTable, s.mended, s.options...).Complete)
		})
	}
}
