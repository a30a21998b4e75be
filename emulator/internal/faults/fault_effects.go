package faults

import (
	"github.com/kugiri-db/kugiri/emulator/fault"
)

// AppliedFaults holds the effects of faults on a request while its operation runs.
type AppliedFaults struct {
	Lost    bool    // the answer is not sent
	Refused []error // errors by entry of a batch, nil for those that are not refused; nil: none is
	Stale   *PastReads
	Lagging *PastReads
	Records int // the most that GetRecords returns
	Recall  *fault.Injector
}

// Refusal returns the error of entry i of a batch, or nil if no fault refuses it.
func (f *AppliedFaults) Refusal(i int) error {
	if f == nil || f.Refused == nil {
		return nil
	}
	return f.Refused[i]
}
