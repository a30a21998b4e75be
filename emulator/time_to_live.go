package emulator

import (
	"github.com/kugiri-db/kugiri/emulator/internal/api"
	"github.com/kugiri-db/kugiri/emulator/internal/apierr"
	"github.com/kugiri-db/kugiri/emulator/internal/arn"
	"github.com/kugiri-db/kugiri/emulator/internal/tables"
	"github.com/kugiri-db/kugiri/storage"
)

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
		if state := s.State.At(c.now()); state == tables.Creating || state == tables.Deleting {
			return errTTLState(state)
		}
		d := &api.TimeToLiveDescription{TimeToLiveStatus: api.Ref(s.TTL.Status(c.now()))}
		if *d.TimeToLiveStatus != "DISABLED" {
			d.AttributeName = api.Ref(api.TimeToLiveAttributeName(s.TTL.Attribute))
		}
		out.TimeToLiveDescription = d
		return nil
	})
}

func describeTimeToLiveTargets(in *api.DescribeTimeToLiveInput, ts *targets) {
	ts.add(target{table: arn.TableCalled(in.TableName)})
}

// errTTLState is the error of a table that is being created or deleted (ack-api-quirks, DDB-TABLE-442,
// a probe of the service).
func errTTLState(state string) error {
	return apierr.Invalid("Cannot describe time to live while table is in %s state: Current table state is %s", state, state)
}

func updateTimeToLive(c *call, in *api.UpdateTimeToLiveInput) (*api.UpdateTimeToLiveOutput, error) {
	name, err := c.tableName(*in.TableName)
	if err != nil {
		return nil, err
	}
	spec := in.TimeToLiveSpecification
	err = c.inGroup(name, nil, func(g *replicaGroup) error {
		tx := g.local.tx
		_, s, err := c.createdTable(tx, name) // ack-api-quirks, DDB-TABLE-446
		if err == nil {
			err = tables.Busy(name, s.State.At(c.now()))
		}
		if err != nil {
			return err
		}
		if s.Global.IsStrong() && *spec.Enabled {
			return errStrongTTL
		}
		if err := s.TTL.Check(spec, c.now(), c.service.ttlInterval); err != nil {
			return err
		}
		if err := c.watch.expire(name, *spec.Enabled); err != nil {
			return err
		}
		g.local.setTimeToLive(name, spec)
		if err := g.checkReplication(); err != nil {
			return err
		}
		if s.Global != nil && s.Global.Version == tables.CurrentGlobal {
			for _, m := range g.others() {
				m.setTimeToLive(name, spec)
			}
		}
		return nil
	})
	return &api.UpdateTimeToLiveOutput{TimeToLiveSpecification: spec}, err
}

// setTimeToLive sets the TTL of a table.
func (m *groupMember) setTimeToLive(name string, spec *api.TimeToLiveSpecification) {
	now := m.now()
	t, s := m.table(name)
	s = s.Clone()
	s.TTL = tables.TimeToLive{Enabled: *spec.Enabled, Attribute: string(*api.Clone(spec.AttributeName)), Changed: now}
	attribute, state := "", "DISABLING"
	if s.TTL.Enabled {
		attribute, state = s.TTL.Attribute, "ENABLING"
	}
	s.TTL.State = tables.Transition{Status: state, Until: now.Add(m.delays().update)}.Settled(now)
	m.tx.SetExpiry(t, attribute)
	m.tx.SetSettings(t, s)
}

func updateTimeToLiveTargets(in *api.UpdateTimeToLiveInput, ts *targets) {
	ts.add(target{table: arn.TableCalled(in.TableName)})
}
