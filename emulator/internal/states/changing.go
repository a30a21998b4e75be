package states

import (
	"slices"
	"strings"
	"time"

	"github.com/kugiri-db/kugiri/emulator/internal/apierr"
	"github.com/kugiri-db/kugiri/emulator/internal/tables"
)

// rows has each row by its change.
var rows = byChange(tablesThatPass, tablesThatUpdate, tablesThatAreActive, indexesThatChange,
	destinations)

func byChange(groups ...[]Row) map[tables.Change]*Row {
	rows := map[tables.Change]*Row{}
	for _, group := range groups {
		for i := range group {
			rows[group[i].Change] = &group[i]
		}
	}
	return rows
}

// KeepsUpdating reports whether a table is UPDATING during a change.
func KeepsUpdating(c tables.Change) bool {
	r := rows[c]
	return r != nil && r.Status == tables.Updating
}

// Changing is a table, with what is changing of it at a moment, for the request that reads it.
type Changing struct {
	Table    string
	Created  time.Time
	Settings *tables.Settings // nil: there is no such table
	Now      time.Time
	Create   time.Duration // how long a creation takes
	Delete   time.Duration // how long a deletion takes
	Quotas   bool
	Region   string
	Resource string // the ARN in the request, for texts that have it
}

// Phase returns the change that the status of the table is of, or "" if it is ACTIVE.
func (c *Changing) Phase() tables.Change {
	if c.Settings == nil {
		return Missing
	}
	state := c.Settings.State
	left := state.Until.Sub(c.Now)
	switch state.At(c.Now) {
	case "":
		return Missing
	case tables.Creating:
		return c.creation(left)
	case tables.Deleting:
		if left > c.Delete-c.Delete/4 {
			return DeletesSeen
		}
		return Deletes
	case tables.Updating:
		return c.update()
	}
	return ""
}

// creation returns the phase of a creation that ends after a while.
func (c *Changing) creation(left time.Duration) tables.Change {
	switch {
	case c.Settings.Restored != nil:
		return Restores
	case c.Settings.Global != nil:
		return Joins
	case left > c.Create/2:
		return CreatesUnseen
	case left > c.Create/6:
		return CreatesSeen
	}
	return CreatesTagged
}

// update returns the change that keeps the table UPDATING.
func (c *Changing) update() tables.Change {
	global := c.Settings.Global
	switch {
	case global != nil && c.addedReplica() != "":
		return AddsReplica
	case global != nil:
		return MemberUpdates
	case c.Settings.Changing == tables.ChangesBilling && c.Settings.Billing.OnDemandMode():
		return BecomesOnDemand
	case rows[c.Settings.Changing] == nil:
		return tables.ChangesReplicas
	}
	return c.Settings.Changing
}

// addedReplica returns the region of a replica that is being created, or "".
func (c *Changing) addedReplica() string {
	global := c.Settings.Global
	if global == nil {
		return ""
	}
	for i := range global.Replicas {
		if global.Replicas[i].State.At(c.Now) == tables.Creating {
			return global.Replicas[i].Region
		}
	}
	return ""
}

// Beside returns the changes beside which the table is ACTIVE, or which go on beside its Phase.
func (c *Changing) Beside() (changes []tables.Change) {
	s := c.Settings
	pending := slices.ContainsFunc(s.Policies, func(p tables.ResourcePolicy) bool {
		return p.Stream == "" && c.Now.Before(p.From)
	})
	for _, x := range [...]struct {
		change tables.Change
		is     bool
	}{
		{EnablesBackups, c.enablesBackups()},
		{ChangesEncryption, s.Encryption.State.At(c.Now) == tables.Updating},
		{ChangesWarm, s.Capacity.Warm.State.At(c.Now) == tables.Updating},
		{ChangesPolicy, pending},
		{ChangesTags, c.Quotas && s.Past.Tagging(c.Now)},
		{ProtectionRests, c.Quotas && s.Past.Protecting(c.Now)},
		{ChangesTTL, s.TTL.State.At(c.Now) != tables.Active},
	} {
		if x.is {
			changes = append(changes, x.change)
		}
	}
	for i := range s.Indexes {
		if change := IndexPhase(&s.Indexes[i], c.Now); change != "" {
			changes = append(changes, change)
		}
	}
	for i := range s.Vectors {
		if change := VectorPhase(&s.Vectors[i], c.Now); change != "" {
			changes = append(changes, change)
		}
	}
	return changes
}

// enablesBackups reports whether the backups of a new table are not enabled yet. On the service
// they are a few seconds after the table is ACTIVE (service facts S.7), here half of its delay.
func (c *Changing) enablesBackups() bool {
	return c.Now.Before(c.Created.Add(c.Create + c.Create/2))
}

