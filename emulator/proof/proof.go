package proof

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/kugiri-db/kugiri/conventions/design"
	"github.com/kugiri-db/kugiri/conventions/design/consuming"
	"github.com/kugiri-db/kugiri/conventions/design/mutate"
)

// Options say how much Verify does. The zero value is a quick verification.
type Options struct {
	Rows     int64  // rows of all models, in proportion to their Items; 0 is DefaultRows
	Requests int    // requests of each pattern; 0 is DefaultRequests
	Seed     uint64 // the seed of the rows and the requests
	// is called by several goroutines with the number of further rows stored; may be nil
	Progress func(rows int)

	// Context ends Verify, Mutate and Load early, with its error; nil never does. They notice it
	// before their next request.
	Context context.Context

	// Open opens the service of each verification; nil opens an emulator in this process. Load and
	// VerifyMigration always take one in this process.
	Open func() (Service, error)
}

// The defaults of Options.
const (
	DefaultRows     = 2000
	DefaultRequests = 25
)

// MaxStored is how many bytes the rows of a verification have at most, in the table and its
// indexes. If those of a design are so large, there are fewer rows than Options say.
const MaxStored = 256 << 20

// MaxPages is how many pages of one result Verify reads at most.
const MaxPages = 20

// Report is the result of a verification.
type Report struct {
	Rows     map[string]int64 // rows by model
	Patterns []Pattern        // sorted as in the design
	Writes   []Write          // sorted as in the plan
	Failures []string         // failures of times to live
}

// Pattern is the result for one pattern.
type Pattern struct {
	Name      string
	Query     string // how it is read
	Requests  int
	Pages     int
	Items     int64 // items returned: all that were read, but for those that a filter drops
	Evaluated int64 // items that were read before a filter
	ReadUnits float64
	Planned   float64  // the read units that the plan has for as many items
	Failures  []string // the first MaxFailures
}

// MaxFailures is how many failures a report has of one pattern at most.
const MaxFailures = 5

// OK reports whether all patterns hold, and items expire as the design says.
func (r *Report) OK() bool {
	failed := func(w Write) bool { return len(w.Failures) > 0 }
	return len(r.Failures) == 0 && !slices.ContainsFunc(r.Writes, failed) &&
		!slices.ContainsFunc(r.Patterns, func(p Pattern) bool { return len(p.Failures) > 0 })
}

// Verify checks all patterns of a plan. An error means that the table or the rows of the plan are
// refused, or is one of the service.
func Verify(plan *design.Plan, o Options) (report *Report, err error) {
	failed := o.within(func(s Service) { report, err = verify(plan, o, s, false) })
	if failed != nil {
		return nil, failed
	}
	if report != nil {
		report.Writes = checkWrites(plan, plan, plan.Writes, &o, false)
	}
	if ended := o.ended(); ended != nil {
		return nil, ended
	}
	return report, err
}

// verify checks all patterns, or those up to the first that fails.
func verify(plan *design.Plan, o Options, s Service, first bool) (*Report, error) {
	v := newVerification(plan, o, s)
	if err := v.prepare(); err != nil {
		return nil, err
	}
	report := v.report(first)
	if first && !report.OK() {
		return report, nil
	}
	var err error
	report.Failures, err = v.checkExpiry()
	if one, other, ok := plan.Collision(); ok {
		report.Failures = append(report.Failures,
			fmt.Sprintf("an item of %s can have the primary key of one of %s", one, other))
	}
	if pattern, model, ok := plan.Mixed(); ok {
		report.Failures = append(report.Failures,
			fmt.Sprintf("%s can find an item of %s", pattern, model))
	}
	return report, err
}

// prepare makes the table, loads the rows and finds out what requests have to find.
func (v *verification) prepare() error {
	if err := v.db.createTable(); err != nil {
		return err
	}
	if err := v.load(); err != nil {
		return err
	}
	return v.expect()
}

func (v *verification) report(first bool) *Report {
	report := &Report{Rows: v.rows}
	for i := range v.plan.Queries {
		p := v.pattern(i)
		report.Patterns = append(report.Patterns, p)
		if first && len(p.Failures) > 0 {
			break
		}
	}
	return report
}

