package writing

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
)

// Row is an item of a model by the names of its attributes. Numbers are int64 or float64, other
// values what their types say: string, []byte, bool, []any and map[string]any.
type Row map[string]any

// Rows has the rows that a Write writes: After as they will be, and Before, of models that it
// changes, as they are. Where a write takes from numbers of an item, After has its key, and how
// much it takes of each. Guards need none: they have the values of their models' rows.
type Rows struct {
	After, Before map[string][]Row // rows by model
}

// Request is a request of a Write.
type Request struct {
	Operation string
	Input     map[string]any
}

// Stored is how rows are stored in a table.
type Stored interface {
	// Item returns the item of a row, which may have attributes that its model has not.
	Item(model string, row Row) (map[string]any, error)
	// Holding returns the attributes of the table that hold an attribute of a model.
	Holding(model, attribute string) []string
	// Alone returns the attribute of the table that holds an attribute of a model and nothing else,
	// or "".
	Alone(model, attribute string) string
	// Guarded returns the model whose rows the items of a guard have, and the attributes of the
	// guard's key. It returns "" for other models.
	Guarded(model string) (of string, key []string)
}

// Table is a table by name, with the attributes of its key; Sort is "" if there is no sort key.
type Table struct {
	Stored

	Name, Partition, Sort string
}

// Requests returns the requests of a write, as encoding/json writes them for the service: one of
// its Actions, and one for each counter that it changes after that. attribute writes values. token
// is the ClientRequestToken of a transaction: with the same token, a request that is sent again
// writes nothing a second time for ten minutes.
func (t Table) Requests(w *Write, in Rows, token string,
	attribute func(any) any) ([]Request, error) {
	return writer{t, in, attribute}.requests(w, token)
}

// Later returns the requests of the consumer of the table's stream for a record of an item that a
// write has put, changed or deleted: the transaction of Once first, if there is one, whose first
// item is there already if the record was counted before.
func (t Table) Later(w *Write, in Rows, attribute func(any) any) (all []Request, err error) {
	o := writer{t, in, attribute}
	if len(w.Once) > 0 {
		once := Write{Actions: w.Once}
		if all, err = o.requests(&once, ""); err != nil {
			return nil, err
		}
	}
	later, err := o.actions(w.Later)
	return append(all, later...), err
}

// writer writes the requests of a write.
type writer struct {
	Table
	in        Rows
	attribute func(any) any
}

func (o writer) requests(w *Write, token string) (all []Request, err error) {
	actions, err := o.actions(w.Actions)
	if err != nil {
		return nil, err
	}
	if len(actions) == 1 && len(w.Actions) == 1 {
		all = append(all, actions[0])
	} else {
		var items []any
		for _, a := range actions {
			kind := strings.TrimSuffix(a.Operation, "Item")
			items = append(items, map[string]any{kind: a.Input})
		}
		transaction := map[string]any{"TransactItems": items}
		if token != "" {
			transaction["ClientRequestToken"] = token
		}
		all = append(all, Request{"TransactWriteItems", transaction})
	}
	after, err := o.actions(w.After)
	return append(all, after...), err
}

// actions returns the request of each item of some actions.
func (o writer) actions(actions []Action) (all []Request, err error) {
	for i := range actions {
		a := &actions[i]
		if a.Kind == AddTo || a.Kind == SetLast {
			change := o.add
			if a.Kind == SetLast {
				change = o.setLast
			}
			added, err := change(a)
			if err != nil {
				return nil, err
			}
			all = append(all, added...)
			continue
		}
		rows, before := o.rows(a)
		if len(rows) == 0 && !a.Any || a.Kind == UpdateItem && len(before) != len(rows) {
			return nil, fmt.Errorf("there are no rows of %s", a.Model)
		}
		for j, row := range rows {
			if o.stays(actions, a, j) || a.Any && a.Kind == UpdateItem &&
				same(row, before[j], a.Sets) {
				continue
			}
			one := o.item
			if a.Kind == TakeFrom {
				one = func(a *Action, row, _ Row) (Request, error) { return o.take(a, row) }
			}
			r, err := one(a, row, at(before, j))
			if err != nil {
				return nil, err
			}
			all = append(all, r)
		}
	}
	return all, nil
}