// Refuse returns the error of a request, or nil if no change in progress refuses it. Those that an
// operation judges later, it asks for by themselves: see Error.
func (c *Changing) Refuse(asked Request) error {
	if err := c.RefusePhase(asked); err != nil || c.Phase() == Missing {
		return err
	}
	for _, change := range c.Beside() {
		if err := c.Error(change, asked); err != nil {
			return err
		}
	}
	return nil
}

// RefusePhase is Refuse for the status of the table alone.
func (c *Changing) RefusePhase(asked Request) error {
	phase := c.Phase()
	if err := c.Error(phase, asked); err != nil || phase == Missing {
		return err
	}
	return c.err(always[asked])
}

// answer returns what a row says of a request.
func answer(change tables.Change, asked Request) Answer {
	row := rows[change]
	if row == nil {
		return admitted
	}
	a, known := row.Answers[asked]
	if !known && strings.HasPrefix(string(asked), string(Update)+" ") {
		a = row.Answers[Update]
	}
	return a
}

// Error returns what a request answers because of a change, or nil. names stand for more of the
// names in texts: pairs of a name and what it means.
func (c *Changing) Error(change tables.Change, asked Request, names ...string) error {
	a := answer(change, asked)
	if a == missing {
		a = answer(Missing, asked)
	}
	return c.err(a, names...)
}

// err returns an answer as an error, nil if it admits the request.
func (c *Changing) err(a Answer, names ...string) error {
	if a == admitted {
		return nil
	}
	return &apierr.Error{Type: a.Type, Message: c.fill(a.Text, names)}
}

// fill writes the names into a text.
func (c *Changing) fill(text string, more []string) string {
	if !strings.Contains(text, "{") {
		return text
	}
	names := append([]string{
		"{table}", c.Table, "{resource}", c.Resource, "{region}", c.Region,
	}, more...)
	if s := c.Settings; s != nil {
		operation := "DISABLE"
		if s.Stream.Enabled {
			operation = "ENABLE"
		}
		table, online := "Table: "+c.Table, tables.Listed(c.onlineIndexes())
		toClass := "TableClassUpdateInProgress: " + string(s.Class.Class)
		names = append(names, "{stream}", table+" Stream: "+s.Stream.Label()+
			" Operation: "+operation, "{class}", table+" "+toClass, "{to class}", toClass,
			"{indexes}", table+" Indexes: "+online, "{names}", online,
			"{status}", s.State.At(c.Now), "{replica}", c.addedReplica(),
			"{source}", s.Restored.From(), "{next}", s.Past.ProtectedUntil(),
			"{Place}", "Table", "{place}", "table", "{name}", c.Table)
	}
	return strings.NewReplacer(names...).Replace(text)
}

// onlineIndexes returns the names of the indexes that are being created or deleted.
func (c *Changing) onlineIndexes() (names []string) {
	add := func(name string, state tables.Transition) {
		if status := state.At(c.Now); status == tables.Creating || status == tables.Deleting {
			names = append(names, name)
		}
	}
	for i := range c.Settings.Indexes {
		add(c.Settings.Indexes[i].Name, c.Settings.Indexes[i].State)
	}
	for i := range c.Settings.Vectors {
		add(c.Settings.Vectors[i].Name, c.Settings.Vectors[i].State)
	}
	return names
}

// IndexPhase returns what is changing of a global index, or "".
func IndexPhase(ix *tables.IndexSettings, now time.Time) tables.Change {
	switch status := ix.State.At(now); {
	case status == tables.Creating && now.Before(ix.Backfill):
		return Allocates
	case status == tables.Creating:
		return Backfills
	case status == tables.Updating:
		return IndexUpdates
	case status == tables.Deleting:
		return IndexDeletes
	}
	return ""
}

// VectorPhase returns what is changing of a vector index, or "".
func VectorPhase(ix *tables.VectorSettings, now time.Time) tables.Change {
	switch status := ix.State.At(now); {
	case status == tables.Creating && now.Before(ix.Backfill):
		return VectorWaits
	case status == tables.Creating:
		return VectorFills
	case status == tables.Deleting:
		return VectorDeletes
	case ix.Arriving(now):
		return VectorArrives
	}
	return ""
}

// DestinationPhase returns the change that a status of a Kinesis destination stands for,
// NoDestination if it is "".
func DestinationPhase(status string) tables.Change {
	for i := range destinations {
		if destinations[i].Status == status {
			return destinations[i].Change
		}
	}
	return ""
}