// Mutated is the result for a mutation.
type Mutated struct {
	Name  string
	Found string // the first failure; "" if Verify did not notice the mutation
}

// Mutate verifies the mutations of a plan. The error is one of the service, which shows nothing
// about a mutation.
func Mutate(plan *design.Plan, o Options) ([]Mutated, error) {
	var all []Mutated
	for _, m := range mutate.All(plan) {
		if err := o.ended(); err != nil {
			return nil, err
		}
		result := Mutated{Name: m.Name}
		if changed := changedWrites(plan, m.Plan); len(changed) > 0 {
			report := Report{Writes: checkWrites(m.Plan, plan, changed, &o, true)}
			result.Found = report.firstFailure()
			all = append(all, result)
			continue
		}
		failed := o.within(func(s Service) {
			report, err := verify(m.Plan, o, s, true)
			if err != nil {
				result.Found = err.Error()
			} else {
				result.Found = report.firstFailure()
			}
		})
		if failed != nil {
			return nil, failed
		}
		if _, err := consuming.Shapes(m.Plan); err != nil && result.Found == "" &&
			m.Plan.Streams() {
			result.Found = err.Error() // the consumer of the stream could not tell models apart
		}
		all = append(all, result)
	}
	return all, o.ended()
}

func (r *Report) firstFailure() string {
	for _, p := range r.Patterns {
		if len(p.Failures) > 0 {
			return p.Name + ": " + p.Failures[0]
		}
	}
	for _, w := range r.Writes {
		if len(w.Failures) > 0 {
			return w.Name + ": " + w.Failures[0]
		}
	}
	if len(r.Failures) > 0 {
		return r.Failures[0]
	}
	return ""
}

// verification is a run of Verify.
type verification struct {
	plan    *design.Plan
	options Options
	db      *client
	rows    map[string]int64
	// how many rows models of other tables would have; those that are missing, in proportion
	elsewhere  map[string]int64
	requests   [][]*request // requests by pattern
	allTenants bool         // rows have as many tenants as the design says
	// how many times as large as in the plan items may be, by model; nil outside of a migration
	times map[string]float64
}

// samples makes the rows of a run.
func (v *verification) samples() *design.Samples {
	rows, d := maps.Clone(v.rows), v.plan.Design
	maps.Copy(rows, v.elsewhere)
	if d.Tenants != nil && !v.allTenants {
		d.Models = slices.Clone(d.Models)
		for i := range d.Models {
			m := &d.Models[i]
			m.Attributes = slices.Clone(m.Attributes)
			a := m.Attribute(d.Tenants.Attribute)
			if a != nil && a.Constant == "" && (a.Values == 0 || a.Values > fewTenants) {
				a.Values = fewTenants
			}
		}
	}
	return design.NewSamples(&d, rows, v.options.Seed)
}

// request is one request of a pattern with the rows that it has to find.
type request struct {
	values   design.Row
	expected map[string]expected // what to expect, by primary key
	limit    int                 // only so many of them, if not 0: others have the same order
}

// expected is a row that a request has to find.
type expected struct {
	order any // the value of the attribute that orders the result
	needs [][]string
}

func newVerification(plan *design.Plan, o Options, s Service) *verification {
	if o.Rows == 0 {
		o.Rows = DefaultRows
	}
	if o.Requests == 0 {
		o.Requests = DefaultRequests
	}
	v := &verification{plan: plan, options: o, rows: map[string]int64{}, db: &client{s, plan}}
	models, sum := plan.Design.Models, int64(0)
	for _, m := range models {
		sum += m.Items
	}
	for _, m := range models {
		n := o.Rows / int64(len(models))
		if sum > 0 {
			n = int64(float64(o.Rows) * float64(m.Items) / float64(sum))
		}
		v.rows[m.Name] = max(n, 20)
	}
	for i := range plan.Design.Patterns {
		if _, n := plan.Design.Patterns[i].Newest(); n > 0 {
			children := plan.Design.Patterns[i].Models[1]
			v.rows[children] = max(v.rows[children], int64(crowd*(n+1)))
		}
	}
	v.fit()
	return v
}

