package policy

import (
	"strconv"

	"github.com/kugiri-db/kugiri/conventions"
	"github.com/kugiri-db/kugiri/storage/item"
)

// Amendment is a condition that holds a write to the rules on versions. Its placeholders begin with #kugiri and :kugiri. A
// write that has a condition gets both: (its own) AND (Expression).
type Amendment struct {
	Expression string
	Names      map[string]string
	Values     map[string]item.Value // nil if there is none
}

const (
	nameOfKey      = "#kugiriKey"
	nameOfVersion  = "#kugiriVersion"
	valueOfVersion = ":kugiriVersion"
)

// VersionCondition returns the condition to add to a write that sets a version without asking for the one before: a lost
// race then fails with ConditionalCheckFailedException. ok is false if none is needed, or none can be added.
//
// An item of a command or history table must not be there; one of a data table must have the version before, or, if it
// is the first, not be there.
func (e *Engine) VersionCondition(w *Write) (a Amendment, ok bool) {
	t := e.table(w.Table)
	if t == nil {
		return a, false
	}
	return e.amend(t, w)
}

func (e *Engine) amend(t *table, w *Write) (a Amendment, ok bool) {
	if w.Fixed || t.role == Plain {
		return a, false
	}
	absent := Amendment{
		Expression: "attribute_not_exists(" + nameOfKey + ")",
		Names:      map[string]string{nameOfKey: t.primary.key.Partition},
	}
	if t.role != Data && w.Kind == Update { // of its bookkeeping
		absent.Expression = "attribute_exists(" + nameOfKey + ")"
		return absent, true
	}
	if t.role != Data {
		return absent, w.Kind == Put
	}
	var written item.Value
	switch {
	case w.Kind == Put:
		written = w.Item.Get(t.version)
	case w.Kind == Update && w.Update != nil:
		written = w.Update.Assigned(t.version)
	}
	version, ok := versionOf(written)
	if !ok || w.demands(t.version) != "" {
		return a, false
	}
	if version == conventions.VersionFirst {
		return absent, true
	}
	follows := Amendment{
		Expression: nameOfVersion + " = " + valueOfVersion,
		Names:      map[string]string{nameOfVersion: t.version},
		Values:     map[string]item.Value{valueOfVersion: item.Value(`{"N":"` + strconv.FormatInt(version-1, 10) + `"}`)},
	}
	if isFirst(version) {
		follows.Expression = absent.Expression + " OR " + follows.Expression
		follows.Names[nameOfKey] = absent.Names[nameOfKey]
	}
	return follows, true
}
