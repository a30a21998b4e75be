package replication

import (
	"time"

	"github.com/kugiri-db/kugiri/emulator/fault"
	"github.com/kugiri-db/kugiri/storage"
)

// linkFaults are the faults that hold back changes on their way to a peer.
type linkFaults struct {
	table     string
	injectors []*fault.Injector
}

// faults returns the faults of the link, which begins in a region.
func (l *Link) faults(from string) linkFaults {
	f := linkFaults{table: l.Table}
	if l.Forced {
		return f
	}
	to := OwnerOf(l.Peer).Region
	for _, in := range l.Injectors {
		do := &in.Fault.Do
		if do.Kind.Replicates() && (do.Region == "" || do.Region == from || do.Region == to) {
			f.injectors = append(f.injectors, in)
		}
	}
	return f
}

// due returns when a change is due. free is false if it cannot be delivered at all for now.
func (f *linkFaults) due(out *storage.Outgoing, lag time.Duration) (due time.Time, free bool) {
	due = out.At.Add(lag)
	if len(f.injectors) == 0 {
		return due, true
	}
	r := &fault.Request{Targets: []fault.Target{{Table: f.table, Write: true, Item: out.Keys}}}
	for _, in := range f.injectors {
		if in.Match(r) == nil {
			continue
		}
		in.Hit("", f.table)
		if in.Fault.Do.Kind == fault.KindPartitionRegion {
			return due, false
		}
		due = due.Add(in.Fault.Do.Delay)
	}
	return due, true
}