// fit lowers the numbers of rows to those of different keys, and so that they fit into MaxStored.
// Each model keeps a row.
func (v *verification) fit() {
	v.lower()
	sum := 0.0
	for model, n := range v.rows {
		sum += float64(n) * design.StoredBytes(v.plan, model)
	}
	if sum <= MaxStored {
		return
	}
	for model, n := range v.rows {
		v.rows[model] = max(1, int64(float64(n)*MaxStored/sum))
	}
	v.lower()
}

// lower lowers the numbers of rows to those of different keys. Fewer rows refer to fewer of other
// tables, so there may then be fewer keys.
func (v *verification) lower() {
	for fits := false; !fits; {
		fits = true
		samples := v.samples()
		for model, n := range v.rows {
			if most := samples.Most(model); most < n {
				v.rows[model], fits = most, false
			}
		}
	}
}

// fewTenants is how many tenants rows have, so that each of them has enough for patterns to find
// several items, and none of another one.
const fewTenants = 5

// eachRow calls do with all rows: the same ones each time.
func (v *verification) eachRow(do func(m *design.Model, n int64, row design.Row) error) error {
	samples := v.samples()
	for i := range v.plan.Design.Models {
		m := &v.plan.Design.Models[i]
		for n := range v.rows[m.Name] {
			if err := v.options.ended(); err != nil {
				return err
			}
			if err := do(m, n, samples.Next(m.Name)); err != nil {
				return err
			}
		}
	}
	return nil
}

// load stores all rows, and takes the values of requests from some of them.
func (v *verification) load() error {
	chosen := v.choose()
	v.requests = make([][]*request, len(v.plan.Queries))
	loader := newLoader(v.db, v.options.Progress)
	err := v.eachRow(func(m *design.Model, n int64, row design.Row) error {
		for i := range v.plan.Design.Patterns {
			if p := &v.plan.Design.Patterns[i]; v.plan.Queries[i].Models[0] == m.Name &&
				chosen[i][n] {
				v.request(i, int(n), p, row)
				v.requestEdges(i, int(n), p, row)
			}
			v.requestOther(i, n, m, row)
		}
		return loader.add(m.Name, row)
	})
	return cmp.Or(loader.close(), err)
}

// choose returns for each pattern the rows whose values its requests have: the first ones, which
// have sharp edges, and some others.
func (v *verification) choose() []map[int64]bool {
	random := rand.New(rand.NewPCG(v.options.Seed, 1))
	chosen := make([]map[int64]bool, len(v.plan.Queries))
	for i := range v.plan.Queries {
		chosen[i] = map[int64]bool{}
		for k := range v.options.Requests {
			n := int64(k)
			if k >= v.options.Requests/2 {
				n = random.Int64N(v.rows[v.plan.Queries[i].Models[0]])
			}
			chosen[i][n] = true
		}
	}
	return chosen
}

// request adds request number n with the values of a row. The range of a request is from a row's
// value to that of the row before it.
func (v *verification) request(i, n int, p *design.Pattern, row design.Row) {
	if !v.plan.Design.Has(p, v.plan.Queries[i].Models[0], row) {
		return
	}
	values, before := design.Row{}, design.Row{}
	if all := v.requests[i]; len(all) > 0 {
		before = all[len(all)-1].values
	}
	if !given(values, p, row, before) {
		return
	}
	if p.Range != "" {
		from, to := row[p.Range], cmp.Or(before[design.RangeFrom], row[p.Range])
		if compare(from, to) > 0 {
			from, to = to, from
		}
		values[design.RangeFrom], values[design.RangeTo] = from, to
		if _, err := v.plan.Queries[i].BindAll(values); err != nil { // too many periods
			values[design.RangeTo] = from
		}
	}
	if p.Begins != "" {
		values[p.Begins] = p.Beginning(n, row, before)
	}
	if p.Similar != "" {
		values[p.Similar] = row[p.Similar]
	}
	v.add(i, values)
}

