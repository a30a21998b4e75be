package proof

import (
	"errors"
	"fmt"
	"maps"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/kugiri-db/kugiri/conventions/design"
	"github.com/kugiri-db/kugiri/conventions/design/render/running"
	"github.com/kugiri-db/kugiri/emulator"
	"github.com/kugiri-db/kugiri/emulator/explore/search"
)

// Write is the result for a write of the plan: two writers at a time, in the orders of their
// requests, with and without an answer that is lost.
type Write struct {
	Name     string
	Requests string   // what it sends
	Orders   int      // how many were run
	Failures []string // the first MaxFailures
	// Untried has the cases that were not run in all orders, and how many of each were. It is
	// empty if all orders of all cases were, but for those that cannot differ from one that was.
	Untried []string `json:",omitempty"`
}

// retries is how often a writer sends a request that had no answer.
const retries = 3

// streamBudget is how many orders of writers and of the batches of a stream are run at most.
const streamBudget = 1000

// write is one try of a writer, and what came of it.
type write struct {
	name string // the name of the plan's Write
	in   design.Writing
	then *write // what the writer writes after it, if it has succeeded
	err  error
}

// race has the rows that two writers find, their writes, and the check of what they leave.
type race struct {
	name   string
	there  []modelRow // the rows before the writes
	writes []write
	check  func(after *outcome) error
	faults int
}

// outcome has the items after a race, and how each write ended.
type outcome struct {
	*client
	writes []write
	items  map[string]found // items by primary key
}

// checkWrites explores writes of a plan, each in emulators of its own. planned is the plan that
// says what has to be true: the same one, or, for a mutation, its original. With first, it ends
// with the first failure.
func checkWrites(plan, planned *design.Plan, writes []design.Write, o *Options,
	first bool) (all []Write) {
	for i := range writes {
		w := &writes[i]
		result := Write{Name: w.Name, Requests: w.String()}
		for _, s := range newWriteCases(plan, planned, w, o.Seed).races() {
			orders, untried, failure := explore(plan, &s, o)
			result.Orders += orders
			if untried != "" {
				result.Untried = append(result.Untried, s.name+": "+untried)
			}
			if failure != "" && len(result.Failures) < MaxFailures {
				result.Failures = append(result.Failures, s.name+": "+failure)
			}
			if first && failure != "" {
				return append(all, result)
			}
		}
		all = append(all, result)
	}
	return all
}

// changedWrites returns the writes of a plan that are others than those of the plan that it was.
func changedWrites(was, plan *design.Plan) (all []design.Write) {
	for i := range plan.Writes {
		if !reflect.DeepEqual(was.Writes[i], plan.Writes[i]) {
			all = append(all, plan.Writes[i])
		}
	}
	return all
}

// explore runs the writers of a race in the orders of their requests. It returns how much was tried
// if that was not all, and the first failure.
func explore(plan *design.Plan, s *race, o *Options) (orders int, untried, failure string) {
	if err := o.ended(); err != nil {
		return 0, "", err.Error()
	}
	e := emulator.New()
	db := &client{own{e}, plan}
	if err := db.createTable(); err != nil {
		return 0, "", err.Error()
	}
	for _, r := range s.there {
		item, err := plan.Item(r.model, r.row)
		if err == nil {
			err = db.put(plan.Design.Table, []map[string]any{item})
		}
		if err != nil {
			return 0, "", err.Error()
		}
	}
	t, options := &host{race: s, plan: plan}, search.DefaultOptions()
	options.Faults, options.Kinds = s.faults, []search.Fault{search.LostAnswer}
	if plan.Streams() {
		options.Kinds = append(options.Kinds, search.Redelivered)
		options.Budget = streamBudget
		var err error
		if t.does, err = running.New(plan); err != nil {
			return 0, "", err.Error()
		}
	}
	report := (&search.Search{Options: options, Host: t, Name: s.name,
		Emulator: e, AccessKey: accessKey, Region: region, Waits: true,
		Ended: func() bool { return o.ended() != nil }}).Explore()
	if len(report.Failures) > 0 {
		f := report.Failures[0]
		return report.Runs, "", f.Kind + ": " + f.Text
	}
	return report.Runs, report.Untried(), ""
}

