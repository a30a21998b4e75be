package control

import (
	"github.com/kugiri-db/kugiri/conventions/api"
	"github.com/kugiri-db/kugiri/emulator/internal/arn"
	"github.com/kugiri-db/kugiri/emulator/internal/serve"
	"github.com/kugiri-db/kugiri/emulator/internal/states"
	"github.com/kugiri-db/kugiri/emulator/internal/tables"
	"github.com/kugiri-db/kugiri/storage"
)

func DescribeTimeToLive(c *serve.Call,
	in *api.DescribeTimeToLiveInput) (*api.DescribeTimeToLiveOutput, error) {
	name, err := c.TableName(*in.TableName)
	if err != nil {
		return nil, err
	}
	out := new(api.DescribeTimeToLiveOutput)
	return out, c.Store.View(func(tx *storage.Tx) error {
		_, s, err := c.TableInPhase(tx, name, states.DescribeTTL)
		if err != nil {
			return err
		}
		d := &api.TimeToLiveDescription{TimeToLiveStatus: api.Ref(s.TTL.Status(c.Now()))}
		if *d.TimeToLiveStatus != "DISABLED" {
			d.AttributeName = api.Ref(api.TimeToLiveAttributeName(s.TTL.Attribute))
		}
		out.TimeToLiveDescription = d
		return nil
	})
}

func DescribeTimeToLiveTargets(in *api.DescribeTimeToLiveInput, ts *serve.Targets) {
	ts.Add(serve.Target{Table: arn.TableCalled(in.TableName)})
}

func UpdateTimeToLive(c *serve.Call, in *api.UpdateTimeToLiveInput) (*api.UpdateTimeToLiveOutput,
	error) {
	name, err := c.TableName(*in.TableName)
	if err != nil {
		return nil, err
	}
	spec := in.TimeToLiveSpecification
	err = inGroup(c, name, nil, func(g *ReplicaGroup) error {
		tx := g.Local.Tx
		_, changing := c.Changing(tx, name)
		s := changing.Settings
		if err := orderOfTTL.Judge(ttlUpdate{c, name, changing, s, spec}); err != nil {
			return err
		}
		g.Local.setTimeToLive(name, spec)
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

// ttlUpdate is a change of the TTL of a table, with its settings.
type ttlUpdate struct {
	call     *serve.Call
	table    string
	changing *states.Changing
	settings *tables.Settings
	spec     *api.TimeToLiveSpecification
}

// orderOfTTL orders the checks of UpdateTimeToLive on a table.
var orderOfTTL = serve.Order[ttlUpdate]{
	serve.Step("the state",
		"S.2, S.9, DDB-TABLE-115, DDB-TABLE-286, DDB-TABLE-450, DDB-TABLE-455",
		ttlUpdate.checkState),
	serve.Step("a global table of strong consistency", "", func(u ttlUpdate) error {
		if u.settings.Global.IsStrong() && *u.spec.Enabled {
			return errStrongTTL
		}
		return nil
	}),
	serve.Step("what is asked for", "DDB-TABLE-143",
		func(u ttlUpdate) error { return u.settings.TTL.CheckChange(u.spec) }),
	serve.Step("the interval", "DDB-TABLE-143", ttlUpdate.checkInterval),
	serve.Step("the policy of access patterns", "",
		func(u ttlUpdate) error { return u.call.Policy.Expire(u.table, *u.spec.Enabled) }),
}

// checkState returns the error of a change of the TTL of a table that is being changed. One that is
// being deleted says first what would not change: it may have taken a change before
// (ack-api-quirks, DDB-TABLE-455).
func (u ttlUpdate) checkState() error {
	if u.changing.Phase() == states.Deletes {
		if err := u.settings.TTL.CheckChange(u.spec); err != nil {
			return err
		}
	}
	return u.changing.RefusePhase(states.UpdateTTL)
}

// checkInterval returns the error of a change that comes too soon (API Reference,
// UpdateTimeToLive).
func (u ttlUpdate) checkInterval() error {
	ttl, now := &u.settings.TTL, u.call.Now()
	change := tables.Change("")
	switch {
	case ttl.State.At(now) != tables.Active:
		change = states.ChangesTTL
	case !ttl.Changed.IsZero() && now.Before(ttl.Changed.Add(u.call.Service.TTLInterval)):
		change = states.TTLRests
	}
	return u.changing.Error(change, states.UpdateTTL)
}

// setTimeToLive sets the TTL of a table.
func (m *GroupMember) setTimeToLive(name string, spec *api.TimeToLiveSpecification) {
	now := m.Now()
	t, s := m.table(name)
	s = s.Clone()
	s.TTL = tables.TimeToLive{
		Enabled: *spec.Enabled, Attribute: string(*api.Clone(spec.AttributeName)), Changed: now,
	}
	attribute, state := "", "DISABLING"
	if s.TTL.Enabled {
		attribute, state = s.TTL.Attribute, "ENABLING"
	}
	s.TTL.State = tables.Transition{Status: state, Until: now.Add(m.Delays().Update)}.Settled(now)
	m.Tx.Tables().SetExpiry(t, attribute)
	m.Tx.Tables().SetSettings(t, s)
}

func UpdateTimeToLiveTargets(in *api.UpdateTimeToLiveInput, ts *serve.Targets) {
	ts.Add(serve.Target{Table: arn.TableCalled(in.TableName)})
}