// requestOther adds a request with the values of one of the first rows of a further model that a
// pattern reads. Where models have several attributes in common, rows of the first model seldom
// have those of another one's together, and their requests would not find its rows.
func (v *verification) requestOther(i int, n int64, m *design.Model, row design.Row) {
	p := &v.plan.Design.Patterns[i]
	if n >= othersAsked || !slices.Contains(v.plan.Queries[i].Models[1:], m.Name) ||
		!v.plan.Design.Has(p, m.Name, row) {
		return
	}
	values := design.Row{}
	for _, name := range append(slices.Clone(p.Equal), p.SortBy()) {
		if of := v.plan.Design.AttributeOf(p, m.Name, name); of != "" {
			values[name] = row[of]
		}
	}
	v.request(i, int(n), p, values)
}

// othersAsked is how many rows of each further model a pattern's requests have the values of.
const othersAsked = 3

// requestEdges adds requests that only a mistake in the plan answers otherwise: for a beginning
// with which keys of other models may begin, the name of a model; for a range that the item ends,
// in its last period; and for a tenant who has no items.
func (v *verification) requestEdges(i, n int, p *design.Pattern, row design.Row) {
	if !v.plan.Design.Has(p, v.plan.Queries[i].Models[0], row) {
		return
	}
	with := func(name string, value any) design.Row {
		values := design.Row{}
		given(values, p, row, nil)
		values[name] = value
		return values
	}
	if models := v.plan.Design.Models; p.Begins != "" {
		v.add(i, with(p.Begins, strings.ToLower(models[n%len(models)].Name)))
	}
	if at, ok := row[p.Range].(string); ok && p.Period != "" {
		values := with(design.RangeTo, at)
		values[design.RangeFrom] = p.Period.Before(at)
		v.add(i, values)
	}
	if t := v.plan.Design.Tenants; t != nil && p.Range == "" && p.Begins == "" &&
		slices.Contains(p.Equal, t.Attribute) {
		v.add(i, with(t.Attribute, "nobody"))
	}
}

// add adds a request, unless there is one with the same values.
func (v *verification) add(i int, values design.Row) {
	same := func(r *request) bool { return maps.EqualFunc(r.values, values, sameValue) }
	if !slices.ContainsFunc(v.requests[i], same) {
		v.requests[i] = append(v.requests[i],
			&request{values: values, expected: map[string]expected{}})
	}
}

// sameValue reports whether values of one attribute are equal.
func sameValue(a, b any) bool {
	if vector, ok := a.([]any); ok {
		return slices.Equal(vector, b.([]any))
	}
	return compare(a, b) == 0
}

// expect fills in what the requests have to find.
func (v *verification) expect() error {
	match := v.matcher()
	return v.eachRow(
		func(m *design.Model, _ int64, row design.Row) error { return match(m.Name, row) })
}

// matcher returns a function that adds a row to what the requests have to find, if it is one of
// them.
func (v *verification) matcher() func(model string, row design.Row) error {
	byValues := make([]map[string][]*request, len(v.requests))
	for i, all := range v.requests {
		byValues[i] = map[string][]*request{}
		for _, r := range all {
			p := &v.plan.Design.Patterns[i]
			for _, values := range single(p, r.values) {
				key := equalKey(compared(p), values)
				byValues[i][key] = append(byValues[i][key], r)
			}
		}
	}
	wanted := v.wanted()
	return func(model string, row design.Row) error {
		for _, w := range wanted[model] {
			if !v.plan.Design.Has(&v.plan.Design.Patterns[w.pattern], model, row) ||
				slices.ContainsFunc(w.equal, func(name string) bool { return row[name] == nil }) {
				continue
			}
			for _, r := range byValues[w.pattern][equalKey(w.equal, row)] {
				if !w.has(row) || w.ranged && !r.inRange(row[w.by]) || w.begins != "" &&
					!r.begins(w.begins, row[w.by]) {
					continue
				}
				item, err := v.plan.Item(model, row)
				if err != nil {
					return err
				}
				e := expected{row[w.by], needed(w.needs, item)}
				if w.first {
					e.order = first
				}
				if w.similar != "" {
					e = expected{order: distance(row[w.similar], r.values[w.similar])}
				}
				r.expected[v.db.primaryKey(item)] = e
			}
		}
		return nil
	}
}

