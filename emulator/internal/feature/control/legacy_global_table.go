package control

import (
	"fmt"
	"slices"

	"github.com/kugiri-db/kugiri/conventions/api"
	"github.com/kugiri-db/kugiri/emulator/internal/apierr"
	"github.com/kugiri-db/kugiri/emulator/internal/serve"
	"github.com/kugiri-db/kugiri/emulator/internal/tables"
	"github.com/kugiri-db/kugiri/storage"
)

// errNoGlobalTable returns the error of a global table of version 2017.11.29 that is not there.
func errNoGlobalTable(name string) error {
	return &apierr.Error{
		Type:    apierr.GlobalTableNotFound,
		Message: "Global table not found: Global table with name: '" + name + "' does not exist.",
	}
}

// errNoGlobalSettings is that error in the words of the operations on settings (ack-api-quirks,
// DDB-GLOBALTABLE-004).
func errNoGlobalSettings(name string) error {
	return &apierr.Error{
		Type:    apierr.GlobalTableNotFound,
		Message: "Global table with name: '" + name + "' does not exist.",
	}
}

// checkGlobalName checks the name of a global table.
func checkGlobalName(name *api.TableName) error {
	if serve.ValidName(string(*name)) {
		return nil
	}
	return serve.ErrTableName(api.TableArn(*name))
}

// legacy returns the global table of version 2017.11.29 that the table is a replica of.
func (g *ReplicaGroup) legacy() (*tables.GlobalTable, error) {
	_, s := g.Local.table(g.name)
	if s == nil || !s.Global.IsLegacy() {
		return nil, errNoGlobalTable(g.name)
	}
	return s.Global, nil
}

// describeLegacy describes a global table of version 2017.11.29.
func (g *ReplicaGroup) describeLegacy(global *tables.GlobalTable) *api.GlobalTableDescription {
	o := g.Local.Owner
	d := &api.GlobalTableDescription{
		GlobalTableName:   api.Ref(api.TableName(g.name)),
		GlobalTableStatus: api.Ref(api.GlobalTableStatus(tables.Active)),
		GlobalTableArn: api.Ref(
			"arn:" + o.Partition() + ":dynamodb::" + o.Account + ":global-table/" + g.name),
		CreationDateTime: tables.Timestamp(global.Created),
	}
	for _, region := range global.Regions() {
		d.ReplicationGroup = append(d.ReplicationGroup,
			api.ReplicaDescription{RegionName: api.Ref(region)})
	}
	return d
}

// join makes the tables in further regions replicas of a global table of version 2017.11.29.
func (g *ReplicaGroup) join(global *tables.GlobalTable, regions []string) error {
	for _, region := range regions {
		m := g.Member(g.Local.In(region))
		if err := m.joinable(g, global); err != nil {
			return err
		}
		global.Replicas = append(global.Replicas, tables.Replica{Region: region})
	}
	return nil
}

// joinable returns an error unless the table of a member can be a replica with the others (API
// Reference, CreateGlobalTable).
func (m *GroupMember) joinable(g *ReplicaGroup, global *tables.GlobalTable) error {
	t, s := m.table(g.name)
	return orderOfMember.Judge(memberToBe{m, g, global, t, s})
}

// memberToBe is the table of a region that is to become a replica.
type memberToBe struct {
	*GroupMember
	group    *ReplicaGroup
	global   *tables.GlobalTable
	table    *storage.Table // nil if the region has none
	settings *tables.Settings
}

// orderOfMember orders the checks of CreateGlobalTable and UpdateGlobalTable on the table of each
// region.
var orderOfMember = serve.Order[memberToBe]{
	serve.Step("that there is a table", "", func(m memberToBe) error {
		if m.table == nil {
			return &apierr.Error{
				Type: apierr.TableNotFound,
				Message: fmt.Sprintf(
					"Table not found: Table with name: '%s' does not exist in region: '%s'.",
					m.group.name, m.Region),
			}
		}
		return nil
	}),
	serve.Step("another global table", "", func(m memberToBe) error {
		if m.settings.Global != nil {
			return apierr.BadParameter("Table %s in region %s is a replica of another global table",
				m.group.name, m.Region)
		}
		return nil
	}),
	serve.Step("the stream", "", func(m memberToBe) error {
		if !m.settings.HasBothImages() {
			return apierr.BadParameter(
				"Table %s in region %s must have a stream with the view type NEW_AND_OLD_IMAGES",
				m.group.name, m.Region)
		}
		return nil
	}),
	serve.Step("that it is empty", "", func(m memberToBe) error {
		if m.Tx.Tables().Stats(m.table).Items > 0 {
			return apierr.BadParameter("Table %s in region %s must be empty", m.group.name, m.Region)
		}
		return nil
	}),
	serve.Step("keys and indexes", "", memberToBe.checkSchema),
}

// checkSchema compares the table with that of the first replica.
func (m memberToBe) checkSchema() error {
	if len(m.global.Replicas) == 0 {
		return nil
	}
	first := m.group.Member(m.group.Local.In(m.global.Replicas[0].Region))
	other, _ := first.table(m.group.name)
	if !sameSchema(first.Tx, other, m.Tx, m.table) {
		return apierr.BadParameter(
			"Table %s in region %s must have the same key schema and indexes as in region %s",
			m.group.name, m.Region, first.Region)
	}
	return nil
}

// sameSchema reports whether two tables have the same key and the same indexes.
func sameSchema(atx *storage.Tx, a *storage.Table, btx *storage.Tx, b *storage.Table) bool {
	as, bs := atx.Tables().Indexes(a), btx.Tables().Indexes(b)
	if !sameKey(a.Key, b.Key) || len(as) != len(bs) {
		return false
	}
	for _, ix := range as {
		other := btx.Tables().Index(b, ix.Name)
		if other == nil || other.Local != ix.Local || !sameKey(ix.Key, other.Key) {
			return false
		}
	}
	return true
}

func sameKey(a, b storage.KeySchema) bool {
	return slices.Equal(a.Hash, b.Hash) && slices.Equal(a.Range, b.Range)
}
