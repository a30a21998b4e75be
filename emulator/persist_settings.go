package emulator

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/kugiri-db/kugiri/emulator/internal/api"
	"github.com/kugiri-db/kugiri/storage"
)

// settingsVersion is that of the records below. A change that adds a member whose
// zero value is what there was before does not need another: who does not know a
// member refuses the record.
const settingsVersion = 1

// settingsRecord is tableSettings as a journal keeps it, as JSON with these names, which must stay.
type settingsRecord struct {
	Version     int
	Definitions []api.AttributeDefinition
	Billing     billingRecord
	Capacity    capacityRecord
	Indexes     []indexSettingsRecord `json:",omitempty"`
	Stream      streamRecord
	TTL         ttlRecord
	Encryption  encryptionRecord
	Class       classRecord
	Tags        []api.Tag `json:",omitempty"`
	Protected   bool
	State       transitionRecord
}

type billingRecord struct {
	Mode     api.BillingMode
	OnDemand storage.Instant
	Pending  bool
}

type capacityRecord struct {
	Provisioned provisionedRecord
	OnDemand    *unitsRecord `json:",omitempty"`
	Warm        warmRecord
}

type provisionedRecord struct {
	Units        unitsRecord
	Before       *unitsRecord `json:",omitempty"`
	LastIncrease storage.Instant
	LastDecrease storage.Instant
	Decreases    int64
}

type unitsRecord struct{ Read, Write int64 }

type warmRecord struct {
	Units, Before unitsRecord
	State         transitionRecord
}

type indexSettingsRecord struct {
	Name     string
	Capacity capacityRecord
	State    transitionRecord
	Online   bool
	Backfill storage.Instant
	Gone     *storage.IndexRecord `json:",omitempty"`
	Stats    storage.Stats
}

type streamRecord struct {
	Enabled bool
	View    api.StreamViewType
	Label   string
}

type ttlRecord struct {
	Enabled   bool
	Attribute string
	Changed   storage.Instant
	State     transitionRecord
}

type encryptionRecord struct {
	Key, Before string
	State       transitionRecord
}

type classRecord struct {
	Class   api.TableClass
	Changed storage.Instant
}

type transitionRecord struct {
	Status string
	Until  storage.Instant
}

// settingsCodec is storage's Codec of tableSettings.
type settingsCodec struct{}

// Encode implements storage.Codec.
func (settingsCodec) Encode(settings storage.Settings) []byte {
	s, ok := settings.(*tableSettings)
	if !ok {
		s = noSettings
	}
	r := settingsRecord{
		Version:     settingsVersion,
		Definitions: s.definitions,
		Billing:     billingRecord{s.billing.mode, storage.InstantOf(s.billing.onDemand), s.billing.pending},
		Capacity:    recordCapacity(&s.capacity),
		Stream:      streamRecord{s.stream.enabled, s.stream.view, s.stream.label},
		TTL:         ttlRecord{s.ttl.enabled, s.ttl.attribute, storage.InstantOf(s.ttl.changed), recordTransition(s.ttl.state)},
		Encryption:  encryptionRecord{s.encryption.key, s.encryption.before, recordTransition(s.encryption.state)},
		Class:       classRecord{s.class.class, storage.InstantOf(s.class.changed)},
		Tags:        s.tags,
		Protected:   s.protected,
		State:       recordTransition(s.state),
	}
	for i := range s.indexes {
		r.Indexes = append(r.Indexes, recordIndexSettings(&s.indexes[i]))
	}
	b, err := json.Marshal(&r)
	if err != nil {
		panic(err) // there is nothing in it that has no JSON
	}
	return b
}

// Decode implements storage.Codec.
func (settingsCodec) Decode(text []byte) (storage.Settings, error) {
	var r settingsRecord
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(&r); err != nil {
		return nil, fmt.Errorf("a table's settings: %w", err)
	}
	if r.Version < 1 || r.Version > settingsVersion {
		return nil, fmt.Errorf("a table's settings are in version %d; this program knows versions up to %d", r.Version, settingsVersion)
	}
	s := &tableSettings{
		definitions: r.Definitions,
		billing:     billing{r.Billing.Mode, r.Billing.OnDemand.Time(), r.Billing.Pending},
		capacity:    r.Capacity.capacity(),
		stream:      streamSettings{r.Stream.Enabled, r.Stream.View, r.Stream.Label},
		ttl:         timeToLive{r.TTL.Enabled, r.TTL.Attribute, r.TTL.Changed.Time(), r.TTL.State.transition()},
		encryption:  encryption{r.Encryption.Key, r.Encryption.Before, r.Encryption.State.transition()},
		class:       tableClass{r.Class.Class, r.Class.Changed.Time()},
		tags:        r.Tags,
		protected:   r.Protected,
		state:       r.State.transition(),
	}
	for i := range r.Indexes {
		ix, err := r.Indexes[i].settings()
		if err != nil {
			return nil, err
		}
		s.indexes = append(s.indexes, ix)
	}
	return s, nil
}

func recordTransition(t transition) transitionRecord {
	return transitionRecord{t.status, storage.InstantOf(t.until)}
}

func (r transitionRecord) transition() transition { return transition{r.Status, r.Until.Time()} }

func recordUnits(u *units) *unitsRecord {
	if u == nil {
		return nil
	}
	return &unitsRecord{u.read, u.write}
}

func (r *unitsRecord) units() *units {
	if r == nil {
		return nil
	}
	return &units{r.Read, r.Write}
}

func recordCapacity(c *capacity) capacityRecord {
	p := &c.provisioned
	return capacityRecord{
		Provisioned: provisionedRecord{*recordUnits(&p.units), recordUnits(p.before), storage.InstantOf(p.lastIncrease), storage.InstantOf(p.lastDecrease), p.decreases},
		OnDemand:    recordUnits(c.onDemand.units),
		Warm:        warmRecord{*recordUnits(&c.warm.units), *recordUnits(&c.warm.before), recordTransition(c.warm.state)},
	}
}

func (r *capacityRecord) capacity() capacity {
	p := &r.Provisioned
	return capacity{
		provisioned: provisioned{*p.Units.units(), p.Before.units(), p.LastIncrease.Time(), p.LastDecrease.Time(), p.Decreases},
		onDemand:    onDemand{r.OnDemand.units()},
		warm:        warm{*r.Warm.Units.units(), *r.Warm.Before.units(), r.Warm.State.transition()},
	}
}

func recordIndexSettings(ix *indexSettings) indexSettingsRecord {
	r := indexSettingsRecord{ix.name, recordCapacity(&ix.capacity), recordTransition(ix.state), ix.online, storage.InstantOf(ix.backfill), nil, ix.stats}
	if ix.gone != nil {
		gone := storage.RecordIndex(*ix.gone)
		r.Gone = &gone
	}
	return r
}

func (r *indexSettingsRecord) settings() (indexSettings, error) {
	ix := indexSettings{r.Name, r.Capacity.capacity(), r.State.transition(), r.Online, r.Backfill.Time(), nil, r.Stats}
	if r.Gone == nil {
		return ix, nil
	}
	gone, err := r.Gone.Schema()
	ix.gone = &gone
	return ix, err
}
