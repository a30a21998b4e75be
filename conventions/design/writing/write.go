package writing

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Write is a write that keeps what is unique, counted or written together. Its Actions are one
// request: TransactWriteItems, if they are several items.
type Write struct {
	Name    string // such as "put User", or the name of a Transaction
	Model   string // the model whose item it puts, changes or deletes; "" is a Transaction
	Actions []Action
	After   []Action // further requests after that: counters kept by add
	Later   []Action // requests of a consumer of the table's stream, for the record of an item
	// a further request of that consumer, a transaction: the first action marks the record as
	// counted, so that nothing counts it again
	Once []Action
	Rate float64 // writes a second; deletes have none

	Field string `json:"-"` // the field of the design, for errors
}

// ActionKind says what an action does.
type ActionKind string

// The kinds of actions.
const (
	PutItem    ActionKind = "Put"    // a new item, or all of an item that there is
	UpdateItem ActionKind = "Update" // some attributes of an item
	DeleteItem ActionKind = "Delete"
	AddTo      ActionKind = "Add" // a number to a counter
	// a number from numbers of an item, or to them, without having read it
	TakeFrom ActionKind = "Take"
	// values of a new item in the item that it is of, unless that has those of a newer one
	SetLast ActionKind = "SetLast"
)

// Action says what a write does with items of one model.
type Action struct {
	Kind   ActionKind
	Model  string
	Count  int       // how many items: 1, unless a Transaction says more
	If     Existence // the condition without which nothing is written
	Before bool      // the item is that from before a change, such as the guard of an old value
	Sets   []string  // the attributes that UpdateItem sets; they must have had the values of before
	Checks []string  // further attributes that must have had them, and stay
	Takes  []string  // the numbers that TakeFrom changes: Rows.After has how much of each
	Any    bool      // there may be no copies, and copies that stay as they are
	// of SetLast: the attributes that it sets; the first one says which item is newer
	Lasts []Latest `json:",omitempty"`
	// of AddTo: the counters of one item. Of SetLast, too: the attributes of its key, the model
	// whose items it counts, or is of, and the attributes of that which have the key
	Adds   []Added
	Key    []string
	Of     string
	By     []string
	Tenant string // the attribute with the tenant, which both models have, or ""
	Minus  bool   // less, of AddTo and TakeFrom
	// of AddTo, for a change of an item: what it adds after that, less what it added before
	Moves bool   `json:",omitempty"`
	Same  []Same // what else must be true of that item
}

// Added is a counter and the attribute that it sums up; "" is that it counts items.
type Added struct {
	Counter, Sums string
	// only rows with these values of attributes are counted, or summed up
	Where map[string]string `json:",omitempty"`
}

// Number returns what a row adds to a counter.
func (a *Added) Number(row Row) (float64, error) {
	for name, value := range a.Where {
		if row[name] != value {
			return 0, nil
		}
	}
	if a.Sums == "" {
		return 1, nil
	}
	return number(row[a.Sums])
}

// Same says that an attribute of the item that counts has the value of one of the row's. With Next
// it is a number, and one below that. Before the first row the item has no number, or 0.
type Same struct {
	Of, As string
	Next   bool `json:",omitempty"`
}

// Latest says that an attribute has the value of one of the newest row.
type Latest struct{ Attribute, Of string }

// Existence is a condition.
type Existence string

// The conditions.
const (
	Always     Existence = ""
	MustNot    Existence = "there must be no such item"
	MustExist  Existence = "the item must be there"
	MustBeSame Existence = "the item must have the values of before"
	MustHave   Existence = "the item must have as much as is taken"
	// the item must be there, with a value that is older, or with none
	MustBeOld Existence = "the item must not have the values of a newer one"
)

