package policy

import (
	"slices"
	"strconv"

	"github.com/kugiri-db/kugiri/conventions"
	"github.com/kugiri-db/kugiri/conventions/policy/request"
	"github.com/kugiri-db/kugiri/storage/item"
)

// Amendment is a condition that makes the database check what the request does not show. Its
// placeholders begin with #kugiri and :kugiri. If the action has a condition of its own, both
// apply: (its own) AND (Expression).
type Amendment struct {
	Action int // the action that gets the condition, if Key is empty

	// Key is the key of an item in Table that the transaction has no action for. The transaction
	// gets a ConditionCheck for it. Key is "" if an action gets the condition.
	Table string
	Key   item.Item

	Expression string
	Names      map[string]string
	Values     map[string]item.Value // nil without values
}

const (
	nameOfKey      = "#kugiriKey"
	nameOfVersion  = "#kugiriVersion"
	valueOfVersion = ":kugiriVersion"
	nameOfActual   = "#kugiriActual"
	valueOfActual  = ":kugiriActual"
	valueOfWhole   = ":kugiriWhole"
)

// Amendments returns the conditions that make a request keep the rules on versions and latest
// items. A write that loses a race then fails with ConditionalCheckFailedException. A request that
// already has the condition gets none, and neither does a table that does not enforce the rule.
//
// In a command or history table, the new version must not exist and the version before must exist.
// In a data table, the stored item must have the version before; for a first version, it must have
// none. A put must not replace a version of a document, and a deletion must not delete the version
// that the latest item names.
func (e *Engine) Amendments(r *request.Request) []Amendment {
	a := amender{inspection: inspection{engine: e}, request: r}
	for i := range r.Writes {
		w := &r.Writes[i]
		if !w.Fixed && a.at(w.Table, w.Action) {
			a.amend(w)
		}
	}
	return a.amendments
}

// amender collects the amendments of a request.
type amender struct {
	inspection
	request    *request.Request
	amendments []Amendment
}

func (a *amender) amend(w *request.Write) {
	switch a.table.role {
	case Data:
		a.amendVersion(w)
	case Command, History:
		switch w.Kind {
		case request.Put:
			a.amendAbsence(w, RuleHistory)
			a.amendAdjacent(w)
		case request.Update: // an update of its bookkeeping attributes
			if w.MayCreate() && (a.enforces(RuleHistory) ||
				a.enforces(RuleVersionAttribute) && !w.Sets(a.table.version)) {
				a.amendExistence(w.Action, true)
			}
		}
	}
	if a.table.latest != nil {
		a.amendLatest(w)
	}
	a.amendExpiry(w)
}

// amendExpiry makes an update that does not say when its item expires conditional on the item: it
// makes none without that.
func (a *amender) amendExpiry(w *request.Write) {
	if !w.MayCreate() || !a.enforces(RuleExpiryMissing) {
		return
	}
	k := a.locate(w.Key)
	if k.entity != nil && k.entity.Expires != "" && !w.Sets(k.entity.Expires) {
		a.amendExistence(w.Action, true)
	}
}

// amendVersion makes a write that sets a version conditional on the version before.
func (a *amender) amendVersion(w *request.Write) {
	var written item.Value
	switch {
	case w.Kind == request.Put:
		written = w.Item.Get(a.table.version)
	case w.Kind == request.Update && w.Update != nil:
		written = w.Update.Assigned(a.table.version)
	}
	if w.Kind == request.Update && w.MayCreate() && !w.Sets(a.table.version) &&
		a.enforces(RuleVersionFirst) {
		a.amendExistence(w.Action, true)
		return
	}
	version, ok := versionOf(written)
	sure, _ := fitting(version, w.Demand(a.table.version, a.table.primary.key))
	if !ok || sure {
		return
	}
	switch {
	case a.enforces(RuleVersionSequence):
		a.amendSequence(w.Action, version)
	case a.enforces(RuleVersionFirst) && !isFirst(version):
		a.amendExistence(w.Action, true)
	}
}

