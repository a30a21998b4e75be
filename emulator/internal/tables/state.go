package tables

import (
	"time"

	"github.com/kugiri-db/kugiri/storage"
)

// States of tables and indexes (API Reference, TableDescription, TableStatus;
// GlobalSecondaryIndexDescription, IndexStatus).
const (
	Creating = "CREATING"
	Updating = "UPDATING"
	Deleting = "DELETING"
	Active   = "ACTIVE"
)

// The states of what can be enabled and disabled: Kinesis destinations and contributor insights
// (API Reference, KinesisDataStreamDestination and DescribeContributorInsights).
const (
	enabling  = "ENABLING"
	disabling = "DISABLING"
	disabled  = "DISABLED"
)

// Change is a change of a table that takes time, or a phase of one. What requests answer meanwhile,
// and what descriptions show, is in the package states.
type Change string

// The changes that keep a table UPDATING. "" means no change, or one that is not listed here.
// Journals keep them.
const (
	ChangesIOPS     Change = "IOPS"
	ChangesBilling  Change = "BILLING"
	ChangesStream   Change = "STREAM"
	ChangesClass    Change = "CLASS"
	ChangesIndexes  Change = "INDEXES"  // one is being created
	DropsIndexes    Change = "DROPS"    // one is being deleted
	ChangesReplicas Change = "REPLICAS" // replicas, or another setting of a global table
)

// Transition is a state that a table or index has until a point in time. The next state is ACTIVE;
// after DELETING the table or index is gone. Nothing waits for that point: each use computes the
// state from the clock. The zero transition has passed.
type Transition struct {
	Status string
	Until  time.Time
}

// At returns the state at a point in time, "" once deleted.
func (t Transition) At(now time.Time) string {
	switch {
	case t.Status == "":
		return Active
	case now.Before(t.Until):
		return t.Status
	case t.Status == Deleting:
		return ""
	}
	return Active
}

// Settled returns t, or no transition if it has passed.
func (t Transition) Settled(now time.Time) Transition {
	if t.At(now) == Active {
		return Transition{}
	}
	return t
}

type transitionRecord struct {
	Status string
	Until  storage.Instant
}

func recordTransition(t Transition) transitionRecord {
	return transitionRecord{t.Status, storage.InstantOf(t.Until)}
}

func (r transitionRecord) transition() Transition { return Transition{r.Status, r.Until.Time()} }
