package control

import (
	"strings"

	"github.com/kugiri-db/kugiri/conventions/api"
	"github.com/kugiri-db/kugiri/emulator/internal/apierr"
	"github.com/kugiri-db/kugiri/emulator/internal/arn"
	"github.com/kugiri-db/kugiri/emulator/internal/permit"
	"github.com/kugiri-db/kugiri/emulator/internal/serve"
	"github.com/kugiri-db/kugiri/emulator/internal/states"
	"github.com/kugiri-db/kugiri/emulator/internal/tables"
)

// A multi-account global table has each replica in another account and another region. It begins
// with a table that replicates its settings. A CreateTable with a GlobalTableSourceArn, in another
// account, makes a copy of that table and of its settings. (Developer Guide, "DynamoDB
// multi-account global tables".) Nobody has seen the texts of these errors.
var (
	errSettingsMode = apierr.BadParameter(
		"GlobalTableSettingsReplicationMode must be ENABLED for a table that is created")
	errSettingsModeGiven = apierr.BadParameter(
		"GlobalTableSettingsReplicationMode ENABLED is required with GlobalTableSourceArn")
	errSettingsOverrides = apierr.Invalid(
		"Value 'ENABLED_WITH_OVERRIDES' at 'GlobalTableSettingsReplicationMode' failed to satisfy constraint: " +
			"Only ENABLED and DISABLED settings replication are supported for a Regional Table.") // ack-api-quirks, DDB-TABLE-442
	errSettingsReplica = apierr.BadParameter(
		"GlobalTableSettingsReplicationMode cannot be changed for a replica of a global table")
	errJoinName = apierr.BadParameter(
		"TableName must be the name of the table that GlobalTableSourceArn names")
	errJoinAccount = apierr.BadParameter(
		"Each replica of a multi-account global table must be in a different account")
	errJoinRegion = apierr.BadParameter(
		"Each replica of a multi-account global table must be in a different Region")
	errJoinMode = apierr.BadParameter(
		"The table that GlobalTableSourceArn names must have GlobalTableSettingsReplicationMode ENABLED")
	errJoinGlobal = apierr.BadParameter(
		"A global table of one account cannot be the source of a multi-account global table")
	errJoinKey = apierr.BadParameter(
		"Multi-account global tables do not support AWS managed keys")
	errSeveralAccountsOf = apierr.BadParameter(
		"ReplicaUpdates can only disassociate the local replica of a multi-account global table")
)

// sourced is a member of a request, and whether the request has it.
type sourced struct {
	name  string
	given bool
}

// synchronizedMembers returns those members of CreateTable that a replica in another account gets
// from its source.
func synchronizedMembers(in *api.CreateTableInput) []sourced {
	return []sourced{
		{"AttributeDefinitions", in.AttributeDefinitions != nil},
		{"KeySchema", in.KeySchema != nil},
		{"LocalSecondaryIndexes", in.LocalSecondaryIndexes != nil},
		{"GlobalSecondaryIndexes", in.GlobalSecondaryIndexes != nil},
		{"VectorIndexes", in.VectorIndexes != nil},
		{"BillingMode", in.BillingMode != nil},
		{"ProvisionedThroughput", in.ProvisionedThroughput != nil},
		{"OnDemandThroughput", in.OnDemandThroughput != nil},
		{"WarmThroughput", in.WarmThroughput != nil},
		{"StreamSpecification", in.StreamSpecification != nil},
	}
}

// joinGlobalTable creates a table as a replica of a table of another account.
func joinGlobalTable(c *serve.Call, in *api.CreateTableInput) (*api.CreateTableOutput, error) {
	if err := orderOfJoin.Judge(in); err != nil {
		return nil, err
	}
	if err := checkKeyRegion(c, in.SSESpecification); err != nil {
		return nil, err
	}
	source, err := joinSource(c, in)
	if err != nil {
		return nil, err
	}
	own, err := NewSettings(c, in, c.Now())
	if err != nil {
		return nil, err
	}
	name := strings.Clone(string(*in.TableName))
	out := new(api.CreateTableOutput)
	return out, c.At(source, func(there *serve.Call) error {
		if err := associable(there, name, in); err != nil {
			return err
		}
		return inGroup(there, name, []arn.Owner{c.Owner}, func(g *ReplicaGroup) (err error) {
			out.TableDescription, err = g.add(g.Member(c.Owner), own)
			return err
		})
	})
}

// orderOfJoin orders the checks of CreateTable on a replica of another account's table, in place of
// orderOfCreate. After it come the source, and what the caller may do.
var orderOfJoin = serve.Order[*api.CreateTableInput]{
	serve.Step("the name", "",
		func(in *api.CreateTableInput) error { return checkTableName(in.TableName) }),
	serve.Step("members that are the source's", "", func(in *api.CreateTableInput) error {
		for _, p := range synchronizedMembers(in) {
			if p.given {
				return apierr.BadParameter("%s cannot be specified with GlobalTableSourceArn", p.name)
			}
		}
		return nil
	}),
	serve.Step("the mode of replication", "", func(in *api.CreateTableInput) error {
		if api.Deref(in.GlobalTableSettingsReplicationMode) != tables.ReplicatesSettings {
			return errSettingsModeGiven
		}
		return nil
	}),
	serve.Step("encryption", "", func(in *api.CreateTableInput) error {
		return tables.CheckEncryption(in.SSESpecification, "sSESpecification")
	}),
	serve.Step("a key of AWS", "", func(in *api.CreateTableInput) error {
		if s := in.SSESpecification; s != nil && api.IsTrue(s.Enabled) && s.KMSMasterKeyId == nil {
			return errJoinKey
		}
		return nil
	}),
	serve.Step("tags", "",
		func(in *api.CreateTableInput) error { return tables.CheckTags(in.Tags) }),
}