// needed returns what a pattern needs of an item: nothing of the optional attributes that it has
// not.
func needed(needs [][]string, item map[string]any) [][]string {
	has := func(name string) bool { return item[name] != nil }
	return slices.DeleteFunc(slices.Clone(needs),
		func(holders []string) bool { return !slices.ContainsFunc(holders, has) })
}

// wanted says which rows of a model a pattern finds.
type wanted struct {
	pattern int
	equal   []string // the model's attributes that stand for the pattern's
	by      string
	ranged  bool
	begins  string     // the pattern's attribute
	needs   [][]string // the result of Plan.Needs
	where   map[string]string
	similar string
	first   bool // it comes before its children
}

// wanted returns what the patterns find, by model.
func (v *verification) wanted() map[string][]wanted {
	all := map[string][]wanted{}
	for i := range v.plan.Design.Patterns {
		p := &v.plan.Design.Patterns[i]
		for _, model := range v.plan.Queries[i].Models {
			w := wanted{
				pattern: i, ranged: p.Range != "", begins: p.Begins, similar: p.Similar,
				where: map[string]string{}, needs: v.plan.Needs(i, model),
			}
			for _, name := range compared(p) {
				w.equal = append(w.equal, v.plan.Design.AttributeOf(p, model, name))
			}
			for name, value := range p.Where {
				w.where[v.plan.Design.AttributeOf(p, model, name)] = value
			}
			w.by = v.plan.Design.AttributeOf(p, model, cmp.Or(p.Range, p.Begins, p.Order))
			if by, n := p.Newest(); n > 0 {
				w.by, w.first = by, model == p.Models[0]
			}
			all[model] = append(all[model], w)
		}
	}
	return all
}

// has reports whether a row has the values of the pattern's Where.
func (w *wanted) has(row design.Row) bool {
	for name, value := range w.where {
		if row[name] != value {
			return false
		}
	}
	return true
}

// inRange reports whether a value is in the range of a request.
func (r *request) inRange(v any) bool {
	return compare(v, r.values[design.RangeFrom]) >= 0 && compare(v, r.values[design.RangeTo]) <= 0
}

// begins reports whether a value begins with the text that a request gives for an attribute.
func (r *request) begins(attribute string, v any) bool {
	text, ok := v.(string)
	beginning, _ := r.values[attribute].(string)
	return ok && strings.HasPrefix(text, beginning)
}

// equalKey writes the values of attributes as one text.
func equalKey(names []string, values design.Row) string {
	var key []byte
	for _, name := range names {
		key = appendValue(key, values[name])
	}
	return string(key)
}

// pattern sends the requests of a pattern.
func (v *verification) pattern(i int) Pattern {
	q := &v.plan.Queries[i]
	result := Pattern{Name: q.Pattern, Query: q.String()}
	for _, r := range v.requests[i] {
		result.Requests++
		v.check(&result, i, r)
	}
	if v.unordered(i) {
		result.fail("nothing promises the order of its items: %s has no sort key", q.Index)
	}
	if mutate.SortsAsText(v.plan, i) {
		result.fail("its items are in the order of numbers as text, where 10 comes before 2")
	}
	result.Planned = v.plan.Units(i, max(result.Items, result.Evaluated), result.Pages)
	if result.ReadUnits > 2*result.Planned*v.larger(q.Models) {
		result.fail("reads %g units, and the plan has %g for as many items", result.ReadUnits,
			result.Planned)
	}
	return result
}

// larger returns how many times as large as in the plan items of some models may be, at least 1.
func (v *verification) larger(models []string) (times float64) {
	times = 1
	for _, model := range models {
		times = max(times, v.times[model])
	}
	return times
}

