package insights

import (
	"github.com/kugiri-db/kugiri/conventions/api"
	"github.com/kugiri-db/kugiri/emulator/internal/apierr"
	"github.com/kugiri-db/kugiri/emulator/internal/serve"
	"github.com/kugiri-db/kugiri/emulator/internal/states"
	"github.com/kugiri-db/kugiri/emulator/internal/tables"
	"github.com/kugiri-db/kugiri/storage"
)

// observed is a table or a global index that may have contributor insights.
type observed struct {
	table    *storage.Table
	index    string // "" for the table itself
	key      *storage.KeySchema
	phase    tables.Change // the phase of an index
	insights *tables.Insights
}

// observedIn returns a table and its global indexes, including those that are being deleted. The
// insights are parts of s.
func observedIn(c *serve.Call, tx *storage.Tx, t *storage.Table, s *tables.Settings) []observed {
	now := c.Now()
	list := []observed{{t, "", &t.Key, "", &s.Insights}}
	for i := range s.Indexes {
		is := &s.Indexes[i]
		state := is.State.At(now)
		key := &storage.KeySchema{}
		switch ix := tx.Tables().Index(t, is.Name); {
		// ack-api-quirks, DDB-TABLE-116
		case state == "", states.IndexPhase(is, now) == states.Allocates:
			continue
		case is.Gone != nil:
			key = &is.Gone.Key
		case ix != nil:
			key = &ix.Key
		}
		list = append(list,
			observed{t, is.Name, key, states.IndexPhase(is, now), &is.Insights})
	}
	return list
}

// observedCalled returns the table of a request, or its index unless index is nil.
func observedCalled(c *serve.Call, tx *storage.Tx, t *storage.Table, s *tables.Settings,
	index *api.IndexName) (*observed, error) {
	list := observedIn(c, tx, t, s)
	for i := range list {
		if list[i].index == string(api.Deref(index)) {
			return &list[i], nil
		}
	}
	return nil, &apierr.Error{Type: apierr.ResourceNotFound, // ack-api-quirks, DDB-TABLE-094
		Message: "Requested resource not found: Index: " + string(*index) +
			" not found for table: " + t.Name}
}

// checkEnable returns an error unless insights can be enabled (ack-api-quirks, DDB-TABLE-116).
func (o *observed) checkEnable(changing *states.Changing) error {
	if err := changing.Refuse(states.EnableInsights); err != nil {
		return err
	}
	return changing.Error(o.phase, states.IndexKeys, "{index}", o.index)
}

// freeRules returns how many rules the account may have besides those of all tables and indexes but
// one.
func freeRules(c *serve.Call, tx *storage.Tx, but *observed) int {
	free := tables.MaxInsightRules
	for _, name := range tx.Tables().Names() {
		t := tx.Table(name)
		for _, o := range observedIn(c, tx, t, tables.SettingsOf(tx, t)) {
			if t != but.table || o.index != but.index {
				free -= o.insights.Rules(o.key)
			}
		}
	}
	return free
}
