package design

import (
	"errors"
	"fmt"
	"hash/fnv"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Derived says how an attribute that a plan adds to a model gets its value. One of its fields is set.
type Derived struct {
	Where  map[string]string // the value is the attribute's Constant, where other attributes have these values
	Of     string            // a timestamp: the value is its Period
	Period Period
	Shards int // the value is one of so many numbers, from 0: a hash of the model's key
}

// digits is how much of a timestamp names its period.
func (p Period) digits() int {
	return map[Period]int{Year: len("2006"), Month: len("2006-01"), Day: len("2006-01-02"), Hour: len("2006-01-02T15")}[p]
}

// layout is the form of a period's text, for package time.
func (p Period) layout() string { return "2006-01-02T15"[:p.digits()] }

// next returns the beginning of the period after that of t.
func (p Period) next(t time.Time) time.Time {
	switch p {
	case Year:
		return t.AddDate(1, 0, 0)
	case Month:
		return t.AddDate(0, 1, 0)
	case Day:
		return t.AddDate(0, 0, 1)
	}
	return t.Add(time.Hour)
}

// Before returns the beginning of the period before that of a timestamp, or the timestamp itself if it is
// none.
func (p Period) Before(timestamp string) string {
	text, err := p.of(timestamp)
	if err != nil {
		return timestamp
	}
	t, _ := time.Parse(p.layout(), text)
	switch p {
	case Year:
		t = t.AddDate(-1, 0, 0)
	case Month:
		t = t.AddDate(0, -1, 0)
	case Day:
		t = t.AddDate(0, 0, -1)
	default:
		t = t.Add(-time.Hour)
	}
	return t.Format(timestampLayout)
}

// of returns the period of a timestamp.
func (p Period) of(timestamp any) (string, error) {
	text, ok := timestamp.(string)
	if !ok || len(text) < p.digits() {
		return "", fmt.Errorf("%v is no timestamp", timestamp)
	}
	if _, err := time.Parse(p.layout(), text[:p.digits()]); err != nil {
		return "", fmt.Errorf("%q is no timestamp", text)
	}
	return text[:p.digits()], nil
}

// all returns the periods between two timestamps.
func (p Period) all(from, to any) ([]string, error) {
	first, err := p.of(from)
	if err != nil {
		return nil, err
	}
	last, err := p.of(to)
	if err != nil {
		return nil, err
	}
	var periods []string
	at, _ := time.Parse(p.layout(), first)
	for ; at.Format(p.layout()) <= last; at = p.next(at) {
		if len(periods) == MaxRequests {
			return nil, fmt.Errorf("from %s to %s are more than %d periods (%s)", first, last, MaxRequests, p)
		}
		periods = append(periods, at.Format(p.layout()))
	}
	return periods, nil
}

// shard returns the shard of a row of a model.
func (m *Model) shard(row Row, shards int) (string, error) {
	h := fnv.New32a()
	for _, name := range m.Key {
		v, ok := row[name]
		if !ok {
			return "", fmt.Errorf("the row of %s has no %s", m.Name, name)
		}
		_, _ = fmt.Fprintf(h, "%v\x00", v)
	}
	return strconv.Itoa(int(h.Sum32() % uint32(shards))), nil
}

// derive returns a row of a model with the attributes that the plan adds. It does not change the row.
func (m *Model) derive(row Row) (Row, error) {
	if !slices.ContainsFunc(m.Attributes, func(a Attribute) bool { return a.Derived != nil }) {
		return row, nil
	}
	row = maps.Clone(row)
	for i := range m.Attributes {
		a := &m.Attributes[i]
		d := a.Derived
		switch {
		case d == nil:
		case d.Shards > 0:
			shard, err := m.shard(row, d.Shards)
			if err != nil {
				return nil, err
			}
			row[a.Name] = shard
		case d.Period != "" && row[d.Of] != nil:
			period, err := d.Period.of(row[d.Of])
			if err != nil {
				return nil, fmt.Errorf("%s: %w", d.Of, err)
			}
			row[a.Name] = period
		}
	}
	return row, nil
}

// matches reports whether a row has the values of a Where.
func matches(row Row, where map[string]string) bool {
	for name, value := range where {
		if row[name] != value {
			return false
		}
	}
	return true
}

// addAttribute adds an attribute to a model, unless it has the same one already, and returns its name.
func (p *planner) addAttribute(m int, a Attribute) (name string, added bool) {
	model := &p.models[m]
	for old := model.Attribute(a.Name); old != nil; old = model.Attribute(a.Name) {
		if old.Constant == a.Constant && old.Derived.equal(a.Derived) {
			return a.Name, false
		}
		a.Name = "entity_" + a.Name
	}
	model.Attributes = append(slices.Clone(model.Attributes), a)
	return a.Name, true
}

func (d *Derived) equal(o *Derived) bool {
	if d == nil || o == nil {
		return d == o
	}
	return d.Of == o.Of && d.Period == o.Period && d.Shards == o.Shards && maps.Equal(d.Where, o.Where)
}

// apart reports whether values can never be equal: those of two lengths of period, or of a period and a
// shard.
func (d *Derived) apart(o *Derived) bool {
	return d != nil && o != nil && d.Where == nil && o.Where == nil && d.Period != o.Period
}

// addWhere adds the attribute that only items of a pattern have, by which they are alone in an index.
// It changes when the item comes to have other values, so it is not in the key of the table.
func (p *planner) addWhere(m int, pattern *Pattern) string {
	where, values := map[string]string{}, int64(1)
	var names, texts []string
	for _, name := range slices.Sorted(maps.Keys(pattern.Where)) {
		of, text := p.design.AttributeOf(pattern, p.models[m].Name, name), pattern.Where[name]
		where[of] = text
		names, texts = append(names, of, text), append(texts, text)
		values *= max(p.models[m].Attribute(of).Values, 1)
	}
	name, added := p.addAttribute(m, Attribute{Name: strings.Join(names, "_"), Type: String, Constant: strings.Join(texts, "_"), Values: 1, Mutable: true,
		Derived: &Derived{Where: where}})
	if added {
		p.note(2, pattern.Name, "reads items of %s whose %s: only those get the attribute %s, so an index by it has no others", p.models[m].Name, describeWhere(where), name)
	}
	return name
}

func describeWhere(where map[string]string) string {
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(where)) {
		parts = append(parts, name+" is "+where[name])
	}
	return strings.Join(parts, " and ")
}