// unordered reports whether a pattern wants an order that its index has not. The items may come in
// that order even so, because an emulator has them in the order of the table's key.
func (v *verification) unordered(i int) bool {
	q, p := &v.plan.Queries[i], &v.plan.Design.Patterns[i]
	return (p.Order != "" || p.Latest != nil) && !p.One &&
		slices.ContainsFunc(v.plan.Indexes, func(x design.Index) bool {
			return x.Name == q.Index && x.Key.Sort == ""
		})
}

func (p *Pattern) fail(format string, args ...any) {
	if len(p.Failures) < MaxFailures {
		p.Failures = append(p.Failures, fmt.Sprintf(format, args...))
	}
}

// check reads a pattern once, and compares the result with the expected rows.
func (v *verification) check(result *Pattern, i int, r *request) {
	bounds, err := v.plan.Queries[i].BindAll(r.values)
	if err != nil {
		result.fail("%v", err)
		return
	}
	pattern := &v.plan.Design.Patterns[i]
	if _, n := pattern.Newest(); n > 0 {
		r = r.latest(n + 1)
	}
	var order []any
	seen, more := map[string]bool{}, false
	for _, bound := range bounds {
		items, rest, err := v.db.read(bound, result)
		if err != nil {
			result.fail("%s: %v", show(r.values), err)
			return
		}
		more = more || rest
		by, err := r.recognize(v.db, items, seen)
		if err != nil {
			result.fail("%s finds %v", show(r.values), err)
			return
		}
		order = merge(order, by, pattern.Descending)
	}
	if pattern.Similar != "" {
		v.checkNearest(result, &v.plan.Queries[i], r, order)
		return
	}
	one := pattern.One && len(pattern.In) == 0 && len(seen) > 0
	if want := r.most(); !more && len(seen) < want && !one {
		result.fail("%s finds %d of %d rows", show(r.values), len(seen), want)
	}
	if pattern.Latest != nil {
		checkLatest(result, pattern, r, order)
		return
	}
	v.checkOrder(result, pattern, r, order)
}

// recognize returns what orders the items of an answer. It fails if one is not among the expected
// rows, or was seen before.
func (r *request) recognize(db *client, items []found, seen map[string]bool) (order []any,
	err error) {
	for _, item := range items {
		key := db.primaryKeyOf(item)
		want, ok := r.expected[key]
		switch {
		case !ok:
			return nil, fmt.Errorf("an item that is not among the rows: %s", key)
		case seen[key]:
			return nil, fmt.Errorf("an item twice: %s", key)
		}
		for _, holders := range want.needs {
			if !slices.ContainsFunc(holders, func(name string) bool { return item[name] != nil }) {
				return nil, fmt.Errorf("an item without %s: %s", strings.Join(holders, " or "), key)
			}
		}
		seen[key] = true
		order = append(order, want.order)
	}
	return order, nil
}

// merge merges the orders of two results, as a reader of several shards does.
func merge(a, b []any, descending bool) []any {
	all := make([]any, 0, len(a)+len(b))
	for len(a) > 0 && len(b) > 0 {
		if c := compare(b[0], a[0]); c < 0 && !descending || c > 0 && descending {
			a, b = b, a
		}
		all, a = append(all, a[0]), a[1:]
	}
	return slices.Concat(all, a, b)
}

// checkOrder compares the order of a result with that of the expected rows.
func (v *verification) checkOrder(result *Pattern, pattern *design.Pattern, r *request,
	order []any) {
	if pattern.Order == "" {
		return
	}
	var want []any
	for _, e := range r.expected {
		want = append(want, e.order)
	}
	slices.SortFunc(want, func(a, b any) int {
		if pattern.Descending {
			a, b = b, a
		}
		return compare(a, b)
	})
	for i, by := range order {
		if i < len(want) && compare(by, want[i]) != 0 {
			result.fail("%s: item %d has %s %v, and %v comes first", show(r.values), i+1,
				pattern.Order, by, want[i])
			return
		}
	}
}

// show writes the values of a request.
func show(values design.Row) string {
	if len(values) == 0 {
		return "the request"
	}
	var parts []string
	for name, value := range values {
		parts = append(parts, fmt.Sprintf("%s %v", name, value))
	}
	slices.Sort(parts)
	return strings.Join(parts, ", ")
}
