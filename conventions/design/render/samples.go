package render

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/kugiri-db/kugiri/conventions/design"
)

// How many samples there are.
const (
	rowsPerModel       = 12
	requestsPerPattern = 4
	tenantsOfRows      = 3 // several items have one tenant
)

// row is a sample.
type row struct {
	Model  string
	Key    string // its primary key, as keyText writes it
	values design.Row
	item   map[string]any
}

// samples returns items of all models. Values are short, whatever sizes the design names.
// Timestamps differ, so that the items show the order of a result.
func samples(p *design.Plan) ([]row, error) {
	short := p.Design
	short.Models = slices.Clone(short.Models)
	counts := map[string]int64{}
	for i := range short.Models {
		m := &short.Models[i]
		m.Attributes = slices.Clone(m.Attributes)
		for j := range m.Attributes {
			a := &m.Attributes[j]
			a.Bytes = 0
			if a.Format == design.Timestamp {
				a.Values = rowsPerModel // a few of each time
			}
			if t := p.Design.Tenants; t != nil && t.Attribute == a.Name && a.Constant == "" {
				a.Values = tenantsOfRows
			}
		}
		counts[m.Name] = rowsPerModel
	}
	// the samples of other tables, which have those rows that these refer to
	short.Elsewhere = slices.Clone(short.Elsewhere)
	for i := range short.Elsewhere {
		m := &short.Elsewhere[i]
		m.Attributes = slices.Clone(m.Attributes)
		for j := range m.Attributes {
			m.Attributes[j].Bytes = 0
			if m.Attributes[j].Format == design.Timestamp {
				m.Attributes[j].Values = rowsPerModel
			}
		}
		counts[m.Name] = rowsPerModel
	}
	s := design.NewDomainSamples(&short, counts, 1)
	var all []row
	for _, m := range short.Models {
		for range min(rowsPerModel, s.Most(m.Name)) {
			all = append(all, row{Model: m.Name, values: s.Next(m.Name)})
		}
	}
	agree(p, all)
	giveLast(p, all)
	for i := range all {
		item, err := p.Item(all[i].Model, all[i].values)
		if err != nil {
			return nil, err
		}
		all[i].Key, all[i].item = keyText(p, item), item
	}
	return all, nil
}

// agree gives the copies that transactions keep the values of what they are copies of: they are
// never older.
func agree(p *design.Plan, all []row) {
	for _, c := range design.Copies(&p.Design) {
		for i := range all {
			of := slices.IndexFunc(all, func(of row) bool { return belongs(p, c, all[i], of) })
			if c.Kept != design.ByTransaction || of < 0 {
				continue
			}
			delete(all[i].values, c.Attribute)
			if v, ok := all[of].values[c.Name]; ok {
				all[i].values[c.Attribute] = v
			}
		}
	}
}

// belongs reports whether a row has a copy of another one.
func belongs(p *design.Plan, c design.Copy, r, of row) bool {
	if r.Model != c.Model || of.Model != c.Of {
		return false
	}
	for i, name := range p.Design.Model(c.Of).Key {
		if compare(r.values[c.By[i]], of.values[name]) != 0 {
			return false
		}
	}
	return oneTenant(p, r, of)
}

// oneTenant reports whether two rows have the same tenant, if they have one.
func oneTenant(p *design.Plan, a, b row) bool {
	t := p.Design.Tenants
	return t == nil || compare(a.values[t.Attribute], b.values[t.Attribute]) == 0
}

// keyText writes the primary key of an item, as the generated test does.
func keyText(p *design.Plan, item map[string]any) string {
	text := strconv.Quote(plain(item[p.Key.Partition]))
	if p.Key.Sort != "" {
		text += " " + strconv.Quote(plain(item[p.Key.Sort]))
	}
	return text
}

// plain writes a value of a key attribute without its type.
func plain(v any) string {
	switch v := v.(type) {
	case []byte:
		return string(v)
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64)
	}
	return fmt.Sprint(v)
}

// seed writes the samples as an export to S3 does: a line of DynamoDB's JSON each.
func (r *renderer) seed() ([]byte, error) {
	var b bytes.Buffer
	for i := range r.rows {
		item := map[string]any{}
		for name, v := range r.rows[i].item {
			item[name] = attributeValue(v)
		}
		text, err := json.Marshal(map[string]any{"Item": item})
		if err != nil {
			return nil, err
		}
		b.Write(append(text, '\n'))
	}
	return b.Bytes(), nil
}

// attributeValue writes a value of a design.Row in DynamoDB's JSON.
func attributeValue(v any) map[string]any {
	switch v := v.(type) {
	case string:
		return map[string]any{"S": v}
	case []byte:
		return map[string]any{"B": v}
	case bool:
		return map[string]any{"BOOL": v}
	case []any:
		list := make([]any, len(v))
		for i := range v {
			list[i] = attributeValue(v[i])
		}
		return map[string]any{"L": list}
	case map[string]any:
		members := map[string]any{}
		for name, member := range v {
			members[name] = attributeValue(member)
		}
		return map[string]any{"M": members}
	}
	return map[string]any{"N": plain(v)}
}

// read is a request of a pattern with the rows that it has to find.
type read struct {
	values design.Row
	// numbers of rows in the order of the result; those of one group are in any order
	Want [][]int
}

