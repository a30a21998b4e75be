package tables

import (
	"slices"
	"time"

	"github.com/kugiri-db/kugiri/conventions/api"
	"github.com/kugiri-db/kugiri/emulator/internal/apierr"
	"github.com/kugiri-db/kugiri/emulator/internal/arn"
)

// ReplicaSpec has the overrides in a request that creates or updates a replica.
type ReplicaSpec struct {
	Region      string
	Key         *string
	Provisioned *api.ProvisionedThroughputOverride
	OnDemand    *api.OnDemandThroughputOverride
	Class       *api.TableClass
	Indexes     []api.ReplicaGlobalSecondaryIndex
}

// Set sets the given overrides of a replica, and keeps the others. s are the settings of the
// replica's table, which Set changes as well.
func (r *Replica) Set(spec *ReplicaSpec, s *Settings, now time.Time) error {
	if err := spec.check(r, s); err != nil {
		return err
	}
	if spec.Provisioned != nil && spec.Provisioned.ReadCapacityUnits != nil {
		r.Read = api.Ref(int64(*spec.Provisioned.ReadCapacityUnits))
	}
	if spec.OnDemand != nil && spec.OnDemand.MaxReadRequestUnits != nil {
		r.MaxRead = api.Ref(*spec.OnDemand.MaxReadRequestUnits)
	}
	if spec.Class != nil {
		r.Class = TableClass{Class: *api.Clone(spec.Class), Changed: now}
	}
	for i := range spec.Indexes {
		r.setIndex(&spec.Indexes[i])
	}
	r.Override(s)
	return nil
}

// Inherit clears overrides of units that are like those of the table they override (ack-api-quirks,
// DDB-TABLE-250, 252 and 422).
func (r *Replica) Inherit(from *Settings) {
	if r.Read != nil && *r.Read == from.Capacity.Provisioned.Units.Read {
		r.Read = nil
	}
	if r.MaxRead != nil && from.Capacity.OnDemand.reads(*r.MaxRead) {
		r.MaxRead = nil
	}
	for i := range r.Indexes {
		ix := &r.Indexes[i]
		if is := from.Index(ix.Name); is != nil && ix.Read != nil &&
			*ix.Read == is.Capacity.Provisioned.Units.Read {
			ix.Read = nil
		}
		if is := from.Index(ix.Name); is != nil && ix.MaxRead != nil &&
			is.Capacity.OnDemand.reads(*ix.MaxRead) {
			ix.MaxRead = nil
		}
	}
}

func (r *Replica) setIndex(in *api.ReplicaGlobalSecondaryIndex) {
	ix := r.index(string(*in.IndexName))
	if ix == nil {
		r.Indexes = append(r.Indexes, ReplicaIndex{Name: string(*api.Clone(in.IndexName))})
		ix = &r.Indexes[len(r.Indexes)-1]
	}
	if in.ProvisionedThroughputOverride != nil &&
		in.ProvisionedThroughputOverride.ReadCapacityUnits != nil {
		ix.Read = api.Ref(int64(*in.ProvisionedThroughputOverride.ReadCapacityUnits))
	}
	if in.OnDemandThroughputOverride != nil &&
		in.OnDemandThroughputOverride.MaxReadRequestUnits != nil {
		ix.MaxRead = api.Ref(*in.OnDemandThroughputOverride.MaxReadRequestUnits)
	}
}

// check checks overrides against the settings of the table.
func (spec *ReplicaSpec) check(r *Replica, s *Settings) error {
	isNew := r.State.Status == ""
	// a new replica may have it: ack-api-quirks, DDB-TABLE-223
	if spec.Provisioned != nil && s.Billing.OnDemandMode() && !isNew {
		return apierr.Invalid("Neither ReadCapacityUnits nor WriteCapacityUnits can be specified when " +
			"BillingMode is PAY_PER_REQUEST")
	}
	if spec.OnDemand != nil && !s.Billing.OnDemandMode() { // ack-api-quirks, DDB-TABLE-250
		return apierr.Invalid("MaxReadRequestUnits for OnDemandThroughput cannot be specified when the " +
			"table BillingMode is PROVISIONED")
	}
	if spec.OnDemand != nil && spec.OnDemand.MaxReadRequestUnits != nil {
		if n := *spec.OnDemand.MaxReadRequestUnits; n < noMaximum || n == 0 {
			return apierr.BadParameter(
				"Requested MaxReadRequestUnits for OnDemandThroughput for table is outside of valid range")
		}
	}
	for i := range spec.Indexes {
		// DDB-TABLE-307
		if name := string(*spec.Indexes[i].IndexName); s.Index(name) == nil && !isNew {
			return apierr.BadParameter("Index %s does not exist in the table", name)
		}
	}
	return nil
}

// Override puts the overrides of a replica in the place of the settings that its table shares with
// the other replicas.
func (r *Replica) Override(s *Settings) {
	s.Capacity.override(s.Billing.Mode, r.Read, r.MaxRead)
	for _, ix := range r.Indexes {
		if is := s.Index(ix.Name); is != nil {
			is.Capacity.override(s.Billing.Mode, ix.Read, ix.MaxRead)
		}
	}
	if r.Class.Class != "" {
		s.Class = r.Class
	}
}

func (c *Capacity) override(mode api.BillingMode, read, maxRead *int64) {
	if read != nil && mode != PayPerRequest {
		c.Provisioned.Units.Read = *read
	}
	if maxRead != nil && mode == PayPerRequest {
		c.OnDemand.Set(&api.OnDemandThroughput{MaxReadRequestUnits: maxRead})
	}
}

// ForReplica returns the settings of a table that is created as a replica of the table with s. It
// shares with it what the Developer Guide, "How DynamoDB global tables work", "Settings", says is
// synchronized.
func (s *Settings) ForReplica(o arn.Owner, spec *ReplicaSpec, now time.Time) *Settings {
	c := s.Clone()
	c.StreamTags = nil
	c.Tags, c.Protected, c.Restored, c.State = nil, false, nil, Transition{}
	c.Policies, c.Kinesis, c.Insights, c.Past = nil, nil, Insights{}, Past{}
	if spec.Key != nil {
		c.Encryption = encryption{Key: keyARN(o, *spec.Key)}
	} else if c.Encryption.Key != "" {
		c.Encryption = encryption{Key: keyARN(o, managedKey)}
	}
	if c.Stream.Enabled {
		c.Stream = streamSettings{Enabled: true, view: s.Stream.view}
	}
	for i := range c.Indexes {
		c.Indexes[i].Gone, c.Indexes[i].Insights = nil, Insights{}
	}
	c.Vectors = slices.DeleteFunc(c.Vectors, func(ix VectorSettings) bool { return ix.Gone != nil })
	return c
}

// EnableReplication enables the stream that replication needs, unless it is enabled. It reports
// whether the stream has to be started.
func (s *Settings) EnableReplication(now time.Time) (start bool) {
	if !s.Stream.Enabled {
		s.Stream = streamSettings{
			Enabled: true, view: "NEW_AND_OLD_IMAGES", label: now.UTC().Format(labelForm),
		}
		return true
	}
	return false // whatever its view is: ack-api-quirks, DDB-TABLE-305
}

// HasBothImages reports whether the table has a stream with both images.
func (s *Settings) HasBothImages() bool {
	return s.Stream.Enabled && s.Stream.view == "NEW_AND_OLD_IMAGES"
}
