package emulator

import (
	"github.com/kugiri-db/kugiri/emulator/fault"
)

// appliedFaults holds the effects of faults on a request while its operation runs.
type appliedFaults struct {
	lost    bool    // the answer is not sent
	refused []error // by entry of a batch, nil for those that are not refused; nil: none is
	stale   *pastReads
	lagging *pastReads
	records int // the most that GetRecords returns
	recall  *fault.Injector
}

// refusal returns the error of entry i of a batch, or nil if no fault refuses it.
func (f *appliedFaults) refusal(i int) error {
	if f == nil || f.refused == nil {
		return nil
	}
	return f.refused[i]
}
