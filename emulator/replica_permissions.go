package emulator

import (
	"strconv"
	"time"

	"github.com/kugiri-db/kugiri/emulator/iam"
	"github.com/kugiri-db/kugiri/emulator/internal/apierr"
	"github.com/kugiri-db/kugiri/emulator/internal/arn"
	"github.com/kugiri-db/kugiri/emulator/internal/tables"
)

// replicator is the service that replicates between accounts.
const replicator = "replication.dynamodb.amazonaws.com"

// actionsOfReplicator are what the resource-based policy of each replica of a multi-account global
// table has to allow the service, for all replicas (Developer Guide, "DynamoDB global tables
// security", "Service principal authorization for replication").
var actionsOfReplicator = []string{"ReadDataForReplication", "WriteDataForReplication", "ReplicateSettings"}

// replicatorAccess is an access of the service to a replica on behalf of a replica.
type replicatorAccess struct {
	table       string
	to, replica arn.Owner // the accessed replica, and the one that it is for
	now         time.Time
}

// context returns the values of a context key.
func (a *replicatorAccess) context(key string) []string {
	switch key {
	case "aws:sourceaccount":
		return []string{a.replica.Account}
	case "aws:sourcearn":
		return []string{a.replica.TableARN(a.table)}
	case "aws:resourceaccount":
		return []string{a.to.Account}
	case "aws:requestedregion":
		return []string{a.to.Region}
	case "aws:currenttime":
		return []string{a.now.UTC().Format(time.RFC3339Nano)}
	case "aws:epochtime":
		return []string{strconv.FormatInt(a.now.Unix(), 10)}
	case "aws:securetransport":
		return []string{"true"}
	}
	return nil
}

// denial returns the error of what a policy does not allow, or nil if it allows all.
func (a *replicatorAccess) denial(p *iam.Policy) error {
	resource := a.to.TableARN(a.table)
	for _, action := range actionsOfReplicator {
		action = "dynamodb:" + action
		d := iam.Decide(&iam.Request{Principal: &iam.Principal{Service: replicator}, Partition: a.to.Partition(),
			Action: action, Resource: resource, Owner: a.to.Account, Attached: p, Context: a.context})
		if !d.Allowed {
			return &apierr.Error{Type: apierr.AccessDenied,
				Message: replicator + " is not authorized to perform: " + action + " on resource: " + resource + " " + d.Reason(action)}
		}
	}
	return nil
}

// replicationDenial returns why the policy of a member does not allow replication with all replicas
// of a global table, or nil.
func (m *groupMember) replicationDenial(table string, global *tables.GlobalTable) error {
	if !global.SeveralAccounts() {
		return nil
	}
	_, s := m.table(table)
	policy := s.PolicyOf("")
	for _, o := range global.Owners(m.Owner) {
		a := &replicatorAccess{table: table, to: m.Owner, replica: o, now: m.now()}
		if err := a.denial(policy.Now.Policy); err != nil {
			return err
		}
	}
	return nil
}

// reauthorize notes in a global table from when on the policies of its replicas allow replication.
func (g *replicaGroup) reauthorize(global *tables.GlobalTable, now time.Time) {
	for _, m := range g.members {
		_, s := m.table(g.name)
		r := global.Of(m.Owner)
		if r == nil || s == nil {
			continue
		}
		policy := s.PolicyOf("")
		from := now
		if policy.From.After(now) {
			from = policy.From
		}
		r.Denied = r.Denied.Change(m.replicationDenial(g.name, global) == nil, from)
	}
}

// checkReplication returns an error unless the policies of all replicas allow replication.
func (g *replicaGroup) checkReplication() error {
	_, s := g.local.table(g.name)
	for _, m := range g.replicas() {
		if err := m.replicationDenial(g.name, s.Global); err != nil {
			return err
		}
	}
	return nil
}
