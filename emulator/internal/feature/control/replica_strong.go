package control

import (
	"slices"
	"strings"

	"github.com/kugiri-db/kugiri/conventions/api"
	"github.com/kugiri-db/kugiri/emulator/fault"
	"github.com/kugiri-db/kugiri/emulator/internal/apierr"
	"github.com/kugiri-db/kugiri/emulator/internal/arn"
	"github.com/kugiri-db/kugiri/emulator/internal/replication"
	"github.com/kugiri-db/kugiri/emulator/internal/serve"
	"github.com/kugiri-db/kugiri/emulator/internal/tables"
	"github.com/kugiri-db/kugiri/storage"
)

// A global table with multi-Region strong consistency (MRSC) has three regions. One of them may be
// a witness, which has no data.
//
// A write locks all replicas, delivers to each the earlier writes of the others, commits, and
// reaches the other replicas before it is answered. A strongly consistent read first gets what was
// committed in other regions. Both fail in a region that a fault separates from the other two.

var (
	// ack-api-quirks, DDB-TABLE-257, probes of the service.
	errStrongRegions = apierr.Invalid(
		"Unsupported replica count for global tables with MultiRegionConsistency set to STRONG.")
	errStrongTwice  = apierr.Invalid("Cannot target multiple regions with the same action")
	errWitnessLocal = apierr.Invalid(
		"Cannot add a witness in the same region as an existing replica when creating a global table with MultiRegionConsistency set to STRONG.")
	errStrongSets = apierr.BadParameter(
		"All Regions of a global table with multi-Region strong consistency must be in the same Region set")
	errStrongItems = apierr.BadParameter(
		"A table must be empty to become a global table with multi-Region strong consistency")
	errStrongLocal = apierr.BadParameter(
		"Local secondary indexes are not supported for global tables with multi-Region strong consistency")
	// ack-api-quirks, DDB-TABLE-260 and 442, probes of the service.
	errStrongDelete = apierr.Invalid(
		"Deletion of only one table replica is not supported for global tables with MultiRegionConsistency set to STRONG.")
	errWitnessStays = apierr.Invalid(
		"Update table delete operation does not include all witnesses.")
	errStrongAdd = apierr.Invalid(
		"Cannot add replicas to a global table with strong MultiRegionConsistency")
	errConsistency = apierr.Invalid(
		"MultiRegionConsistency parameter is unsupported on existing global table")
	errOnlyCreates = apierr.Invalid(
		"Only Replica Create actions are supported when MultiRegionConsistency parameter is provided.")
	errWitness = apierr.Invalid(
		"MultiRegionConsistency must be set as STRONG when GlobalTableWitnessUpdates parameter is present.")
)

// The errors of a region that cannot work with the others.
var (
	errStrongDenied = &apierr.Error{
		Type:    apierr.AccessDenied,
		Message: "The resource-based policy of the replica does not allow replication.",
	}
	errIsolated = &apierr.Error{
		Type:    apierr.InternalServerError,
		Message: "The Region cannot reach the other Regions of the global table.",
	}
)

// regionSets are the regions that may have a global table with strong consistency together (API
// Reference, CreateGlobalTableWitnessGroupMemberAction).
var regionSets = [][]string{
	{"us-east-1", "us-east-2", "us-west-2"},
	{"eu-west-1", "eu-west-2", "eu-west-3", "eu-central-1"},
	{"ap-northeast-1", "ap-northeast-2", "ap-northeast-3"},
}

// strengthen makes the table a global table with strong consistency. It runs before the replicas
// are created.
func (u replicaUpdate) strengthen(actions []replication.ReplicaAction) error {
	witness, _ := replication.WitnessUpdate(u.in)
	wanted := api.Deref(u.in.MultiRegionConsistency)
	creates := len(actions) > 0 && actions[0].Kind == "create"
	switch {
	case wanted != "" && !creates && len(actions) > 0:
		return errOnlyCreates
	case wanted == "STRONG" && creates && u.settings.Global != nil && len(actions) < 2 &&
		witness == "": // ack-api-quirks, DDB-TABLE-202 and 260
		return errStrongRegions
	case wanted != "" &&
		(!creates || u.settings.Global != nil && u.settings.Global.Strong != (wanted == "STRONG")):
		return errConsistency
	case u.settings.Global.IsStrong() && creates:
		return errStrongAdd
	case witness != "" && (wanted != "STRONG" || u.settings.Global != nil):
		return errWitness
	case wanted != "STRONG":
		return nil
	case u.settings.Global != nil:
		return errConsistency
	}
	if err := u.checkStrong(actions, witness); err != nil {
		return err
	}
	u.settings.Global = u.global()
	u.settings.Global.Strong = true
	if witness != "" {
		u.settings.Global.Witness = tables.Witness{
			Region: witness, State: u.passing(tables.Creating),
		}
	}
	return nil
}

