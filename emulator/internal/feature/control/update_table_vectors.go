package control

import (
	"fmt"
	"slices"

	"github.com/kugiri-db/kugiri/conventions/api"
	"github.com/kugiri-db/kugiri/conventions/policy/request"
	"github.com/kugiri-db/kugiri/emulator/internal/apierr"
	"github.com/kugiri-db/kugiri/emulator/internal/serve"
	"github.com/kugiri-db/kugiri/emulator/internal/tables"
	"github.com/kugiri-db/kugiri/storage"
	"github.com/kugiri-db/kugiri/storage/item"
)

// checkVectorUpdates applies the rules on VectorIndexUpdates that need no table. All of them are
// online operations, and a table has one of those at a time.
func checkVectorUpdates(in *api.UpdateTableInput) error {
	for i := range in.VectorIndexUpdates {
		switch up := &in.VectorIndexUpdates[i]; {
		case up.Create == nil && up.Delete == nil:
			return apierr.BadParameter(
				"One of VectorIndexUpdate.Create, VectorIndexUpdate.Delete must not be null")
		case up.Create != nil && up.Delete != nil:
			return apierr.BadParameter(
				"Only one vector index action is allowed per VectorIndexUpdate object")
		}
	}
	online := len(in.VectorIndexUpdates)
	for i := range in.GlobalSecondaryIndexUpdates {
		if in.GlobalSecondaryIndexUpdates[i].Update == nil {
			online++
		}
	}
	if online > 1 {
		return errOneOnline
	}
	return nil
}

// vectorUpdate changes the vector indexes of a table.
type vectorUpdate struct{ indexUpdate }

// vectors creates or deletes a vector index.
func (u vectorUpdate) vectors() error {
	provisioned := !u.settings.Billing.OnDemandMode()
	switch {
	case provisioned && len(u.settings.Vectors) > 0: // even if the request deletes them all
		return tables.ErrKeepsVectorMode
	case len(u.in.VectorIndexUpdates) == 0:
		return nil
	}
	up := &u.in.VectorIndexUpdates[0] // there is one at most: see checkVectorUpdates
	if up.Delete != nil {
		return u.deleteVector(string(*up.Delete.IndexName))
	}
	if provisioned {
		return tables.ErrVectorMode
	}
	return u.createVector(api.VectorIndex(*up.Create))
}

// createVector adds a vector index and fills it at once. Only its state shows how long the creation
// lasts.
func (u vectorUpdate) createVector(in api.VectorIndex) error {
	if err := u.checkNewVector(&in); err != nil {
		return err
	}
	if err := define(u.call,
		request.KeyOfVectorIndex(u.table.Name, &in, u.merged())); err != nil {
		return err
	}
	u.settings.Definitions = u.merged()
	tables.SortDefinitions(u.settings.Definitions)
	schema := tables.VectorSchema(&in, u.settings.Definitions)
	u.tx.Vectors().AddIndex(u.table, schema)
	u.dropUnused()
	u.settings.Vectors = append(u.settings.Vectors, tables.VectorSettings{
		Name:     schema.Name,
		State:    tables.Transition{Status: tables.Creating, Until: u.now.Add(2 * u.delay)},
		Online:   true,
		Backfill: u.now.Add(u.delay),
	})
	return nil
}

// checkNewVector checks a vector index against the table.
func (u vectorUpdate) checkNewVector(ix *api.VectorIndex) error {
	name := string(*ix.IndexName)
	if u.tx.Tables().Index(u.table, name) != nil || u.tx.Vectors().Index(u.table, name) != nil {
		return errIndexExists
	}
	if err := u.checkOnline(""); err != nil {
		return err
	}
	if len(u.settings.Vectors) >= tables.MaxVectorIndexes {
		// service facts V.1.10
		return tables.ErrLimit("Number of vector secondary indexes exceeds per-table limit of %d",
			tables.MaxVectorIndexes)
	}
	if err := u.checkVectorType(ix); err != nil {
		return err
	}
	if err := tables.CheckVectorIndex(ix, u.merged()); err != nil {
		return err
	}
	all := []api.VectorIndex{*ix}
	for _, other := range u.tx.Vectors().Indexes(u.table) {
		all = append(all, tables.APIVector(&other.VectorSchema))
	}
	return tables.CheckVectorsTogether(all, u.specs())
}

// checkVectorType checks that the attributes of a new vector index have no other types in other
// indexes and in the key (service facts V.1.6).
func (u vectorUpdate) checkVectorType(ix *api.VectorIndex) error {
	for _, e := range ix.SearchSchema {
		if u.vectorOf(string(*e.AttributeName)) != nil {
			return tables.ErrDefinedVector(string(*e.AttributeName))
		}
	}
	name := api.KeySchemaAttributeName(*ix.VectorAttribute.AttributeName)
	if tables.TypeOf(name, u.in.AttributeDefinitions) != item.NoType {
		return nil // see tables.CheckVectorIndex
	}
	if key := u.keyWith(name); key != nil {
		return errRedefined(printSchema(key, u.settings.Definitions),
			printVector(string(name), int(*ix.Dimensions)))
	}
	return nil
}

// printVector formats a vector attribute for the message of errRedefined.
func printVector(name string, dimensions int) string {
	return fmt.Sprintf("VectorIndexSchema:[VectorAttribute: key{%s:L:%d}]", name, dimensions)
}

// vectorOf returns a vector index whose vectors an attribute has, or nil.
func (u indexUpdate) vectorOf(name string) *storage.VectorIndex {
	for _, ix := range u.tx.Vectors().Indexes(u.table) {
		if ix.Attribute == name {
			return ix
		}
	}
	return nil
}

// deleteVector removes a vector index, and the definitions that only it used.
func (u vectorUpdate) deleteVector(name string) error {
	is := u.settings.Vector(name)
	if is == nil {
		return u.errNoIndex(name)
	}
	if err := u.checkOnline(name); err != nil {
		return err
	}
	ix := u.tx.Vectors().Index(u.table, name)
	schema := ix.VectorSchema
	is.Gone, is.Stats, is.State = &schema, u.tx.Vectors().
		Stats(u.table, ix), u.passing(tables.Deleting)
	u.tx.Vectors().DropIndex(u.table, ix)
	u.dropUnused()
	return nil
}

// RestoreVectors sets the states of the vector indexes of a table that is being restored: they are
// backfilled once the table has its items (Developer Guide, vector indexes and backups). It returns
// the indexes of the source that the table does not get.
func RestoreVectors(c *serve.Call, from *tables.RestoreSource, kept []api.VectorIndex,
	s *tables.Settings) (without []string) {
	delays, now := c.Delays(), c.Now()
	for i := range s.Vectors {
		ix := &s.Vectors[i]
		ix.Online, ix.Backfill = true, now.Add(delays.Create)
		ix.State = tables.Transition{Status: tables.Creating, Until: ix.Backfill.Add(delays.Update)}
	}
	for i := range from.Vectors {
		ix := &from.Vectors[i]
		if !slices.ContainsFunc(kept,
			func(k api.VectorIndex) bool { return string(*k.IndexName) == ix.Name }) {
			without = append(without, ix.Name)
		}
	}
	return without
}
