package states

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/kugiri-db/kugiri/emulator/internal/tables"
)

// TestPhases: a creation and a deletion pass through their phases.
func TestPhases(t *testing.T) {
	begin := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	const creation, deletion = 12 * time.Second, 8 * time.Second
	created := tables.Transition{Status: tables.Creating, Until: begin.Add(creation)}
	deleted := tables.Transition{Status: tables.Deleting, Until: begin.Add(deletion)}
	updated := tables.Transition{Status: tables.Updating, Until: begin.Add(time.Second)}
	for _, c := range []struct {
		name  string
		state tables.Transition
		after time.Duration
		want  tables.Change
	}{
		{"at first", created, 0, CreatesUnseen},
		{"before the half", created, 6*time.Second - 1, CreatesUnseen},
		{"at the half", created, 6 * time.Second, CreatesSeen},
		{"before the last sixth", created, 10*time.Second - 1, CreatesSeen},
		{"in the last sixth", created, 10 * time.Second, CreatesTagged},
		{"created", created, creation, ""},
		{"deleted just now", deleted, 0, DeletesSeen},
		{"before the first quarter ends", deleted, 2*time.Second - 1, DeletesSeen},
		{"after the first quarter", deleted, 2 * time.Second, Deletes},
		{"gone", deleted, deletion, Missing},
		{"updated", updated, 0, tables.ChangesReplicas},
		{"updated then", updated, time.Second, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			x := &Changing{Settings: &tables.Settings{State: c.state}, Now: begin.Add(c.after),
				Create: creation, Delete: deletion}
			assert.Equal(t, c.want, x.Phase())
		})
	}
}

// TestRefuse: the phase answers before what goes on beside it, and a request that no row names is
// taken.
func TestRefuse(t *testing.T) {
	now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	until := now.Add(time.Second)
	x := &Changing{Table: "t", Now: now, Settings: &tables.Settings{
		State:    tables.Transition{Status: tables.Updating, Until: until},
		Changing: tables.ChangesStream,
		Indexes: []tables.IndexSettings{
			{Name: "i", State: tables.Transition{Status: tables.Updating, Until: until}},
		},
	}}
	assert.EqualError(t, x.Refuse(Delete), "ResourceInUseException: Attempt to change a resource "+
		"which is still in use: Cannot delete table while stream is being enabled/disabled.")
	x.Settings.State = tables.Transition{}
	assert.EqualError(t, x.Refuse(Delete), "ResourceInUseException: Attempt to change a resource "+
		"which is still in use: Cannot delete table while indexes are being created, updated, or deleted.")
	assert.NoError(t, x.Refuse(Tag))
	assert.NoError(t, x.RefusePhase(Delete))
	assert.EqualError(t, x.Refuse(Create), "ResourceInUseException: Table already exists: t")
}