// stays reports whether a change leaves a guard as it is, because the values that it reserves stay:
// a transaction cannot delete an item and put it again.
func (o writer) stays(actions []Action, a *Action, i int) bool {
	of, key := o.Guarded(a.Model)
	changed := func(other Action) bool { return other.Model == a.Model && other.Before }
	if of == "" || !slices.ContainsFunc(actions, changed) || !slices.ContainsFunc(actions,
		func(other Action) bool { return other.Model == a.Model && !other.Before }) {
		return false
	}
	after, before := at(o.in.After[of], i), at(o.in.Before[of], i)
	return after != nil && before != nil && same(after, before, key)
}

// same reports whether two rows have the same values of some attributes.
func same(a, b Row, names []string) bool {
	return !slices.ContainsFunc(names,
		func(name string) bool { return fmt.Sprint(a[name]) != fmt.Sprint(b[name]) })
}

// at returns a row, or nil.
func at(rows []Row, i int) Row {
	if i < len(rows) {
		return rows[i]
	}
	return nil
}

// rows returns the rows that an action writes, and those from before.
func (o writer) rows(a *Action) (rows, before []Row) {
	model := a.Model
	if of, _ := o.Guarded(model); of != "" {
		model = of
	}
	rows, before = o.in.After[model], o.in.Before[model]
	if a.Before || a.Kind == DeleteItem {
		rows = before
	}
	return rows, before
}

// item returns the request that puts, updates or deletes an item.
func (o writer) item(a *Action, row, before Row) (r Request, err error) {
	item, err := o.Item(a.Model, row)
	if err != nil {
		return r, err
	}
	var e expressions[any]
	in := map[string]any{"TableName": o.Name}
	switch a.Kind {
	case PutItem:
		in["Item"] = o.written(item)
	default:
		in["Key"] = o.keyOf(item)
	}
	old := item
	if a.Kind == UpdateItem {
		if old, err = o.Item(a.Model, before); err != nil {
			return r, err
		}
		if update := e.Update(o.unkeyed(old), o.unkeyed(item), sameText); update != "" {
			in["UpdateExpression"] = update
		}
	}
	if condition := o.condition(&e, a, old); condition != "" {
		in["ConditionExpression"] = condition
	}
	o.into(in, &e)
	return Request{string(a.Kind) + "Item", in}, nil
}

func (o writer) written(item map[string]any) map[string]any {
	out := map[string]any{}
	for name, v := range item {
		out[name] = o.attribute(v)
	}
	return out
}

// keyOf returns the primary key of an item.
func (o writer) keyOf(item map[string]any) map[string]any {
	key := map[string]any{o.Partition: o.attribute(item[o.Partition])}
	if o.Sort != "" {
		key[o.Sort] = o.attribute(item[o.Sort])
	}
	return key
}

// isKey reports whether an attribute is in the primary key.
func (t Table) isKey(name string) bool { return name == t.Partition || name == t.Sort }

// condition returns the condition of an action on an item, which is old before.
func (o writer) condition(e *expressions[any], a *Action, old map[string]any) string {
	switch a.If {
	case MustNot:
		return e.Missing(o.Partition)
	case MustExist:
		return e.There(o.Partition, nil, nil)
	case MustBeSame:
		return e.There(o.Partition, old, o.Compared(a))
	}
	return ""
}

// Compared returns the attributes of the table by which an action sees that its item has not
// changed: one for each attribute of its model that it sets or checks, but for those that the key
// holds.
func (t Table) Compared(a *Action) (names []string) {
	if a.If != MustBeSame {
		return nil
	}
	for _, attribute := range slices.Concat(a.Sets, a.Checks) {
		holding := slices.DeleteFunc(t.Holding(a.Model, attribute), t.isKey)
		if len(holding) > 0 {
			names = append(names, holding[0])
		}
	}
	return names
}

var errNoNumber = errors.New("a counter sums up numbers only")

