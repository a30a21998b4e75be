package design

import (
	"fmt"
	"strconv"
	"strings"
)

// Item returns a row as the table holds it. An item without a value for a key of an index is not in
// the index; one without a value for the key of the table is an error.
func (p *Plan) Item(model string, row Row) (map[string]any, error) {
	e := p.Entity(model)
	if e == nil {
		return nil, fmt.Errorf("there is no model %q", model)
	}
	row, err := p.Design.Model(model).derive(row)
	if err != nil {
		return nil, err
	}
	item := map[string]any{}
	for _, s := range e.Keys {
		if !matches(row, s.When) {
			continue
		}
		v, ok, err := s.Value.of(row)
		switch {
		case err != nil:
			return nil, fmt.Errorf("%s: %w", s.Name, err)
		case ok:
			item[s.Name] = v
		case s.Name == p.Key.Partition || s.Name == p.Key.Sort:
			return nil, fmt.Errorf("%s: the row of %s has no %s", s.Name, model, s.Value)
		}
	}
	for _, s := range e.Others {
		if v, ok := row[s.Value[0].Attribute]; ok {
			item[s.Name] = v
		}
	}
	return item, nil
}

// Bound is a Query with the values of one request.
type Bound struct {
	*Query
	PartitionValue any
	EqualValues    []any // those of Query.Equal
	From, To       any   // the operands of the condition on the sort key
	Vector         any   // the vector of SearchVectors
	FilterValues   []any
	Batch          []Bound // the items that BatchGetItem gets
}

// Bind gives a query the values of a request: those of the pattern's equal and filter attributes,
// the beginning of the one that Begins names by the attributes' names, and those of a range as
// RangeFrom and RangeTo.
func (q *Query) Bind(values Row) (b Bound, err error) {
	b.Query = q
	bind := func(to *any, v Value) {
		if err != nil || len(v) == 0 {
			return
		}
		got, ok, wrong := v.of(values)
		if *to, err = got, wrong; err == nil && !ok {
			err = fmt.Errorf("%s: the request has no value for %s", q.Pattern, v)
		}
	}
	if q.Operation == SearchVectors {
		bind(&b.Vector, Value{{Attribute: q.Similar}})
	}
	b.FilterValues = make([]any, len(q.Filters))
	for i, f := range q.Filters {
		bind(&b.FilterValues[i], f.Value)
	}
	if q.Operation == SearchVectors {
		return b, err
	}
	bind(&b.PartitionValue, q.Partition.Value)
	if len(q.Equal) > 0 {
		b.EqualValues = make([]any, len(q.Equal))
	}
	for i, s := range q.Equal {
		bind(&b.EqualValues[i], s.Value)
	}
	bind(&b.From, q.Sort.From)
	bind(&b.To, q.Sort.To)
	return b, err
}

// of returns a value with a row's attributes. ok is false if the row has not all of them.
func (v Value) of(row Row) (value any, ok bool, err error) {
	if len(v) == 1 && v[0].Attribute != "" && v[0].Digits == 0 && !v[0].Begins {
		value, ok = row[v[0].Attribute]
		return value, ok, nil
	}
	var b strings.Builder
	for i, part := range v {
		if part.Attribute == "" {
			b.WriteString(part.Text)
			continue
		}
		value, ok := row[part.Attribute]
		if !ok {
			return nil, false, nil
		}
		text, err := part.text(value)
		if err != nil {
			return nil, false, err
		}
		if i+1 < len(v) && strings.Contains(text, v[i+1].Text[:1]) {
			return nil, false, fmt.Errorf(
				"%s is %q: a value with %q cannot come before another part of a key",
				part.Attribute, text, v[i+1].Text[:1])
		}
		b.WriteString(text)
	}
	return b.String(), true, nil
}

// text writes a value as a part of a string.
func (part Part) text(value any) (string, error) {
	switch value := value.(type) {
	case string:
		return value, part.checkBeginning(value)
	case int64:
		if part.Digits == 0 {
			return strconv.FormatInt(value, 10), nil
		}
		return part.scaled(strconv.FormatInt(value, 10))
	case float64:
		if part.Digits > 0 {
			return part.scaled(strconv.FormatFloat(value, 'f', -1, 64))
		}
	}
	return "", fmt.Errorf("%s is a %T: only strings and whole numbers can be part of a string",
		part.Attribute, value)
}

// checkBeginning refuses what begins no value of the attribute, or all of them: an empty text, as
// the service refuses an empty key value, and a text that goes on into the next part of a key.
func (part Part) checkBeginning(text string) error {
	switch {
	case !part.Begins:
		return nil
	case text == "":
		return fmt.Errorf("%s is empty: a beginning has at least one character", part.Attribute)
	case part.Before != "" && strings.Contains(text, part.Before):
		return fmt.Errorf("%s is %q: no value has %q, which follows it in keys", part.Attribute,
			text, part.Before)
	}
	return nil
}