// reads returns requests of a pattern: those for the values of some samples.
func (r *renderer) reads(i int) []read {
	p := &r.plan.Design.Patterns[i]
	var all []read
	rows := slices.DeleteFunc(slices.Clone(r.rows),
		func(row row) bool {
			return row.Model != r.plan.Queries[i].Models[0] ||
				!r.plan.Design.Has(p, row.Model, row.values) ||
				slices.ContainsFunc(p.Filter,
					func(name string) bool { return row.values[name] == nil })
		})
	for n, row := range rows {
		if len(all) == requestsPerPattern {
			break
		}
		values := request(p, n, row.values, all)
		same := func(other read) bool { return fmt.Sprint(other.values) == fmt.Sprint(values) }
		if !slices.ContainsFunc(all, same) {
			all = append(all, read{values, r.find(i, values)})
		}
	}
	return all
}

// request returns request number n, with the values of a row. Its range begins or ends where that
// of the request before it begins.
func request(p *design.Pattern, n int, of design.Row, all []read) design.Row {
	values, before := design.Row{}, design.Row{}
	if len(all) > 0 {
		before = all[len(all)-1].values
	}
	for _, name := range slices.Concat(p.Equal, p.Filter) {
		values[name] = of[name]
	}
	for name := range p.In { // two values: those of this request, and of the one before
		values[name] = []any{of[name]}
		if list, ok := before[name].([]any); ok && compare(list[0], of[name]) != 0 {
			values[name] = []any{of[name], list[0]}
		}
	}
	if p.Similar != "" {
		values[p.Similar] = of[p.Similar]
	}
	if p.Begins != "" {
		values[p.Begins] = p.Beginning(n, of, before)
	}
	if p.Range != "" {
		from, to := of[p.Range], cmp.Or(before[design.RangeFrom], of[p.Range])
		if compare(from, to) > 0 {
			from, to = to, from
		}
		values[design.RangeFrom], values[design.RangeTo] = from, to
	}
	return values
}

// find returns the rows that a request of a pattern has to find: a filter over all rows.
func (r *renderer) find(i int, values design.Row) [][]int {
	p, q := &r.plan.Design.Patterns[i], &r.plan.Queries[i]
	by := map[int]any{}
	for n, row := range r.rows {
		if slices.Contains(q.Models, row.Model) && r.finds(p, row, values) {
			by[n] = r.order(p, row, values)
		}
	}
	differ := func(a, b int) int { return compare(by[a], by[b]) }
	if p.Latest != nil { // an item, and its children
		differ = func(a, b int) int {
			child := func(n int) int { return slices.Index(p.Models, r.rows[n].Model) }
			return cmp.Or(child(b)-child(a), compare(by[a], by[b]))
		}
	}
	found := slices.SortedFunc(maps.Keys(by), func(a, b int) int {
		if q.Descending {
			a, b = b, a
		}
		return cmp.Or(differ(a, b), cmp.Compare(a, b))
	})
	var groups [][]int
	for j, n := range found {
		if j == 0 || differ(found[j-1], n) != 0 {
			groups = append(groups, nil)
		}
		groups[len(groups)-1] = append(groups[len(groups)-1], n)
	}
	return groups
}

// finds reports whether a request of a pattern finds a row of one of its models.
func (r *renderer) finds(p *design.Pattern, row row, values design.Row) bool {
	if !r.plan.Design.Has(p, row.Model, row.values) {
		return false
	}
	of := func(name string) any { return row.values[r.plan.Design.AttributeOf(p, row.Model, name)] }
	for _, name := range slices.Concat(p.Equal, p.Filter) {
		list, several := values[name].([]any)
		if !several {
			list = []any{values[name]}
		}
		if !slices.ContainsFunc(list, func(v any) bool { return equals(of(name), v) }) {
			return false
		}
	}
	for name, value := range p.Where {
		if of(name) != value {
			return false
		}
	}
	if p.Begins != "" && !strings.HasPrefix(plain(of(p.Begins)), plain(values[p.Begins])) {
		return false
	}
	return p.Range == "" || compare(of(p.Range), values[design.RangeFrom]) >= 0 &&
		compare(of(p.Range), values[design.RangeTo]) <= 0
}

// order returns the value by which a request sorts a row: the distance of a vector search, or the
// attribute of the pattern's order, range or prefix.
func (r *renderer) order(p *design.Pattern, row row, values design.Row) any {
	if p.Similar != "" {
		return math.Round(distance(row.values[p.Similar], values[p.Similar])*1e4) / 1e4
	}
	if by, n := p.Newest(); n > 0 {
		return row.values[by]
	}
	return row.values[r.plan.Design.AttributeOf(p, row.Model, cmp.Or(p.Order, p.Range, p.Begins))]
}

// distance returns the cosine distance of two vectors.
func distance(a, b any) float64 {
	x, y := a.([]any), b.([]any)
	var product, squareX, squareY float64
	for i := range x {
		u, v := x[i].(float64), y[i].(float64)
		product, squareX, squareY = product+u*v, squareX+u*u, squareY+v*v
	}
	return 1 - product/math.Sqrt(squareX*squareY)
}

// compare orders values of key attributes as DynamoDB does. Other values are equal.
func compare(a, b any) int {
	if x, ok := number(a); ok {
		y, _ := number(b)
		return cmp.Compare(x, y)
	}
	switch a.(type) {
	case string, []byte:
		return cmp.Compare(plain(a), plain(b))
	}
	return 0
}

// equals reports whether values are equal. Those that no key holds are so as texts.
func equals(a, b any) bool {
	if _, is := b.(bool); is || a == nil {
		return a == b
	}
	return compare(a, b) == 0
}

func number(v any) (float64, bool) {
	switch v := v.(type) {
	case int64:
		return float64(v), true
	case float64:
		return v, true
	}
	return 0, false
}