// String writes an action, such as "Update User, posts more".
func (a *Action) String() string {
	text := fmt.Sprintf("%s %s", a.Kind, a.Model)
	if a.Count > 1 {
		text = fmt.Sprintf("%s %d %s", a.Kind, a.Count, a.Model)
	}
	switch {
	case a.Kind == AddTo && a.Moves:
		text = fmt.Sprintf("Update %s, %s by what changes", a.Model, a.Counters())
	case a.Kind == AddTo && a.Minus:
		text = fmt.Sprintf("Update %s, %s less", a.Model, a.Counters())
	case a.Kind == AddTo:
		text = fmt.Sprintf("Update %s, %s more", a.Model, a.Counters())
	case a.Kind == TakeFrom && a.Minus:
		text = fmt.Sprintf("Update%s, %s less", strings.TrimPrefix(text, string(a.Kind)),
			strings.Join(a.Takes, " and "))
	case a.Kind == TakeFrom:
		text = fmt.Sprintf("Update%s, %s more", strings.TrimPrefix(text, string(a.Kind)),
			strings.Join(a.Takes, " and "))
	case a.Kind == SetLast:
		var names []string
		for _, last := range a.Lasts {
			names = append(names, last.Attribute)
		}
		text = fmt.Sprintf("Update %s, %s of the newest %s,", a.Model,
			strings.Join(names, " and "), a.Of)
	case len(a.Sets) > 0:
		text += ", " + strings.Join(a.Sets, " and ")
	}
	if len(a.Checks) > 0 {
		text += ", with the same " + strings.Join(a.Checks, " and ") + ","
	}
	for _, same := range a.Same {
		if !same.Next {
			text += fmt.Sprintf(", with the same %s,", same.Of)
		}
	}
	if a.Before {
		text += " of the old value"
	}
	switch a.If {
	case MustNot:
		text += " unless it exists"
	case MustExist:
		text += " if it exists"
	case MustBeSame:
		text += " if it has not changed"
	case MustHave:
		text += " if it has as much"
	case MustBeOld:
		text += fmt.Sprintf(" if it exists with an older %s or none", a.Lasts[0].Attribute)
	}
	for _, same := range a.Same {
		word := "and"
		if a.If == Always {
			word = "if"
		}
		if same.Next {
			text += fmt.Sprintf(" %s %s is one below %s", word, same.Of, same.As)
		}
	}
	return text
}

// Counters names the counters of an action.
func (a *Action) Counters() string {
	var names []string
	for _, add := range a.Adds {
		name := add.Counter
		for _, of := range slices.Sorted(maps.Keys(add.Where)) {
			name += fmt.Sprintf(" (%s %s)", of, add.Where[of])
		}
		names = append(names, name)
	}
	return strings.Join(names, " and ")
}

// String writes a write as its requests.
func (w *Write) String() string {
	operation := "TransactWriteItems: "
	if len(w.Actions) == 1 {
		operation = ""
	}
	var all []string
	for i := range w.Actions {
		all = append(all, w.Actions[i].String())
	}
	text := operation + strings.Join(all, "; ")
	for i := range w.After {
		text += ". Then " + w.After[i].String()
	}
	for i := range w.Later {
		text += ". By the stream: " + w.Later[i].String()
	}
	if len(w.Once) > 0 {
		all = nil
		for i := range w.Once {
			all = append(all, w.Once[i].String())
		}
		text += ". By the stream: TransactWriteItems: " + strings.Join(all, "; ")
	}
	return text
}

// Streamed reports whether a consumer of the stream does a part of a write.
func (w *Write) Streamed() bool { return len(w.Later)+len(w.Once) > 0 }

// Parent returns the attributes of a row of Of that have the key of the item that AddTo or SetLast
// changes, by the names that the key has there.
func (a *Action) Parent() map[string]string {
	by := map[string]string{}
	for i, name := range a.Key {
		by[name] = a.By[i]
	}
	if a.Tenant != "" {
		by[a.Tenant] = a.Tenant
	}
	return by
}

// Newest returns the attributes of a row of Of that have the key of the item that SetLast changes,
// and its values, by the names that they have there.
func (a *Action) Newest() map[string]string {
	of := a.Parent()
	for _, last := range a.Lasts {
		of[last.Attribute] = last.Of
	}
	return of
}

// ParentKey returns the key of the item that AddTo or SetLast changes for a row of its Of.
func (a *Action) ParentKey(row Row) Row {
	key := Row{}
	for name, of := range a.Parent() {
		key[name] = row[of]
	}
	return key
}
