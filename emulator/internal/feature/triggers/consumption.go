package triggers

import (
	"cmp"
	"context"
	"slices"

	"github.com/kugiri-db/kugiri/emulator/internal/serve"
	"github.com/kugiri-db/kugiri/emulator/trigger"
	"github.com/kugiri-db/kugiri/storage"
)

// Consumption hands out the batches of a trigger to who calls its function himself. It must not be
// used concurrently, and its trigger must not be one of Add.
type Consumption struct {
	reader  *streamReader
	pollers []*poller // the pollers of the last Waiting
}

// Place is where a batch comes from: a shard, and a part of it.
type Place struct {
	Table string
	Shard uint64
	Part  int
}

// NewConsumption returns the consumption of an account's records. In a fork it begins with the
// fork's own changes, and elsewhere with the oldest record.
func NewConsumption(s *serve.Service, a *serve.Account, t *trigger.Trigger) *Consumption {
	return &Consumption{reader: &streamReader{
		triggers: &Triggers{service: s, mappings: []*trigger.Trigger{t}}, store: a.Store,
		ctx: context.Background(), cancel: func() {},
	}}
}

// HasStream reports whether the trigger's table has a stream now.
func (c *Consumption) HasStream() (has bool) {
	r := c.reader
	key, _ := r.triggers.service.Namespaces.Showing(r.store)
	owner := ownerOf(r.triggers.service, key)
	r.store.View(func(tx *storage.Tx) error {
		has = slices.ContainsFunc(tx.Streams().All(), func(s *storage.Stream) bool {
			return s.Ended().IsZero() && reads(r.triggers.mappings[0], s, owner)
		})
		return nil
	})
	return has
}

// Waiting returns the places that have records for the function, sorted. That of a shard waits for
// those of its parent. Waiting goes on after records that the filters pass over.
func (c *Consumption) Waiting() (list []Place, err error) {
	c.pollers = c.pollers[:0]
	for _, po := range c.reader.waiting() {
		b, until, err := po.collect()
		switch {
		case err != nil:
			return nil, err
		case len(b.Records) > 0:
			c.pollers = append(c.pollers, po)
		case until > 0:
			if err := po.advance(until); err != nil {
				return nil, err
			}
		}
	}
	slices.SortFunc(c.pollers, func(a, b *poller) int {
		return cmp.Or(cmp.Compare(a.table, b.table), cmp.Compare(a.shard, b.shard), a.part-b.part)
	})
	for _, po := range c.pollers {
		list = append(list, Place{po.table, po.shard, po.part})
	}
	return list, nil
}

// Take returns the next batch of a place that the last Waiting has returned, and goes on after it.
func (c *Consumption) Take(p Place) (trigger.Batch, error) {
	for _, po := range c.pollers {
		if (Place{po.table, po.shard, po.part}) != p {
			continue
		}
		b, until, err := po.collect()
		if err == nil && until > 0 {
			err = po.advance(until)
		}
		return b.Batch, err
	}
	return trigger.Batch{}, nil
}
