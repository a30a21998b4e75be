package emulator

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"time"

	"github.com/kugiri-db/kugiri/emulator/internal/api"
	"github.com/kugiri-db/kugiri/emulator/internal/apierr"
	"github.com/kugiri-db/kugiri/emulator/internal/tables"
	"github.com/kugiri-db/kugiri/storage"
	"github.com/kugiri-db/kugiri/storage/item"
)

// errNoGlobalTable returns the error of a global table of version 2017.11.29 that is not there.
func errNoGlobalTable(name string) error {
	return &apierr.Error{Type: apierr.GlobalTableNotFound, Message: "Global table not found: Global table with name: '" + name + "' does not exist."}
}

// checkGlobalName checks the name of a global table.
func checkGlobalName(name *api.TableName) error {
	if validName(string(*name)) {
		return nil
	}
	return errTableName(api.TableArn(*name))
}

// legacy returns the global table of version 2017.11.29 that the table is a replica of.
func (g *replicaGroup) legacy() (*tables.GlobalTable, error) {
	_, s := g.local.table(g.name)
	if s == nil || !s.Global.IsLegacy() {
		return nil, errNoGlobalTable(g.name)
	}
	return s.Global, nil
}

// describeLegacy describes a global table of version 2017.11.29.
func (g *replicaGroup) describeLegacy(global *tables.GlobalTable) *api.GlobalTableDescription {
	o := g.local.Owner
	d := &api.GlobalTableDescription{
		GlobalTableName:   api.Ref(api.TableName(g.name)),
		GlobalTableStatus: api.Ref(api.GlobalTableStatus(tables.Active)),
		GlobalTableArn:    api.Ref("arn:" + o.Partition() + ":dynamodb::" + o.Account + ":global-table/" + g.name),
		CreationDateTime:  tables.Timestamp(global.Created),
	}
	for _, region := range global.Regions() {
		d.ReplicationGroup = append(d.ReplicationGroup, api.ReplicaDescription{RegionName: api.Ref(region)})
	}
	return d
}

// join makes the tables in further regions replicas of a global table of version 2017.11.29.
func (g *replicaGroup) join(global *tables.GlobalTable, regions []string) error {
	for _, region := range regions {
		m := g.member(g.local.In(region))
		if err := m.joinable(g, global); err != nil {
			return err
		}
		global.Replicas = append(global.Replicas, tables.Replica{Region: region})
	}
	return nil
}

// joinable returns an error unless the table of a member can be a replica with the others (API
// Reference, CreateGlobalTable).
func (m *groupMember) joinable(g *replicaGroup, global *tables.GlobalTable) error {
	t, s := m.table(g.name)
	if t == nil {
		return &apierr.Error{Type: apierr.TableNotFound, Message: fmt.Sprintf("Table not found: Table with name: '%s' does not exist in region: '%s'.", g.name, m.Region)}
	}
	switch {
	case s.Global != nil:
		return apierr.BadParameter("Table %s in region %s is a replica of another global table", g.name, m.Region)
	case !s.HasBothImages():
		return apierr.BadParameter("Table %s in region %s must have a stream with the view type NEW_AND_OLD_IMAGES", g.name, m.Region)
	case m.tx.Stats(t).Items > 0:
		return apierr.BadParameter("Table %s in region %s must be empty", g.name, m.Region)
	}
	if len(global.Replicas) == 0 {
		return nil
	}
	first := g.member(g.local.In(global.Replicas[0].Region))
	other, _ := first.table(g.name)
	if !sameSchema(first.tx, other, m.tx, t) {
		return apierr.BadParameter("Table %s in region %s must have the same key schema and indexes as in region %s", g.name, m.Region, first.Region)
	}
	return nil
}

// sameSchema reports whether two tables have the same key and the same indexes.
func sameSchema(atx *storage.Tx, a *storage.Table, btx *storage.Tx, b *storage.Table) bool {
	as, bs := atx.Indexes(a), btx.Indexes(b)
	if !sameKey(a.Key, b.Key) || len(as) != len(bs) {
		return false
	}
	for _, ix := range as {
		other := btx.Index(b, ix.Name)
		if other == nil || other.Local != ix.Local || !sameKey(ix.Key, other.Key) {
			return false
		}
	}
	return true
}

func sameKey(a, b storage.KeySchema) bool {
	return slices.Equal(a.Hash, b.Hash) && slices.Equal(a.Range, b.Range)
}

// The attributes of items in global tables of version 2017.11.29 (Developer Guide, "Global tables:
// How it works").
const (
	repDeleting     = "aws:rep:deleting"
	repUpdateTime   = "aws:rep:updatetime"
	repUpdateRegion = "aws:rep:updateregion"
)

// stamp adds the attributes that a global table of version 2017.11.29 gives items to those that have
// been written: by a second write, with a record of its own in the stream and throughput of its own,
// which is not part of the answer (Developer Guide, "DynamoDB global tables versions"). Other
// replicas get the item with the attributes only. Expired items are deleted in this replica alone.
func (s *writeSet) stamp(c *call, tx *storage.Tx) {
	if s.expiry {
		tx.Withhold()
		return
	}
	tx.Separate()
	for i := range s.writes {
		w := &s.writes[i]
		t := s.tables[w.table].table
		if s.failed(i) || w.new == "" || w.new == w.old || !tables.SettingsOf(tx, t).Global.IsLegacy() {
			continue
		}
		stamped := stamped(w.old, w.new, c.Region, c.now())
		if stamped == w.new {
			continue // the client wrote these attributes
		}
		if c.emulator.throughput != nil && !s.loading {
			c.emulator.throughput.Charge(tx, c.now(), writeDemands(tx, t, w.key, w.new, stamped, 1)...)
		}
		tx.Put(t, w.key, stamped)
	}
}

// stamped returns an item with the attributes of a write in a region. old is the item before.
func stamped(old, it item.Item, region string, now time.Time) item.Item {
	micros := max(now.UnixMilli()*1000+1, updateMicros(old)+1)                      // known examples end with 001
	seconds, _ := item.ParseDecimal(fmt.Sprintf("%d.%06d", micros/1e6, micros%1e6)) // it is a number
	return it.With(
		item.Attribute{Name: repDeleting, Value: item.Boolean(false)},
		item.Attribute{Name: repUpdateRegion, Value: item.String(region)},
		item.Attribute{Name: repUpdateTime, Value: item.Number(seconds)})
}

// updateMicros returns the time of the last write of an item, in microseconds, or 0 if it has none.
func updateMicros(it item.Item) int64 {
	if it == "" {
		return 0
	}
	seconds, err := strconv.ParseFloat(it.Get(repUpdateTime).Num(), 64)
	if err != nil || seconds < 0 || seconds > 1e10 {
		return 0 // there is none, or a client wrote it
	}
	return int64(math.Round(seconds * 1e6))
}

// flagDeleted is the first of the two phases in which a replica deletes items that were deleted in
// another one: it sets their attribute for that. The second phase deletes them.
func (l *link) flagDeleted(tx *storage.Tx, t *storage.Table, batch []*storage.Outgoing) {
	for _, out := range batch {
		old := tx.Get(t, out.Key)
		if out.Item == "" && old != "" && tx.Wins(t, out) && (l.forced || l.to.transactions().conflict(t, out.Key) == nil) {
			tx.Put(t, out.Key, old.With(item.Attribute{Name: repDeleting, Value: item.Boolean(true)}))
		}
	}
	tx.Separate()
}
