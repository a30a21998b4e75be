package migrate

import (
	"fmt"
	"slices"
	"strings"
)

// StepKind says what a step of a migration does.
type StepKind string

// The kinds of steps.
const (
	MakeTable StepKind = "create table"
	// items of Model are written with Attributes, or to the new table too
	WriteToo    StepKind = "write"
	Backfill    StepKind = "backfill" // the items that were there get them
	MakeIndex   StepKind = "create index"
	SwitchReads StepKind = "switch reads" // reads of Pattern go to the new query
	WriteModel  StepKind = "write model"  // items of a new Model are written
	StartReads  StepKind = "start reads"  // reads of a new Pattern begin
	EndReads    StepKind = "end reads"    // reads of a Pattern end that the new design has not
	DropIndex   StepKind = "drop index"
	StopWriting StepKind = "stop writing" // Attributes, or to the old table; items lose them
	DeleteItems StepKind = "delete items" // items of a Model go that the new design has not
	DropTable   StepKind = "drop table"
	EndTTL      StepKind = "end times to live"
	StartTTL    StepKind = "start times to live" // items expire by Attributes
	StartStream StepKind = "start the stream"    // a consumer of writes reads it
	EndStream   StepKind = "end the stream"
	ChangeWrite StepKind = "change a write" // Write is sent as Query says; "" is as single requests
)

// Step is a step of a migration.
type Step struct {
	Kind                  StepKind
	Model, Pattern, Index string
	Attributes            []string
	Table                 string // the one that is created or dropped
	Query                 string // the query of SwitchReads, StartReads and ChangeWrite
	Write                 string // the name of the write of ChangeWrite
	// why reads switch to a query that looks like the old one, or what a new guard needs
	Because string
	After   []int // the steps without which this one breaks a pattern
}

// String says what to do.
func (s Step) String() string {
	attributes := strings.Join(s.Attributes, ", ")
	switch s.Kind {
	case MakeTable:
		return "create the table " + s.Table
	case WriteToo:
		if s.Attributes == nil {
			return fmt.Sprintf("write %s to both tables", s.Model)
		}
		return fmt.Sprintf("write %s with %s as well", s.Model, attributes)
	case Backfill:
		if s.Attributes == nil {
			return fmt.Sprintf("copy the items of %s to the new table", s.Model)
		}
		return fmt.Sprintf("backfill %s of the items of %s", attributes, s.Model)
	case MakeIndex:
		return "create the index " + s.Index
	case SwitchReads:
		return s.because(fmt.Sprintf("switch reads of %q: %s", s.Pattern, s.Query), ", because ")
	case WriteModel:
		return s.because("start to write "+s.Model, ": ")
	case StartReads:
		return fmt.Sprintf("start reads of %q: %s", s.Pattern, s.Query)
	case EndReads:
		return fmt.Sprintf("end reads of %q", s.Pattern)
	case DropIndex:
		return "delete the index " + s.Index
	case StopWriting:
		if s.Attributes == nil {
			return fmt.Sprintf("stop writing %s to the old table", s.Model)
		}
		return fmt.Sprintf("stop writing %s of %s, and remove them from its items", attributes,
			s.Model)
	case EndTTL:
		return "disable the time to live " + attributes
	case StartTTL:
		return "enable the time to live " + attributes
	case StartStream:
		return "enable the stream, with new and old images, and its consumer"
	case EndStream:
		return "end the consumer of the stream, and disable it"
	case ChangeWrite:
		if s.Query == "" {
			return fmt.Sprintf("end the write %q: what it keeps is no longer kept", s.Write)
		}
		return fmt.Sprintf("send the write %q as: %s", s.Write, s.Query)
	case DeleteItems:
		return "delete the items of " + s.Model
	}
	return "delete the table " + s.Table
}

// because adds the reason of a step to its text, if it has one.
func (s Step) because(text, between string) string {
	if s.Because == "" {
		return text
	}
	return text + between + s.Because
}

// stepList collects the steps of a migration, and finds them again by their ids.
type stepList struct {
	all []Step
	at  map[string]int
}

func newSteps() *stepList { return &stepList{at: map[string]int{}} }

// add adds a step that comes after those with the given ids, as far as there are any.
func (s *stepList) add(step Step, after ...string) {
	s.addAs(id(step.Kind, step.Model+step.Pattern+step.Index+step.Table+step.Write), step, after...)
}

// addAs is add with another id for the step.
func (s *stepList) addAs(as string, step Step, after ...string) {
	for _, id := range after {
		if at, ok := s.at[id]; ok && !slices.Contains(step.After, at) {
			step.After = append(step.After, at)
		}
	}
	s.at[as] = len(s.all)
	s.all = append(s.all, step)
}

// id returns the id of a step of a kind, for a model, a pattern, an index or a table.
func id(kind StepKind, name string) string { return string(kind) + " " + name }

// ofModels returns the ids of the steps of a kind for models.
func ofModels(kind StepKind, models []string) (ids []string) {
	for _, model := range models {
		ids = append(ids, id(kind, model))
	}
	return ids
}

// known is the suffix of ids of steps that fill columns of the old plan.
const known = " known"