// add returns the requests that change a counter: one for each item that has it.
func (o writer) add(a *Action) (all []Request, err error) {
	var order []string
	keys, sums, of := map[string]Row{}, map[string][]float64{}, map[string][]Row{}
	count := func(rows []Row, sign float64) error {
		for _, row := range rows {
			key := a.ParentKey(row)
			text := fmt.Sprintf("%#v", key)
			if keys[text] == nil {
				keys[text], order = key, append(order, text)
				sums[text] = make([]float64, len(a.Adds))
			}
			of[text] = append(of[text], row)
			for i := range a.Adds {
				n, err := a.Adds[i].Number(row)
				if err != nil {
					return err
				}
				sums[text][i] += sign * n
			}
		}
		return nil
	}
	if a.Minus || a.Moves {
		err = count(o.in.Before[a.Of], -1)
	}
	if !a.Minus && err == nil {
		err = count(o.in.After[a.Of], 1)
	}
	if err != nil {
		return nil, err
	}
	for _, text := range order {
		if a.Moves && !slices.ContainsFunc(sums[text], func(n float64) bool { return n != 0 }) {
			continue // its counters stay as they are
		}
		r, err := o.addTo(a, keys[text], sums[text], of[text])
		if err != nil {
			return nil, err
		}
		all = append(all, r)
	}
	return all, nil
}

// addTo returns the request that changes the counters of one item, by what rows add to them.
func (o writer) addTo(a *Action, key Row, n []float64, rows []Row) (r Request, err error) {
	item, err := o.Item(a.Model, key)
	if err != nil {
		return r, err
	}
	var e expressions[any]
	in := map[string]any{"TableName": o.Name, "Key": o.keyOf(item)}
	var counters []string
	var numbers []any
	for i, add := range a.Adds {
		for _, name := range o.Holding(a.Model, add.Counter) {
			counters, numbers = append(counters, name), append(numbers, whole(n[i]))
		}
	}
	var sets map[string]any
	if a.If == Always { // the item may not be there yet
		sets = o.unkeyed(item)
	}
	in["UpdateExpression"] = e.Add(sets, counters, numbers)
	var conditions []string
	if condition := o.condition(&e, a, nil); condition != "" {
		conditions = append([]string{condition}, o.sameOf(&e, a, rows)...)
	}
	next, err := o.nextOf(&e, a, rows)
	if err != nil {
		return r, err
	}
	if conditions = append(conditions, next...); len(conditions) > 0 {
		in["ConditionExpression"] = strings.Join(conditions, " AND ")
	}
	o.into(in, &e)
	return Request{"UpdateItem", in}, nil
}

// nextOf returns the conditions that the numbers of rows follow the last ones.
func (o writer) nextOf(e *expressions[any], a *Action, rows []Row) (all []string, err error) {
	for _, same := range a.Same {
		if !same.Next {
			continue
		}
		for _, row := range rows {
			n, err := number(row[same.As])
			if err != nil || n < 1 || n != math.Trunc(n) {
				return nil, fmt.Errorf("%s of %s is no number to give: want 1 or a whole number "+
					"above it", same.As, a.Of)
			}
			all = append(all, e.Last(o.Alone(a.Model, same.Of), whole(n-1), n == 1))
		}
	}
	return all, nil
}

// sameOf returns the conditions that the item that counts rows has the values that they copy.
func (o writer) sameOf(e *expressions[any], a *Action, rows []Row) (all []string) {
	for _, same := range a.Same {
		if same.Next {
			continue
		}
		name := o.Alone(a.Model, same.Of)
		for _, row := range rows {
			has := map[string]any{}
			if v, ok := row[same.As]; ok {
				has[name] = v
			}
			all = append(all, e.Same(has, name))
		}
	}
	return all
}

// whole returns a number as an int64, if it is a whole one.
func whole(n float64) any {
	if n == math.Trunc(n) && math.Abs(n) < 1<<53 {
		return int64(n)
	}
	return n
}

// number returns the value of a number.
func number(v any) (float64, error) {
	switch v := v.(type) {
	case int64:
		return float64(v), nil
	case float64:
		return v, nil
	}
	return 0, errNoNumber
}

// sameText reports whether two values are written alike.
func sameText(a, b any) bool { return fmt.Sprint(a) == fmt.Sprint(b) }

// unkeyed returns an item without its primary key.
func (o writer) unkeyed(item map[string]any) map[string]any {
	rest := maps.Clone(item)
	maps.DeleteFunc(rest, func(name string, _ any) bool { return o.isKey(name) })
	return rest
}

// into writes the names and values of expressions into a request.
func (o writer) into(in map[string]any, e *expressions[any]) {
	if len(e.Names) > 0 {
		in["ExpressionAttributeNames"] = e.Names
	}
	if len(e.Values) > 0 {
		in["ExpressionAttributeValues"] = o.written(e.Values)
	}
}
