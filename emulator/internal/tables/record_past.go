package tables

import (
	"github.com/kugiri-db/kugiri/conventions/api"
	"github.com/kugiri-db/kugiri/storage"
)

type pastRecord struct {
	Classes    []storage.Instant `json:",omitempty"`
	Encryption *windowRecord     `json:",omitempty"`
	Protection storage.Instant
	Tagged     storage.Instant
	Tags       []api.Tag `json:",omitempty"`
	Untagged   []api.Tag `json:",omitempty"`
}

type windowRecord struct {
	From, Last storage.Instant
	Changes    int64
}

func recordPast(p *Past) *pastRecord {
	if p.Classes == nil && p.Encryption == (Window{}) && p.Protection.IsZero() &&
		p.Tagged.IsZero() {
		return nil
	}
	r := &pastRecord{
		Protection: storage.InstantOf(p.Protection), Tagged: storage.InstantOf(p.Tagged),
		Tags: p.Tags, Untagged: p.Untagged,
	}
	for _, at := range p.Classes {
		r.Classes = append(r.Classes, storage.InstantOf(at))
	}
	if w := &p.Encryption; w.Changes > 0 {
		r.Encryption = &windowRecord{
			storage.InstantOf(w.From), storage.InstantOf(w.Last), w.Changes,
		}
	}
	return r
}

func (r *pastRecord) past() (p Past) {
	if r == nil {
		return p
	}
	p = Past{Protection: r.Protection.Time(), Tagged: r.Tagged.Time(), Tags: r.Tags,
		Untagged: r.Untagged}
	for _, at := range r.Classes {
		p.Classes = append(p.Classes, at.Time())
	}
	if w := r.Encryption; w != nil {
		p.Encryption = Window{w.From.Time(), w.Last.Time(), w.Changes}
	}
	return p
}
