package control

import (
	"github.com/kugiri-db/kugiri/conventions/api"
	"github.com/kugiri-db/kugiri/emulator/internal/tables"
)

// synchronize makes the other replicas follow an UpdateTable of the local one, as far as their
// settings are synchronized (Developer Guide, "How DynamoDB global tables work", "Settings").
func (g *ReplicaGroup) synchronize(in *api.UpdateTableInput) error {
	if _, err := g.legacy(); err == nil {
		return nil // version 2017.11.29 synchronizes no settings
	}
	for _, m := range g.others() {
		_, s := m.table(g.name)
		if s.State.At(m.Now()) == tables.Creating {
			continue // it was created just now, as a copy
		}
		update := synchronized(in, s)
		if kindsOf(update) == (updateKinds{}) {
			continue
		}
		if err := g.checkReplication(); err != nil {
			return err
		}
		if err := m.follow(g, update); err != nil {
			return err
		}
	}
	return nil
}

// follow makes an update of another replica in a member, which keeps its overrides.
func (m *GroupMember) follow(g *ReplicaGroup, update *api.UpdateTableInput) error {
	if _, err := m.updateTable(g, update); err != nil {
		return err
	}
	t, s := m.table(g.name)
	s = s.Clone()
	s.Global.Of(m.Owner).Override(s)
	m.Tx.Tables().SetSettings(t, s)
	return nil
}

// synchronized returns what an update of one replica means for another one, whose settings are s.
func synchronized(in *api.UpdateTableInput, s *tables.Settings) *api.UpdateTableInput {
	update := *in
	update.ReplicaUpdates, update.DeletionProtectionEnabled,
		update.DisassociationProtectionEnabled = nil, nil, nil
	update.MultiRegionConsistency, update.GlobalTableWitnessUpdates = nil, nil
	update.SSESpecification, update.StreamSpecification = nil, nil
	if s.Global.SeveralAccounts() {
		update.TableClass = nil
	} else if sse := in.SSESpecification; sse != nil && sse.Enabled != nil &&
		*sse.Enabled != (s.Encryption.Key != "") {
		// keys are each region's own
		update.SSESpecification = &api.SSESpecification{Enabled: sse.Enabled, SSEType: sse.SSEType}
	}
	if p := in.ProvisionedThroughput; p != nil && !s.Billing.OnDemandMode() &&
		tables.ProvisionedUnits(p) == s.Capacity.Provisioned.Units {
		update.ProvisionedThroughput = nil
	}
	return &update
}