// addPeriod adds the period of the timestamp that a pattern gives a range of.
func (p *planner) addPeriod(m int, pattern *Pattern) string {
	of := p.design.AttributeOf(pattern, p.models[m].Name, pattern.Range)
	a := p.models[m].Attribute(of)
	name, added := p.addAttribute(m, Attribute{Name: of + "_" + string(pattern.Period), Type: String, Bytes: pattern.Period.digits(), Mutable: a.Mutable,
		Values: p.models[m].periods(a, pattern.Period), Derived: &Derived{Of: of, Period: pattern.Period}})
	if added {
		p.note(2, pattern.Name, "spreads items of %s over partitions by the %s of %s: a read takes one request for each %[2]s of its range", p.models[m].Name, pattern.Period, of)
	}
	return name
}

// periods estimates how many periods a timestamp of a model has: its items at its rate of puts, or a year.
func (m *Model) periods(a *Attribute, period Period) int64 {
	const year = 365 * 24 * 3600
	seconds := float64(year)
	if m.Puts > 0 && m.Items > 0 {
		seconds = float64(m.Items) / m.Puts
	}
	long := map[Period]float64{Year: year, Month: year / 12, Day: 24 * 3600, Hour: 3600}[period]
	return min(max(int64(seconds/long), 1), max(a.Values, m.Items, 1))
}

// addShard adds the shard of an item.
func (p *planner) addShard(m int, pattern *Pattern) string {
	name, added := p.addAttribute(m, Attribute{Name: fmt.Sprintf("shard_%d", pattern.Shards), Type: String, Values: int64(pattern.Shards), Bytes: 1,
		Derived: &Derived{Shards: pattern.Shards}})
	if added {
		p.note(2, pattern.Name, "spreads items of %s over %d shards: a read takes as many requests, whose results it merges", p.models[m].Name, pattern.Shards)
	}
	return name
}

// Spread says that a Query takes several requests: one for each value of an added attribute.
type Spread struct {
	Attribute string
	Period    Period // the periods from RangeFrom to RangeTo
	Shards    int    // or so many numbers, from 0
	Most      int    // only so many of these values; 0 is all, as in the plans that Make returns
}

// MaxRequests is how many requests a Query takes at most.
const MaxRequests = 1000

var errRequests = errors.New("the range takes more than " + strconv.Itoa(MaxRequests) + " requests")

// values returns the values of a Spread in the order of a query's results.
func (s *Spread) values(q *Query, values Row) (all []string, err error) {
	if s.Shards > 0 {
		for i := range s.Shards {
			all = append(all, strconv.Itoa(i))
		}
		return all, nil
	}
	all, err = s.Period.all(values[RangeFrom], values[RangeTo])
	if s.Most > 0 && len(all) > s.Most {
		all = all[:s.Most]
	}
	if q.Descending {
		slices.Reverse(all)
	}
	return all, err
}

// BindAll gives a query the values of a read, as Bind does, and returns the requests that it takes: one,
// unless the query has a Spread. Requests of different periods return items one after the other; those
// of different shards have to be merged in the pattern's order.
func (q *Query) BindAll(values Row) ([]Bound, error) {
	rows := []Row{values}
	for i := range q.Spread {
		spread, err := q.Spread[i].values(q, values)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", q.Pattern, err)
		}
		if len(rows)*len(spread) > MaxRequests {
			return nil, fmt.Errorf("%s: %w", q.Pattern, errRequests)
		}
		rows = spreadRows(rows, q.Spread[i].Attribute, spread)
	}
	var all []Bound
	for _, row := range rows {
		b, err := q.Bind(row)
		if err != nil {
			return nil, err
		}
		all = append(all, b)
	}
	return all, nil
}

// spreadRows returns each row with each value of an attribute.
func spreadRows(rows []Row, attribute string, values []string) (all []Row) {
	for _, row := range rows {
		for _, value := range values {
			one := maps.Clone(row)
			one[attribute] = value
			all = append(all, one)
		}
	}
	return all
}