// joinSource returns the owner of the table that a GlobalTableSourceArn names.
func joinSource(c *serve.Call, in *api.CreateTableInput) (source arn.Owner, err error) {
	named := string(*in.GlobalTableSourceArn)
	part := strings.SplitN(named, ":", 6)
	if len(part) < 6 || part[0] != "arn" || part[2] != "dynamodb" || !serve.ValidAccount(part[4]) {
		return source, serve.ErrARN(named)
	}
	name, isTable := strings.CutPrefix(part[5], "table/")
	source = arn.Owner{Account: strings.Clone(part[4]), Region: strings.Clone(part[3])}
	switch {
	case !isTable || !serve.ValidName(name) || source.TableARN(name) != named:
		return source, serve.ErrARN(named)
	case name != string(*in.TableName):
		return source, errJoinName
	case source.Account == c.Account:
		return source, errJoinAccount
	case source.Region == c.Region:
		return source, errJoinRegion
	case !source.HasPeer(c.Region):
		return source, apierr.BadParameter("Invalid region: %s", c.Region)
	case c.Caller == nil:
		return source, errUnsupported("GlobalTableSourceArn without accounts (--iam)")
	case !c.Service.IAM.HasAccount(source.Account):
		return source, c.DeniedOn("AssociateTableReplica", named)
	}
	return source, nil
}

// associable checks that a table, and its replicas in other accounts, let the caller add a replica.
func associable(c *serve.Call, table string, in any) error {
	for _, o := range c.GroupOwners(table, nil) {
		if o.Account == c.Account && o != c.Owner {
			continue
		}
		need := &permit.Access{Action: "AssociateTableReplica", Resource: o.TableARN(table)}
		if err := permit.CheckAt(c, o, need, in); err != nil {
			return err
		}
	}
	return nil
}

// add adds a replica in another account to the local table. own are the settings that the replica
// does not get from the local table.
func (g *ReplicaGroup) add(m *GroupMember, own *tables.Settings) (*api.TableDescription, error) {
	c, now := g.Local.Call, g.Local.Now()
	t, changing := c.Changing(g.Local.Tx, g.name)
	if err := changing.Error(changing.Phase(), states.Describe); err != nil {
		return nil, err
	}
	s := changing.Settings
	if err := CheckFree(m.Call, m.Tx, g.name, states.Create); err != nil {
		return nil, err
	}
	// a change of a replica is refused in the same states as UpdateTableReplicaAutoScaling
	if err := changing.RefusePhase(states.Scale); err != nil {
		return nil, err
	}
	if err := addable(m.Owner, s); err != nil {
		return nil, err
	}
	u := replicaUpdate{&tableUpdate{call: c, tx: g.Local.Tx, table: t,
		in: new(api.UpdateTableInput), now: now,
		delay: c.Delays().Update, settings: s.Settle(now), group: g}}
	if err := u.startReplication(); err != nil {
		return nil, err
	}
	settings := u.settings.ForReplica(m.Owner, new(tables.ReplicaSpec), now)
	settings.Encryption, settings.Class, settings.Tags = own.Encryption, own.Class, own.Tags
	settings.Policies, settings.Protected = own.Policies, own.Protected
	global := u.global()
	global.Replica(u.call.Region).Account = u.call.Account
	if err := u.addReplica(m, global, tables.Replica{Region: m.Region, Account: m.Account},
		settings); err != nil {
		return nil, err
	}
	u.settings.State = u.passing(tables.Updating)
	u.tx.Tables().SetSettings(t, u.settings.Settle(now))
	created, settings := m.table(g.name)
	settings = settings.Clone()
	settings.State = u.passing(tables.Creating)
	return tables.Describe(m.Owner, m.Tx, created, settings, now.Add(-1)), nil
}

// addable returns an error unless a table with settings can get a replica of another owner.
func addable(o arn.Owner, s *tables.Settings) error {
	switch {
	case s.Global != nil && !s.Global.SeveralAccounts():
		return errJoinGlobal
	case s.Global == nil && s.Replicates != tables.ReplicatesSettings:
		return errJoinMode
	case s.Encryption.Managed():
		return errJoinKey
	case s.Global.Replica(o.Region) != nil:
		return errJoinRegion
	}
	for _, other := range s.Global.Owners(o) {
		if other.Account == o.Account {
			return errJoinAccount
		}
	}
	return nil
}

// settingsReplication sets whether replicas in other accounts may get the settings of the table.
func (u replicaUpdate) settingsReplication() error {
	mode := u.in.GlobalTableSettingsReplicationMode
	switch {
	case mode == nil:
		return nil
	case u.settings.Global != nil:
		return errSettingsReplica
	}
	u.settings.Replicates = *api.Clone(mode)
	return nil
}
