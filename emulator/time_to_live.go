package emulator

import (
	"time"

	"github.com/kugiri-db/kugiri/emulator/internal/api"
	"github.com/kugiri-db/kugiri/emulator/internal/apierr"
	"github.com/kugiri-db/kugiri/storage"
)

// timeToLive is a table's TTL.
type timeToLive struct {
	enabled   bool
	attribute string // kept while DISABLING
	changed   time.Time
	state     transition // ENABLING or DISABLING
}

// status is the state of TTL at a point in time (API Reference, TimeToLiveDescription).
func (l *timeToLive) status(now time.Time) api.TimeToLiveStatus {
	switch state := l.state.at(now); {
	case state != active:
		return api.TimeToLiveStatus(state)
	case l.enabled:
		return "ENABLED"
	}
	return "DISABLED"
}

func describeTimeToLive(c *call, in *api.DescribeTimeToLiveInput) (*api.DescribeTimeToLiveOutput, error) {
	name, err := c.tableName(*in.TableName)
	if err != nil {
		return nil, err
	}
	out := new(api.DescribeTimeToLiveOutput)
	return out, c.store.View(func(tx *storage.Tx) error {
		_, s, err := c.knownTable(tx, name)
		if err != nil {
			return err
		}
		d := &api.TimeToLiveDescription{TimeToLiveStatus: new(s.ttl.status(c.now()))}
		if *d.TimeToLiveStatus != "DISABLED" {
			d.AttributeName = new(api.TimeToLiveAttributeName(s.ttl.attribute))
		}
		out.TimeToLiveDescription = d
		return nil
	})
}

func describeTimeToLiveTargets(in *api.DescribeTimeToLiveInput, ts *targets) {
	ts.add(target{table: tableCalled(in.TableName)})
}

func updateTimeToLive(c *call, in *api.UpdateTimeToLiveInput) (*api.UpdateTimeToLiveOutput, error) {
	name, err := c.tableName(*in.TableName)
	if err != nil {
		return nil, err
	}
	spec := in.TimeToLiveSpecification
	err = c.store.Update(func(tx *storage.Tx) error {
		t, s, err := c.idleTable(tx, name)
		if err != nil {
			return err
		}
		now := c.now()
		if err := s.ttl.check(spec, now, c.emulator.ttlInterval); err != nil {
			return err
		}
		s = s.clone()
		s.ttl = timeToLive{enabled: *spec.Enabled, attribute: string(*api.Clone(spec.AttributeName)), changed: now}
		attribute, state := "", "DISABLING"
		if s.ttl.enabled {
			attribute, state = s.ttl.attribute, "ENABLING"
		}
		s.ttl.state = transition{state, now.Add(c.delays().update)}.settled(now)
		tx.SetExpiry(t, attribute)
		tx.SetSettings(t, s)
		return nil
	})
	return &api.UpdateTimeToLiveOutput{TimeToLiveSpecification: spec}, err
}

func updateTimeToLiveTargets(in *api.UpdateTimeToLiveInput, ts *targets) {
	ts.add(target{table: tableCalled(in.TableName)})
}

// check reports why a change is not possible. The API Reference, UpdateTimeToLive,
// allows one in the time that one takes to be processed.
func (l *timeToLive) check(spec *api.TimeToLiveSpecification, now time.Time, interval time.Duration) error {
	switch {
	case *spec.Enabled == l.enabled && !l.enabled:
		return apierr.Invalid("TimeToLive is already disabled")
	case l.enabled && string(*spec.AttributeName) != l.attribute:
		return apierr.Invalid("TimeToLive is active on a different AttributeName: current AttributeName is %s", l.attribute)
	case *spec.Enabled == l.enabled:
		return apierr.Invalid("TimeToLive is already enabled")
	case !l.changed.IsZero() && now.Before(l.changed.Add(interval)), l.state.at(now) != active:
		return apierr.Invalid("Time to live has been modified multiple times within a fixed interval")
	}
	return nil
}
