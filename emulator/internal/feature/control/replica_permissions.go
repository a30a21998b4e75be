package control

import (
	"strconv"
	"strings"
	"time"

	"github.com/kugiri-db/kugiri/emulator/iam"
	"github.com/kugiri-db/kugiri/emulator/internal/apierr"
	"github.com/kugiri-db/kugiri/emulator/internal/arn"
	"github.com/kugiri-db/kugiri/emulator/internal/replication"
	"github.com/kugiri-db/kugiri/emulator/internal/serve"
	"github.com/kugiri-db/kugiri/emulator/internal/tables"
)

// replicatorService is the service that replicates between accounts.
const replicatorService = "replication.dynamodb.amazonaws.com"

// actionsOfReplicator lists the actions that the resource-based policy of each replica of a
// multi-account global table has to allow the service, for all replicas (Developer Guide, "DynamoDB
// global tables security", "Service principal authorization for replication").
var actionsOfReplicator = []string{"ReadDataForReplication", "WriteDataForReplication",
	"ReplicateSettings"}

// actionsOfRole lists the actions of the service as roleOfReplicator on the replicas of one
// account. Their resource-based policies must not deny them (AWS Managed Policy Reference,
// DynamoDBReplicationServiceRolePolicy).
var actionsOfRole = []string{"GetItem", "PutItem", "UpdateItem", "DeleteItem", "DescribeTable",
	"UpdateTable", "Scan",
	"DescribeTimeToLive", "UpdateTimeToLive", "GetResourcePolicy"}

// roleOfReplicator is the service-linked role that replicates within an account.
const roleOfReplicator = "aws-service-role/" + replicatorService +
	"/AWSServiceRoleForDynamoDBReplication"

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

// lacks returns the error of the first action that a policy does not allow the service, or nil.
func (a *replicatorAccess) lacks(p *iam.Policy) error {
	for _, action := range actionsOfReplicator {
		if d := a.decide(&iam.Principal{Service: replicatorService}, action, p); !d.Allowed {
			return a.refused(action, d)
		}
	}
	return nil
}

// denies returns the error of the first action that a policy denies the role, or nil.
func (a *replicatorAccess) denies(p *iam.Policy) error {
	role := &iam.Principal{Account: a.to.Account, Role: roleOfReplicator, Session: "replication"}
	for _, action := range actionsOfRole {
		if d := a.decide(role, action, p); d.Explicit && !d.Allowed {
			return a.refused(action, d)
		}
	}
	return nil
}

func (a *replicatorAccess) decide(who *iam.Principal, action string, p *iam.Policy) iam.Decision {
	return iam.Decide(&iam.Request{Principal: who, Partition: a.to.Partition(),
		Action:   "dynamodb:" + action,
		Resource: a.to.TableARN(a.table), Owner: a.to.Account, Attached: p, Context: a.context})
}

func (a *replicatorAccess) refused(action string, d iam.Decision) error {
	action = "dynamodb:" + action
	return &apierr.Error{Type: apierr.AccessDenied,
		Message: replicatorService + " is not authorized to perform: " + action +
			" on resource: " + a.to.TableARN(a.table) + " " + d.Reason(action)}
}

// replicationDenial returns why the policy of a member does not allow replication with all replicas
// of a global table, or nil. Policies count with WithIAM only.
func (m *GroupMember) replicationDenial(table string, global *tables.GlobalTable) error {
	if m.Service.IAM == nil || global == nil || global.IsLegacy() {
		return nil
	}
	_, s := m.table(table)
	policy := s.PolicyOf("").Now.Policy
	if !global.SeveralAccounts() {
		return (&replicatorAccess{
			table: table, to: m.Owner, replica: m.Owner, now: m.Now(),
		}).denies(policy)
	}
	for _, o := range global.Owners(m.Owner) {
		a := &replicatorAccess{table: table, to: m.Owner, replica: o, now: m.Now()}
		if err := a.lacks(policy); err != nil {
			return err
		}
	}
	return nil
}

// reauthorize notes in a global table from when on the policies of its replicas allow replication.
func (g *ReplicaGroup) reauthorize(global *tables.GlobalTable, now time.Time) {
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
func (g *ReplicaGroup) checkReplication() error {
	_, s := g.Local.table(g.name)
	for _, m := range g.replicas() {
		if err := m.replicationDenial(g.name, s.Global); err != nil {
			return err
		}
	}
	return nil
}

// separate makes tables of their own of all replicas that have been denied replication for too
// long. key is that of the namespace of one replica of their global table.
func (r *Replicator) separate(key string, a *serve.Account, known knownReplica) {
	accessKey, _, _ := strings.Cut(key, "/")
	c := &serve.Call{Service: r.service, Store: a.Store, Data: a, AccessKey: accessKey,
		Owner: replication.OwnerOf(known.name)}
	// an error is that of the next Update too
	inGroup(c, known.table, nil, func(g *ReplicaGroup) error {
		_, s := g.Local.table(known.table)
		if s == nil {
			return nil
		}
		global := s.Global
		for _, region := range s.Global.Separated(c.Now()) {
			global = global.Leave(region, c.Now(), 0)
		}
		if global != s.Global {
			g.setGlobal(global, c.Now())
		}
		return nil
	})
}
