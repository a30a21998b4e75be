package storage

import (
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/kugiri-db/kugiri/storage/item"
)

func newWorld(s *Store) *world {
	return &world{store: s, model: model{}, backups: map[string]*modelTable{}, past: modelPast{}}
}

// modelPast holds the contents of tables at moments, by the tables' names.
type modelPast map[string]*modelRecovery

// modelRecovery is the past of one table, whose moments ascend.
type modelRecovery struct {
	life    time.Duration
	created time.Time // when the table was created
	moments []moment
}

type moment struct {
	at    time.Time
	items map[string]item.Item
}

func (p modelPast) clone() modelPast {
	c := modelPast{}
	for name, r := range p {
		c[name] = &modelRecovery{r.life, r.created, slices.Clone(r.moments)}
	}
	return c
}

// record notes what the tables of a world hold after a commit.
func (p modelPast) record(w *world, now time.Time) {
	for name, r := range p {
		table := w.table(name)
		if table == nil || !table.Created.Equal(r.created) {
			delete(p, name)
			continue
		}
		r.moments = append(r.moments, moment{now, maps.Clone(w.model[name].items)})
	}
}

// recovery begins to keep the past of a table, keeps it for another time, or ends that.
func (m *machine) recovery(t *rapid.T) {
	w, name, table := m.table(t)
	m.now = m.now.Add(time.Second)
	life := rapid.SampledFrom(
		[]time.Duration{0, time.Minute, 24 * time.Hour, 35 * 24 * time.Hour}).Draw(t, "life")
	fails := rapid.Bool().Draw(t, "fails")
	err := w.store.Update(func(tx *Tx) error {
		if life == 0 {
			tx.Recovery().Disable(table)
		} else {
			tx.Recovery().Enable(table, life)
		}
		if fails {
			return errGiveUp
		}
		return nil
	})
	r := w.past[name]
	switch {
	case fails:
		require.Equal(t, errGiveUp, err)
	case life == 0:
		delete(w.past, name)
	case r == nil:
		w.past[name] = &modelRecovery{life, table.Created,
			[]moment{{m.now, maps.Clone(w.model[name].items)}}}
	default:
		r.forget(m.now)
		r.life = life
	}
}

// forget forgets the moments before the first to which the table can be taken.
func (r *modelRecovery) forget(now time.Time) {
	oldest := now.Add(-r.life)
	for len(r.moments) > 1 && !r.moments[1].at.After(oldest) {
		r.moments = r.moments[1:]
	}
	if oldest.After(r.moments[0].at) {
		r.moments[0].at = oldest
	}
}

// recover takes a copy of a table back to a moment, and removes it again.
func (m *machine) recover(t *rapid.T) {
	w, name, table := m.table(t)
	r := w.past[name]
	if r == nil {
		require.Nil(t, table.recovery)
		t.Skip("no past")
	}
	r.forget(m.now)
	past := rapid.SampledFrom(r.moments).Draw(t, "moment")
	without := drawWithout(t)
	require.Equal(t, errGiveUp, w.store.Update(func(tx *Tx) error {
		from, life, ok := tx.Recovery().Window(table)
		require.True(t, ok)
		require.Equal(t, r.life, life)
		require.True(t, r.moments[0].at.Equal(from), "%v, not %v", from, r.moments[0].at)
		copied := tx.Recovery().Restore(table, past.at,
			TableSpec{Name: "v", ID: "id", Settings: "new", Without: without})
		want := w.model[name].without(without)
		want.items, want.settings = past.items, "new"
		all := w.model.clone()
		all["v"] = want
		checkTx(t, tx, all)
		require.NoError(t, copied.check())
		return errGiveUp
	}))
}

// drawWithout draws names of indexes.
func drawWithout(t *rapid.T) []string {
	var names []string
	for _, ix := range testIndexes {
		names = append(names, ix.Name)
	}
	for _, ix := range testVectors {
		names = append(names, ix.Name)
	}
	return rapid.SliceOfN(rapid.SampledFrom(names), 0, 4).Draw(t, "without")
}

// without is the table without some of its indexes.
func (t *modelTable) without(names []string) *modelTable {
	c := model{"": t}.clone()[""]
	c.indexes = slices.DeleteFunc(c.indexes,
		func(ix IndexSchema) bool { return slices.Contains(names, ix.Name) })
	c.vectors = slices.DeleteFunc(c.vectors,
		func(ix VectorSchema) bool { return slices.Contains(names, ix.Name) })
	return c
}

// table draws a table.
func (m *machine) table(t *rapid.T) (w *world, name string, table *Table) {
	w = m.world(t)
	if len(w.model) == 0 {
		t.Skip("no table")
	}
	name = rapid.SampledFrom(slices.Sorted(maps.Keys(w.model))).Draw(t, "name")
	return w, name, w.table(name)
}

// backup backs up a table, or drops a backup.
func (m *machine) backup(t *rapid.T) {
	w, name, table := m.table(t)
	id := fmt.Sprint(rapid.IntRange(1, 5).Draw(t, "id"))
	fails := rapid.Bool().Draw(t, "fails")
	err := w.store.Update(func(tx *Tx) error {
		if b := tx.Backups().ByID(id); b != nil {
			tx.Backups().Drop(b)
			require.Nil(t, tx.Backups().ByID(id))
		} else {
			tx.Backups().Create(table, id, "of "+name)
		}
		if fails {
			return errGiveUp
		}
		return nil
	})
	switch {
	case fails:
		require.Equal(t, errGiveUp, err)
	case w.backups[id] != nil:
		delete(w.backups, id)
	default:
		w.backups[id] = w.model[name].without(nil)
		w.backups[id].settings = "of " + name
	}
}

// restore makes a table of a backup, if there is room for one.
func (m *machine) restore(t *rapid.T) {
	w := m.world(t)
	if len(w.backups) == 0 || len(w.model) == 2 {
		t.Skip("no backup, or no room for it")
	}
	id := rapid.SampledFrom(slices.Sorted(maps.Keys(w.backups))).Draw(t, "id")
	name := "t"
	if w.model[name] != nil {
		name = "u"
	}
	without := drawWithout(t)
	m.now = m.now.Add(time.Second)
	require.NoError(t, w.store.Update(func(tx *Tx) error {
		tx.Backups().Restore(tx.Backups().ByID(id),
			TableSpec{Name: name, ID: "id", Settings: "new", Without: without})
		return nil
	}))
	w.model[name] = w.backups[id].without(without)
	w.model[name].settings = "new"
}

// checkBackups compares all backups with the model.
func (w *world) checkBackups(t require.TestingT, tx *Tx) {
	var ids []string
	for _, b := range tx.Backups().All() {
		ids = append(ids, b.ID)
		want := w.backups[b.ID]
		require.NotNil(t, want)
		require.Equal(t, want.settings, b.Settings)
		require.Equal(t, want.stats(""), b.Stats())
		require.ElementsMatch(t, want.indexes, b.Schemas())
		require.ElementsMatch(t, want.vectors, b.VectorSchemas())
	}
	require.Equal(t, slices.Sorted(maps.Keys(w.backups)), ids)
}
