package kinesis

import (
	"slices"

	"github.com/kugiri-db/kugiri/emulator/fault"
	"github.com/kugiri-db/kugiri/storage"
)

// recordFate says what faults do to the record of a change on its way to a Kinesis stream.
type recordFate struct {
	twice bool // it is sent twice
	late  bool // it is sent after the next record that is not late
}

// recordFaults returns the faults that apply to records.
func (c *sender) recordFaults() (list []*fault.Injector) {
	active := c.senders.service.Faults.Active.Load()
	if active == nil {
		return nil
	}
	for _, in := range active.Injectors {
		if in.Fault.Do.Kind.Sends() {
			list = append(list, in)
		}
	}
	return list
}

// fateOf returns the fate of a change, which is decided once.
func (c *sender) fateOf(o *storage.Outbox, ch *storage.Change,
	faults []*fault.Injector) recordFate {
	if fate, decided := c.fates[ch.Seq]; decided {
		fate.late = fate.late && slices.ContainsFunc(faults, disorders)
		return fate
	}
	stream, _ := destinationOf(o)
	r := &fault.Request{
		Targets: []fault.Target{
			{Table: o.Table, Write: true, Item: ch.Keys, KinesisStream: stream},
		},
	}
	var fate recordFate
	for _, in := range faults {
		if in.Match(r) == nil {
			continue
		}
		in.Hit("", o.Table)
		switch in.Fault.Do.Kind {
		case fault.KindDuplicateKinesisRecord:
			fate.twice = true
		case fault.KindDisorderKinesisRecord:
			fate.late = true
		}
	}
	if c.fates == nil {
		c.fates = map[uint64]recordFate{}
	}
	c.fates[ch.Seq] = fate
	return fate
}

func disorders(in *fault.Injector) bool {
	return in.Fault.Do.Kind == fault.KindDisorderKinesisRecord
}

// forget forgets the fates of changes that are sent.
func (c *sender) forget(last uint64) {
	for seq := range c.fates {
		if seq <= last {
			delete(c.fates, seq)
		}
	}
}

// Nudge has all senders look again, because faults have changed.
func (cs *Senders) Nudge() {
	cs.mu.Lock()
	defer cs.mu.Unlock()
	for _, c := range cs.running {
		c.nudge()
	}
}

// nudge ends the wait of a sender that has only late records.
func (c *sender) nudge() {
	select {
	case c.news <- struct{}{}:
	default: // it has not seen the last one yet
	}
}
