package servecmd

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestMayGiveBack(t *testing.T) {
	const load, little = garbageBytes, restBytes - 1
	for _, c := range []struct {
		name  string
		steps []uint64 // bytes allocated in each step
		want  []bool
	}{
		{"nothing happens", []uint64{0, 0, 0}, []bool{false, false, false}},
		{"load, then rest", []uint64{load, 0, 0}, []bool{false, true, false}},
		{"load that goes on", []uint64{load, load, load}, []bool{false, false, false}},
		{"load again after a rest", []uint64{load, little, load, little},
			[]bool{false, true, false, true}},
		{"little load", []uint64{garbageBytes - 1, 0, 1}, []bool{false, false, true}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var a allocations
			var total uint64
			var got []bool
			for _, bytes := range c.steps {
				total += bytes
				got = append(got, a.mayGiveBack(total))
			}
			assert.Equal(t, c.want, got)
		})
	}
}
