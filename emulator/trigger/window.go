package trigger

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"
)

// Window is a tumbling window of a shard: the records of a period, and what the function makes of
// them (Lambda Developer Guide, "Implementing stateful DynamoDB stream processing in Lambda").
type Window struct {
	Start, End time.Time
	state      json.RawMessage // the state in the last response; nil before the first
}

// maxState is how many bytes the state of a window has at most.
const maxState = 1 << 20

// WindowOf returns the window that a record of a time belongs to. It has no state.
func (t *Trigger) WindowOf(at time.Time) *Window {
	start := at.Truncate(time.Second)
	passed := start.Unix() % int64(t.TumblingWindow/time.Second)
	start = start.Add(-time.Duration(passed) * time.Second)
	return &Window{Start: start.UTC(), End: start.Add(t.TumblingWindow).UTC()}
}

// Holds reports whether a record of a time belongs to the window, or to one before it.
func (w *Window) Holds(at time.Time) bool { return at.Before(w.End) }

// Full reports whether the state is too large. The window ends early then.
func (w *Window) Full() bool { return len(w.state) > maxState }

// take takes the state from a response. A response without one is an error.
func (w *Window) take(response []byte) error {
	var members map[string]json.RawMessage
	if json.Unmarshal(response, &members) != nil || members["state"] == nil {
		return errors.New("the response has no state of the tumbling window")
	}
	w.state = members["state"]
	return nil
}

// event returns the JSON that a function gets of a window.
func (w *Window) event(b *Batch, records []Record, final bool) []byte {
	state := w.state
	if state == nil {
		state = json.RawMessage("{}")
	}
	text := event(records)
	return fmt.Appendf(text[:len(text)-1], `,"window":{"start":"%s","end":"%s"},"state":%s,`+
		`"shardId":%q,"eventSourceARN":%q,"isFinalInvokeForWindow":%t,`+
		`"isWindowTerminatedEarly":%t}`, w.Start.Format(time.RFC3339), w.End.Format(time.RFC3339),
		state, b.ShardID, b.StreamARN, final, final && w.Full())
}

// DeliverIn delivers a batch as Deliver does, with the state of a window, which changes with each
// response.
func (t *Trigger) DeliverIn(ctx context.Context, clock Clock, w *Window, b Batch,
	done func(sequenceNumber string) error) error {
	return (&delivery{t, clock, b, done, w}).run(ctx)
}

// EndWindow calls the function with the final state of a window until there is no error: nothing
// else of the shard comes before that. b has the shard, and no records.
func (t *Trigger) EndWindow(ctx context.Context, clock Clock, w *Window, b Batch) error {
	for pause := firstPause; ; pause = min(2*pause, lastPause) {
		_, err := t.function(ctx, w.event(&b, nil, true))
		if err == nil || ctx.Err() != nil {
			return ctx.Err()
		}
		clock.Log(fmt.Sprintf("%s failed at the end of a window of %s", t.Name(), b.ShardID), err)
		if err := clock.Sleep(ctx, pause); err != nil {
			return err
		}
	}
}