// checkStrong checks the regions and the table of a new global table with strong consistency.
func (u replicaUpdate) checkStrong(actions []replication.ReplicaAction, witness string) error {
	regions := []string{u.call.Region}
	for _, a := range actions {
		regions = append(regions, a.Spec.Region)
	}
	if witness != "" {
		regions = append(regions, witness)
	}
	distinct := slices.Compact(slices.Sorted(slices.Values(regions)))
	var unable []string
	for _, r := range distinct {
		has := func(set []string) bool { return slices.Contains(set, r) }
		if !slices.ContainsFunc(regionSets, has) {
			unable = append(unable, r)
		}
	}
	switch {
	case len(regions) != 3:
		return errStrongRegions
	case unable != nil: // ack-api-quirks, DDB-TABLE-202 and 257
		return apierr.Invalid("Unsupported Region(s) specified for global tables with "+
			"MultiRegionConsistency set to STRONG: [%s].", strings.Join(unable, ", "))
	case witness == u.call.Region:
		return errWitnessLocal
	case len(distinct) != 3:
		return errStrongTwice
	}
	inSet := func(set []string) bool {
		return !slices.ContainsFunc(regions,
			func(r string) bool { return !slices.Contains(set, r) })
	}
	switch {
	case !slices.ContainsFunc(regionSets, inSet):
		return errStrongSets
	case u.tx.Tables().Stats(u.table).Items > 0:
		return errStrongItems
	case slices.ContainsFunc(u.tx.Tables().Indexes(u.table),
		func(ix *storage.Index) bool { return ix.Local }):
		return errStrongLocal
	case u.settings.TTL.Enabled:
		return errStrongTTL
	}
	return nil
}

// weaken handles the deletion of replicas of a global table with strong consistency. A request has
// to delete all other replicas and the witness at once; weaken marks the witness as deleting.
func (u replicaUpdate) weaken(actions []replication.ReplicaAction) error {
	_, witness := replication.WitnessUpdate(u.in)
	deletes := 0
	for _, a := range actions {
		if a.Kind == "delete" {
			deletes++
		}
	}
	switch {
	case !u.settings.Global.IsStrong():
		if witness != "" {
			return errWitness
		}
		return nil
	case deletes == 0 && witness == "":
		return nil
	case witness == "" && u.settings.Global.Witness.Region != "":
		return errWitnessStays
	case deletes != len(u.settings.Global.Regions())-1 ||
		witness != u.settings.Global.Witness.Region:
		return errStrongDelete
	}
	if witness != "" {
		u.settings.Global.Witness.State = u.passing(tables.Deleting)
	}
	return nil
}

// Commit runs the writes of a call to a global table with strong consistency, in a commit of the
// table with its replicas, once the local replica has the writes of other regions.
func (r *Replicator) Commit(c *serve.Call, name string,
	run func(*serve.Call, *storage.Tx) error) error {
	settled := *c
	settled.Writes = serve.Settling{Settled: true, Table: name}
	for {
		err := inGroup(c, name, nil, func(g *ReplicaGroup) error {
			if err := g.checkSettled(); err != nil {
				return err
			}
			return run(&settled, g.Local.Tx)
		})
		if err != serve.ErrUnsettled {
			return err
		}
		if err := r.Settle(&settled); err != nil {
			return err
		}
	}
}

// checkSettled returns ErrUnsettled if the local replica has not got all writes of regions that it
// can reach.
func (g *ReplicaGroup) checkSettled() error {
	c := g.Local.Call
	t, s := g.Local.table(g.name)
	if t == nil {
		return nil
	}
	if err := reachable(c, s.Global); err != nil {
		return err
	}
	for _, m := range g.others() {
		if isolated(c.Service, c.Region, m.Region) ||
			s.Global.Of(m.Owner).Denied.At(c.Now()) {
			continue
		}
		t, _ := m.table(g.name)
		switch local := replication.Name(c.Owner); {
		case m.Tx.Replicas().OutgoingBytes(t, local) == 0:
		case setAside(m, t, local):
			return errIsolated
		default:
			return serve.ErrUnsettled
		}
	}
	return nil
}

// reachable returns an error if the local replica cannot get the writes of others.
func reachable(c *serve.Call, g *tables.GlobalTable) error {
	switch {
	case g.Of(c.Owner) != nil && g.Of(c.Owner).Denied.At(c.Now()):
		return errStrongDenied
	case !hasQuorum(c, g):
		return errIsolated
	}
	return nil
}

// hasQuorum reports whether the region of a call reaches another one of a global table, its witness
// included.
func hasQuorum(c *serve.Call, g *tables.GlobalTable) bool {
	others := append(g.Regions(), g.Witness.Region)
	return slices.ContainsFunc(others,
		func(other string) bool {
			return other != "" && other != c.Region && !isolated(c.Service, c.Region, other)
		})
}

// Settle gets the writes of other regions for a strongly consistent read.
func (r *Replicator) Settle(c *serve.Call) error {
	if err := reachable(c, c.GlobalTable(c.Writes.Table)); err != nil {
		return err
	}
	r.deliverTo(c, c.Writes.Table, c.GroupOwners(c.Writes.Table, nil))
	c.Writes.Settled = true
	return nil
}

// deliverTo delivers to the region of a call what other regions have for it.
func (r *Replicator) deliverTo(c *serve.Call, name string, owners []arn.Owner) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, from := range owners {
		if from != c.Owner {
			r.deliverBetween(c, name, from, c.Owner, false)
		}
	}
}

// isolated reports whether a fault separates two regions.
func isolated(s *serve.Service, from, to string) bool {
	active := s.Faults.Active.Load()
	if active == nil {
		return false
	}
	return slices.ContainsFunc(active.Injectors, func(in *fault.Injector) bool {
		do := &in.Fault.Do
		return do.Kind == fault.KindPartitionRegion && in.Fault.When == nil &&
			(do.Region == "" || do.Region == from || do.Region == to)
	})
}
