package tables

import (
	"bytes"
	"encoding/json"
	"fmt"
	"time"

	"github.com/kugiri-db/kugiri/conventions/api"
	"github.com/kugiri-db/kugiri/storage"
)

// settingsVersion is the version of the records below. A change that only adds a member whose zero
// value means the old behaviour keeps the version: a program that does not know a member refuses
// the record.
const settingsVersion = 1

// settingsRecord is Settings as a journal keeps it, as JSON with these names, which must stay.
type settingsRecord struct {
	Version     int
	Definitions []api.AttributeDefinition
	Billing     billingRecord
	Capacity    capacityRecord
	Indexes     []indexSettingsRecord  `json:",omitempty"`
	Vectors     []vectorSettingsRecord `json:",omitempty"`
	Stream      streamRecord
	TTL         ttlRecord
	Encryption  encryptionRecord
	Class       classRecord
	Tags        []api.Tag      `json:",omitempty"`
	StreamTags  []api.Tag      `json:",omitempty"`
	Policies    []policyRecord `json:",omitempty"`
	Protected   bool
	State       transitionRecord
	Changing    Change                                 `json:",omitempty"`
	Restored    *restoredRecord                        `json:",omitempty"`
	Scaling     []Scaling                              `json:",omitempty"`
	Global      *globalRecord                          `json:",omitempty"`
	Replicates  api.GlobalTableSettingsReplicationMode `json:",omitempty"`
	Kinesis     []destinationRecord                    `json:",omitempty"`
	Insights    *insightsRecord                        `json:",omitempty"`
	Past        *pastRecord                            `json:",omitempty"`
	// the backup, if the settings are those of a table that was backed up
	Backup *backupRecord `json:",omitempty"`
}

type restoredRecord struct {
	Backup, Source string
	At             storage.Instant
}

type backupRecord struct {
	Name    string
	Type    api.BackupType
	Created storage.Instant
	State   transitionRecord
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
	Insights *insightsRecord `json:",omitempty"`
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
	Turn        *storage.Instant `json:",omitempty"` // the new key shows from then on
	State       transitionRecord
}

// Codec is storage's Codec of Settings and of Backup.
type Codec struct{}

// Encode implements storage.Codec.
func (Codec) Encode(settings storage.Settings) []byte {
	var r settingsRecord
	if s, ok := settings.(*Backup); ok {
		r = recordSettings(s.Table)
		r.Backup = &backupRecord{s.Name, s.Type, storage.InstantOf(s.Created),
			recordTransition(s.State)}
	} else {
		r = recordSettings(settingsIn(settings))
	}
	b, err := json.Marshal(&r)
	if err != nil {
		panic(err) // every member has a JSON form
	}
	return b
}

func recordTurn(t time.Time) *storage.Instant {
	if t.IsZero() {
		return nil
	}
	i := storage.InstantOf(t)
	return &i
}

func timeOfTurn(i *storage.Instant) time.Time {
	if i == nil {
		return time.Time{}
	}
	return i.Time()
}

func recordSettings(s *Settings) settingsRecord {
	r := settingsRecord{
		Version:     settingsVersion,
		Definitions: s.Definitions,
		Billing: billingRecord{s.Billing.Mode, storage.InstantOf(s.Billing.OnDemand),
			s.Billing.Pending},
		Capacity: recordCapacity(&s.Capacity),
		Vectors:  recordVectors(s.Vectors),
		Stream:   streamRecord{s.Stream.Enabled, s.Stream.view, s.Stream.label},
		Kinesis:  recordDestinations(s.Kinesis),
		Insights: recordInsights(&s.Insights),
		TTL: ttlRecord{s.TTL.Enabled, s.TTL.Attribute, storage.InstantOf(s.TTL.Changed),
			recordTransition(s.TTL.State)},
		Encryption: encryptionRecord{s.Encryption.Key, s.Encryption.Before,
			recordTurn(s.Encryption.Turn), recordTransition(s.Encryption.State)},
		Class:      recordClass(s.Class),
		Tags:       s.Tags,
		StreamTags: s.StreamTags,
		Policies:   recordPolicies(s.Policies),
		Protected:  s.Protected,
		State:      recordTransition(s.State),
		Changing:   s.Changing,
		Scaling:    s.Scaling,
		Global:     recordGlobal(s.Global),
		Replicates: s.Replicates,
		Past:       recordPast(&s.Past),
	}
	for i := range s.Indexes {
		r.Indexes = append(r.Indexes, recordIndexSettings(&s.Indexes[i]))
	}
	if s.Restored != nil {
		r.Restored = &restoredRecord{s.Restored.Backup, s.Restored.Source,
			storage.InstantOf(s.Restored.At)}
	}
	return r
}

