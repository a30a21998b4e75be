package control

import (
	"github.com/kugiri-db/kugiri/emulator/internal/api"
	"github.com/kugiri-db/kugiri/emulator/internal/apierr"
	"github.com/kugiri-db/kugiri/emulator/internal/arn"
	"github.com/kugiri-db/kugiri/emulator/internal/serve"
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
		_, s, err := c.WholeTable(tx, name)
		if err != nil {
			return err
		}
		if state := s.State.At(c.Now()); state == tables.Creating || state == tables.Deleting {
			return errTTLState(state)
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

// errTTLState is the error of a table that is being created or deleted (ack-api-quirks,
// DDB-TABLE-442, a probe of the service).
func errTTLState(state string) error {
	return apierr.Invalid(
		"Cannot describe time to live while table is in %s state: Current table state is %s", state,
		state)
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
		_, s, err := c.BornTable(tx, name)
		if err != nil {
			return err
		}
		if err := orderOfTTL.Judge(ttlUpdate{c, name, s, spec}); err != nil {
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

// ttlUpdate is a change of the TTL of a table that is there, with its settings.
type ttlUpdate struct {
	call     *serve.Call
	table    string
	settings *tables.Settings
	spec     *api.TimeToLiveSpecification
}

// orderOfTTL is what UpdateTimeToLive judges of a table that is there.
var orderOfTTL = serve.Order[ttlUpdate]{
	serve.Step("the state", "S.2, DDB-TABLE-115, DDB-TABLE-286, DDB-TABLE-450",
		ttlUpdate.checkState),
	serve.Step("a global table of strong consistency", "", func(u ttlUpdate) error {
		if u.settings.Global.IsStrong() && *u.spec.Enabled {
			return errStrongTTL
		}
		return nil
	}),
	serve.Step("what is asked for", "DDB-TABLE-143",
		func(u ttlUpdate) error { return u.settings.TTL.CheckChange(u.spec) }),
	serve.Step("the interval", "DDB-TABLE-143", func(u ttlUpdate) error {
		return u.settings.TTL.CheckInterval(u.call.Now(), u.call.Service.TTLInterval)
	}),
	serve.Step("the policy of access patterns", "",
		func(u ttlUpdate) error { return u.call.Watch.Expire(u.table, *u.spec.Enabled) }),
}

// checkState returns the error of a change of the TTL of a table that is being changed.
func (u ttlUpdate) checkState() error {
	s := u.settings
	switch state := s.State.At(u.call.Now()); {
	case state == tables.Creating: // in words of its own: ack-api-quirks, DDB-TABLE-115
		return errInUse("Table " + u.table + " is being created")
	// service facts S.2; ack-api-quirks, DDB-TABLE-286 and -450
	case state == tables.Updating && s.Global == nil:
		return nil
	default:
		return tables.Busy(u.table, state)
	}
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