// amendSequence makes a write of a version conditional on the version before. A new item may have a
// first version, or any version where RuleVersionFirst is not enforced.
func (a *amender) amendSequence(action int, version int64) {
	added := Amendment{Action: action, Names: map[string]string{nameOfVersion: a.table.version}}
	switch {
	case isFirst(version):
		added.Expression = "attribute_not_exists(" + nameOfVersion + ")"
	case !a.enforces(RuleVersionFirst):
		added.Expression = "attribute_not_exists(" + nameOfKey + ")"
		added.Names[nameOfKey] = a.table.primary.key.Partition
	}
	if version > conventions.VersionFirst {
		if added.Expression != "" {
			added.Expression += " OR "
		}
		added.Expression += nameOfVersion + " = " + valueOfVersion
		added.Values = map[string]item.Value{
			valueOfVersion: item.Value(`{"N":"` + strconv.FormatInt(version-1, 10) + `"}`),
		}
	}
	a.amendments = append(a.amendments, added)
}

// amendAbsence makes a write conditional on the absence of the item, if the table enforces the rule
// that demands it.
func (a *amender) amendAbsence(w *request.Write, demands *Rule) {
	if a.enforces(demands) && !w.Demand("", a.table.primary.key).Absent {
		a.amendExistence(w.Action, false)
	}
}

// amendExistence makes a write conditional on the existence or the absence of the item.
func (a *amender) amendExistence(action int, exists bool) {
	a.amendments = append(a.amendments, existence(action, a.table.primary.key, exists))
}

// existence returns the condition that the item exists or does not exist.
func existence(action int, key KeySchema, exists bool) Amendment {
	function := "attribute_not_exists"
	if exists {
		function = "attribute_exists"
	}
	return Amendment{
		Action: action, Expression: function + "(" + nameOfKey + ")",
		Names: map[string]string{nameOfKey: key.Partition},
	}
}

// amendAdjacent makes a transaction check the version next to a new one.
func (a *amender) amendAdjacent(w *request.Write) {
	if !a.enforces(RuleVersionSequence) {
		return
	}
	key := a.table.primary.key
	n, ok := adjacentTo(key, a.locate(w.Item))
	if !ok || !a.request.Transaction || a.request.Puts(w.Table, n.key, key) {
		return
	}
	a.amendOther(w.Table, n.key, existence(0, key, n.exists))
}

// amendOther puts a condition on another item than the one that the write changes. It uses the
// transaction's action for that item, or adds a ConditionCheck.
func (a *amender) amendOther(table string, key item.Item, added Amendment) {
	names := a.table.primary.key
	for i := range a.request.Writes {
		w := &a.request.Writes[i]
		if w.Table == table && names.KeyOf(w.Attributes()) == key {
			added.Action = w.Action
			a.amendments = append(a.amendments, added)
			return
		}
	}
	added.Table, added.Key = table, key
	a.amendments = append(a.amendments, added)
}

// amendLatest makes a put or update of a version of a document conditional on the version's
// absence, and its deletion on what the latest item names.
func (a *amender) amendLatest(w *request.Write) {
	rule := a.table.latest
	k := a.locate(w.Attributes())
	d := rule.document(w.Attributes())
	if d.isPointer || w.Kind == request.Check || !rule.covers(&k) {
		return
	}
	if w.Kind != request.Delete {
		a.amendAbsence(w, RuleLatestRewritten)
		return
	}
	if !a.enforces(RuleLatestVersion) || !a.request.Transaction ||
		a.writes(w.Table, rule.keyOf(&d, rule.Pointer)) {
		return
	}
	suffix := strconv.Itoa(w.Action)
	a.amendOther(w.Table, rule.keyOf(&d, rule.Pointer), Amendment{
		Expression: "NOT " + nameOfActual +
			" IN (" + valueOfActual + suffix + ", " + valueOfWhole + suffix + ")",
		Names: map[string]string{nameOfActual: rule.ActualVersion},
		Values: map[string]item.Value{valueOfActual + suffix: item.String(d.version),
			valueOfWhole + suffix: item.String(d.whole)},
	})
}

// writes reports whether the request puts, updates or deletes an item. A ConditionCheck does not
// count.
func (a *amender) writes(table string, key item.Item) bool {
	names := a.table.primary.key
	return slices.ContainsFunc(a.request.Writes, func(w request.Write) bool {
		return w.Table == table && w.Kind != request.Check && names.KeyOf(w.Attributes()) == key
	})
}
