package search

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/kugiri-db/kugiri/emulator"
	"github.com/kugiri-db/kugiri/emulator/trigger"
)

// Delivery is a batch on its way to the function of a consumer.
type Delivery struct {
	Client *WorkerClient // the client of the calls after the first. Its owner sets Exit.

	run   *Run
	batch trigger.Batch
	twice bool // the batch is passed once more, although the function has handled it
	calls int
	place emulator.Place
}

type deliveryKey struct{}

// Carry calls the consumer's function with the batch until all records are handled or given up. It
// returns at once if the run is over. It runs in a goroutine of its own.
func (d *Delivery) Carry() {
	w := d.Client.Worker
	defer d.end()
	ctx, cancel := context.WithCancel(context.WithValue(context.Background(), deliveryKey{}, d))
	defer cancel()
	clock := trigger.Clock{
		Now: d.run.fork.Now,
		// the search decides when a call goes
		Sleep: func(ctx context.Context, _ time.Duration) error { return ctx.Err() },
		Log:   func(string, error) {},
	}
	times := 1
	if d.twice {
		times = 2
	}
	for range times {
		// an error says that ctx has ended, which it does not
		_ = w.Trigger.Deliver(ctx, clock, d.batch, func(string) error { return nil })
	}
}

// Next waits for the search before a call of the function: each but the first is a step of its own.
func Next(ctx context.Context) *Delivery {
	d := ctx.Value(deliveryKey{}).(*Delivery)
	if d.calls++; d.calls > 1 {
		d.Client.waitForCall()
	}
	d.run.gate.mu.Lock()
	defer d.run.gate.mu.Unlock()
	d.Client.Worker.calls++
	return d
}

// waitForCall is Do without a request.
func (s *WorkerClient) waitForCall() {
	t := &Pending{client: s, operation: Invoke, lane: -1, pass: make(chan struct{}), again: true}
	if !s.gate.come(t) {
		s.Exit()
		return
	}
	<-t.pass
	if answer, err := s.gate.carryOut(t); err == nil && answer != nil {
		answer.Body.Close() // the body is empty
	}
}

// end gives the place of the delivery back.
func (d *Delivery) end() {
	g, w := d.run.gate, d.Client.Worker
	g.mu.Lock()
	defer g.mu.Unlock()
	w.flights--
	w.places = slices.DeleteFunc(w.places, func(p emulator.Place) bool { return p == d.place })
	g.tell()
}

// Break says that a call of a consumer has ended in another way than by returning.
func (g *Gate) Break(w *Worker, broken string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	w.broken = cmp.Or(w.broken, broken)
}

// consume has a consumer begin with the changes of the run. It panics if none could ever come.
func (e *Run) consume(w *Worker) {
	s := e.search
	if w.Trigger.TumblingWindow > 0 {
		panic(fmt.Sprintf("explore: the consumer %q: tumbling windows are not possible here", w.Name))
	}
	w.consumption = emulator.NewConsumption(e.fork, s.AccessKey, s.Region, w.Trigger)
	if w.consumption.HasStream() {
		return
	}
	table := w.Trigger.Table
	if slices.Contains(e.fork.TableNames(s.AccessKey, s.Region), table) {
		panic(fmt.Sprintf("explore: the consumer %q: the table %q has no stream", w.Name, table))
	}
	panic(fmt.Sprintf("explore: the consumer %q: there is no table %q in %s", w.Name, table,
		s.Region))
}

// offer has a batch wait at the gate for each place from which a consumer could get one.
func (e *Run) offer() {
	for _, w := range e.workers {
		if w.Trigger == nil || w.ended {
			continue
		}
		waiting, err := w.consumption.Waiting()
		if err != nil {
			panic("explore: the records of a consumer: " + err.Error())
		}
		for _, p := range waiting {
			if slices.Contains(w.places, p) {
				continue
			}
			w.places = append(w.places, p)
			e.gate.offer(&Pending{client: e.Client(w), operation: Invoke, lane: -1,
				body: fmt.Appendf(nil, "%s %d %d", p.Table, p.Shard, p.Part), place: p,
				pass: make(chan struct{}), offered: true})
		}
	}
}

// offer adds a request for which nobody waits.
func (g *Gate) offer(t *Pending) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.pending = append(g.pending, t)
}

// invoke has a consumer get a batch.
func (e *Run) invoke(t *Pending) {
	w := t.client.Worker
	batch, err := w.consumption.Take(t.place)
	if err != nil {
		panic("explore: the records of a consumer: " + err.Error())
	}
	st := e.newStep(t)
	st.print = &footprint{ranges: []reach{{table: t.place.Table}}}
	st.print.writes = st.fault.ofTime()
	var events strings.Builder
	for i := range batch.Records {
		st.records = append(st.records, recordText(batch.Records[i].JSON))
		events.Write(batch.Records[i].JSON)
	}
	e.lives(st, w, t.text(), events.String())
	w.hit = w.hit || st.fault != ""
	d := &Delivery{Client: e.Client(w), run: e, batch: batch, twice: st.fault == Redelivered,
		place: t.place}
	e.gate.mu.Lock()
	w.flights++
	e.gate.mu.Unlock()
	e.search.Host.Deliver(e, d)
}

// recordText describes a record.
func recordText(record []byte) string {
	var r struct {
		EventName string `json:"eventName"`
		Dynamodb  struct{ Keys json.RawMessage }
	}
	if json.Unmarshal(record, &r) != nil {
		return "a record"
	}
	return r.EventName + " " + string(r.Dynamodb.Keys)
}

// logged reports whether somebody reads the stream of a table.
func (e *Run) logged(table string) bool {
	return slices.ContainsFunc(e.workers, func(w *Worker) bool {
		if w.Trigger == nil {
			return w.Streams || e.search.streams
		}
		of := w.Trigger.Table // a name or an ARN
		return of[strings.LastIndexByte(of, '/')+1:] == table
	})
}
