package conformance

import (
	"testing"

	"github.com/kugiri-db/kugiri/conformance/facts"
)

// TestOrderOfJudgement holds the table of layers against the service: of two faults it reports that
// of the earlier layer.
func TestOrderOfJudgement(t *testing.T) {
	t.Parallel()
	for i := range facts.JudgedOperations {
		j := &facts.JudgedOperations[i]
		var cases []kase
		for at, first := range j.Faults {
			in, _ := j.With(first)
			cases = append(cases, kase{name: first.Layer, in: in, raw: true, err: first.Error})
			for _, later := range j.Faults[at+1:] {
				if in, ok := j.With(first, later); ok {
					cases = append(cases, kase{name: first.Layer + " before " + later.Layer,
						in: in, raw: true, err: first.Error})
				}
			}
		}
		t.Run(j.Operation, func(t *testing.T) {
			run(t, defaults{src: "service facts 0.2", op: j.Operation}, cases)
		})
	}
}