// host runs the writers of a race for a search.
type host struct {
	race   *race
	plan   *design.Plan
	writes []write // the writes of this run
	actors []*search.Worker
	does   *running.Consumer // what the consumer of the stream does, or nil
	reader *consumer         // the consumer of the stream, or nil
}

func (t *host) Workers() []*search.Worker {
	t.writes, t.actors = slices.Clone(t.race.writes), nil
	for i := range t.writes {
		t.actors = append(t.actors, &search.Worker{Name: fmt.Sprintf("writer%d", i+1)})
	}
	if t.reader = nil; !t.plan.Streams() {
		return t.actors
	}
	var err error
	if t.reader, err = newConsumer(t); err != nil {
		panic("proof: " + err.Error()) // the error is that of a mapping without options
	}
	return append(slices.Clone(t.actors), t.reader.worker)
}

func (t *host) Run(_ time.Time, f func()) { f() }

func (t *host) Begin(r *search.Run) {
	if t.reader != nil {
		t.reader.run = r
	}
	for i, w := range t.actors {
		if r.Starts(w) {
			go t.act(r, w, &t.writes[i])
		}
	}
}

// act sends the requests of a write, each again if it had no answer.
func (t *host) act(r *search.Run, w *search.Worker, o *write) {
	sender := r.Client(w)
	sender.Next = r.Fork().HTTPClient(accessKey, region)
	c := &client{gated{own{r.Fork()}, sender}, t.plan}
	var err error
	for n, next := 1, o; next != nil && err == nil; n, next = n+1, next.then {
		err = c.send(next, w.Token(n))
	}
	o.err = err
	r.Gate().End(w, err, "")
}

// send sends the requests of a write.
func (c *client) send(o *write, token string) error {
	requests, err := c.plan.Requests(c.plan.Write(o.name), o.in, token, value)
	for i := 0; err == nil && i < len(requests); i++ {
		err = c.persist(requests[i])
	}
	return err
}

// persist sends a request until it has an answer.
func (c *client) persist(r design.WriteRequest) (err error) {
	for range retries {
		err = c.do(r.Operation, r.Input, &struct{}{})
		if refused := (*refusal)(nil); err == nil || errors.As(err, &refused) {
			return err
		}
	}
	return err
}

func (t *host) Settle(g *search.Gate) bool {
	g.Wait()
	return true
}

func (t *host) Check(r *search.Run) error {
	if t.reader != nil && t.reader.err != nil {
		return fmt.Errorf("the consumer of the stream fails: %w", t.reader.err)
	}
	c := &client{own{r.Fork()}, t.plan}
	items, err := c.scan()
	if err != nil {
		return err
	}
	after := &outcome{client: c, writes: t.writes, items: map[string]found{}}
	for _, item := range items {
		after.items[c.primaryKeyOf(item)] = item
	}
	return t.race.check(after)
}

func (t *host) Now(at time.Time) time.Time { return at }

func (t *host) Pass(time.Duration) {}

// Watches and Holds: nothing has to hold between requests.
func (t *host) Watches() bool           { return false }
func (t *host) Holds(*search.Run) error { return nil }

func (t *host) Stacks() string { return "" }

// gated is a service whose requests wait at the gate of a search.
type gated struct {
	own
	client *search.WorkerClient
}

func (s gated) Do(r *http.Request) (*http.Response, error) { return s.client.Do(r) }

// done returns how many writers have succeeded.
func (a *outcome) done() (n int) {
	for _, w := range a.writes {
		if w.err == nil {
			n++
		}
	}
	return n
}