// Decode implements storage.Codec.
func (Codec) Decode(text []byte) (storage.Settings, error) {
	var r settingsRecord
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(&r); err != nil {
		return nil, fmt.Errorf("a table's settings: %w", err)
	}
	if r.Version < 1 || r.Version > settingsVersion {
		return nil, fmt.Errorf(
			"a table's settings are in version %d; this program knows versions up to %d", r.Version,
			settingsVersion)
	}
	s, err := r.settings()
	if err != nil || r.Backup == nil {
		return s, err
	}
	return &Backup{r.Backup.Name, r.Backup.Type, s, r.Backup.Created.Time(),
		r.Backup.State.transition()}, nil
}

func (r *settingsRecord) settings() (*Settings, error) {
	s := &Settings{
		Definitions: r.Definitions,
		Billing:     Billing{r.Billing.Mode, r.Billing.OnDemand.Time(), r.Billing.Pending},
		Capacity:    r.Capacity.capacity(),
		Stream:      streamSettings{r.Stream.Enabled, r.Stream.View, r.Stream.Label},
		Kinesis:     destinations(r.Kinesis),
		Insights:    r.Insights.insights(),
		TTL: TimeToLive{r.TTL.Enabled, r.TTL.Attribute, r.TTL.Changed.Time(),
			r.TTL.State.transition()},
		Encryption: encryption{r.Encryption.Key, r.Encryption.Before,
			timeOfTurn(r.Encryption.Turn), r.Encryption.State.transition()},
		Class:      r.Class.class(),
		Tags:       r.Tags,
		StreamTags: r.StreamTags,
		Protected:  r.Protected,
		State:      r.State.transition(),
		Changing:   r.Changing,
		Scaling:    r.Scaling,
		Global:     r.Global.global(),
		Replicates: r.Replicates,
		Past:       r.Past.past(),
	}
	var err error
	if s.Policies, err = policiesOf(r.Policies); err != nil {
		return nil, err
	}
	for i := range r.Indexes {
		ix, err := r.Indexes[i].settings()
		if err != nil {
			return nil, err
		}
		s.Indexes = append(s.Indexes, ix)
	}
	if s.Vectors, err = vectorsOf(r.Vectors); err != nil {
		return nil, err
	}
	if r.Restored != nil {
		s.Restored = &Restored{r.Restored.Backup, r.Restored.Source, r.Restored.At.Time()}
	}
	return s, nil
}

func recordUnits(u *Units) *unitsRecord {
	if u == nil {
		return nil
	}
	return &unitsRecord{u.Read, u.Write}
}

func (r *unitsRecord) units() *Units {
	if r == nil {
		return nil
	}
	return &Units{r.Read, r.Write}
}

func recordCapacity(c *Capacity) capacityRecord {
	p := &c.Provisioned
	return capacityRecord{
		Provisioned: provisionedRecord{*recordUnits(&p.Units), recordUnits(p.Before),
			storage.InstantOf(p.lastIncrease), storage.InstantOf(p.lastDecrease), p.decreases},
		OnDemand: recordUnits(c.OnDemand.Units),
		Warm: warmRecord{*recordUnits(&c.Warm.units), *recordUnits(&c.Warm.Before),
			recordTransition(c.Warm.State)},
	}
}

func (r *capacityRecord) capacity() Capacity {
	p := &r.Provisioned
	return Capacity{
		Provisioned: provisioned{*p.Units.units(), p.Before.units(), p.LastIncrease.Time(),
			p.LastDecrease.Time(), p.Decreases},
		OnDemand: OnDemand{r.OnDemand.units()},
		Warm:     warm{*r.Warm.Units.units(), *r.Warm.Before.units(), r.Warm.State.transition()},
	}
}

func recordIndexSettings(ix *IndexSettings) indexSettingsRecord {
	r := indexSettingsRecord{ix.Name, recordCapacity(&ix.Capacity), recordTransition(ix.State),
		ix.Online, storage.InstantOf(ix.Backfill), nil, ix.Stats, recordInsights(&ix.Insights)}
	if ix.Gone != nil {
		gone := storage.RecordIndex(*ix.Gone)
		r.Gone = &gone
	}
	return r
}

func (r *indexSettingsRecord) settings() (IndexSettings, error) {
	ix := IndexSettings{r.Name, r.Capacity.capacity(), r.State.transition(), r.Online,
		r.Backfill.Time(), r.Insights.insights(), nil, r.Stats}
	if r.Gone == nil {
		return ix, nil
	}
	gone, err := r.Gone.Schema()
	ix.Gone = &gone
	return ix, err
}
