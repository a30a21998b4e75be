package emulator

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

// faults returns the faults of the link.
func (l *link) faults() (f linkFaults) {
	active := l.emulator.faults.active.Load()
	if active == nil || l.forced {
		return f
	}
	to, from := regionOf(l.peer), l.fromRegion()
	f.table = l.table
	for _, in := range active.injectors {
		do := &in.Fault.Do
		if !do.Kind.Replicates() || do.Region != "" && do.Region != from && do.Region != to {
			continue
		}
		f.injectors = append(f.injectors, in)
	}
	return f
}

// fromRegion returns the region of the replica that made the changes.
func (l *link) fromRegion() (region string) {
	l.from.store.View(func(tx *storage.Tx) error { // which cannot fail
		if t := tx.Table(l.table); t != nil {
			region = regionOf(tx.ReplicaName(t))
		}
		return nil
	})
	return region
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