// has reports whether the item of a row is there, with all of its values but those of counters and
// last values.
func (a *outcome) has(model string, row design.Row) bool {
	item, err := a.plan.Item(model, row)
	if err != nil {
		return false
	}
	there, ok := a.items[a.primaryKey(item)]
	if !ok {
		return false
	}
	counters := a.counters(model)
	for name, v := range item {
		if !slices.Contains(counters, name) &&
			string(there[name]) != string(appendValue(nil, v)) {
			return false
		}
	}
	return true
}

// counters returns the attributes of the table that hold the counters of a model, and its last
// values.
func (a *outcome) counters(model string) (names []string) {
	for _, attribute := range a.plan.Design.Model(model).Attributes {
		if counted(&attribute) != "" || attribute.Last != "" {
			names = append(names, a.plan.Entity(model).Holding(attribute.Name)...)
		}
	}
	return names
}

// hasAny reports whether one of some rows is there.
func (a *outcome) hasAny(rows map[string][]design.Row) bool {
	for model, all := range rows {
		if slices.ContainsFunc(all, func(row design.Row) bool { return a.has(model, row) }) {
			return true
		}
	}
	return false
}

// guarded checks that the guards there are those of some rows of a model, if their items are there,
// and returns how many of the rows are there.
func (a *outcome) guarded(model string, rows []design.Row) (n int, err error) {
	var there []design.Row
	for _, row := range rows {
		if a.has(model, row) {
			there = append(there, row)
		}
	}
	d := &a.plan.Design
	for i := range d.Models {
		g := &d.Models[i]
		if g.Reserves == nil || g.Reserves.Of != model {
			continue
		}
		wanted := map[string]bool{}
		for _, row := range there {
			row = g.Part(row)
			item, err := a.plan.Item(g.Name, row)
			if err != nil {
				return 0, err
			}
			if !a.has(g.Name, row) || wanted[a.primaryKey(item)] {
				return 0, fmt.Errorf("an item of %s has no item of %s", model, g.Name)
			}
			wanted[a.primaryKey(item)] = true
		}
		for _, row := range rows {
			item, err := a.plan.Item(g.Name, g.Part(row))
			if err != nil {
				return 0, err
			}
			if key := a.primaryKey(item); a.items[key] != nil && !wanted[key] {
				return 0, fmt.Errorf("an item of %s is left behind", g.Name)
			}
		}
	}
	return len(there), nil
}

// counted checks that the counters of rows of a model are those of the items that are there.
func (a *outcome) counted(w *design.Write, rows []design.Row) error {
	for _, action := range slices.Concat(w.Actions, w.After, w.Later, w.Once) {
		if action.Kind != design.AddTo {
			continue
		}
		wanted := map[string][]float64{}
		for _, row := range rows {
			parent, err := a.plan.Item(action.Model, action.ParentKey(row))
			if err != nil {
				return err
			}
			key := a.primaryKey(parent)
			if wanted[key] == nil {
				wanted[key] = make([]float64, len(action.Adds))
			}
			for i, add := range action.Adds {
				if a.has(action.Of, row) {
					wanted[key][i] += amount(row, &add)
				}
			}
		}
		for _, key := range slices.Sorted(maps.Keys(wanted)) {
			for i, add := range action.Adds {
				name := a.plan.Entity(action.Model).Holding(add.Counter)[0]
				text := string(a.items[key][name])
				if is := strings.Trim(strings.TrimPrefix(text, `{"N":`), `"}`); is !=
					fmt.Sprint(wanted[key][i]) && !(is == "" && wanted[key][i] == 0) {
					return fmt.Errorf("%s of %s is %s, and has to be %v", add.Counter,
						action.Model, is, wanted[key][i])
				}
			}
		}
	}
	return nil
}

// amount returns what a row adds to a counter.
func amount(row design.Row, add *design.Added) float64 {
	n, err := add.Number(row)
	if err != nil {
		return 1
	}
	return n
}
