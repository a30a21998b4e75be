package trigger

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// windowed delivers the records a to d in a window of a minute, which ends then. answer is the
// function: it gets the names of a batch, and "" at the end. The result has the events.
func windowed(t *testing.T, m Mapping, answer func(batch string) (string, error)) (w *Window,
	events []string) {
	t.Helper()
	m.Table, m.TumblingWindow = "t", time.Minute
	tr, err := New(m, "f", func(_ context.Context, event []byte) ([]byte, error) {
		events = append(events, string(event))
		response, err := answer(names(t, event))
		return []byte(response), err
	})
	require.NoError(t, err)
	clock := Clock{Now: func() time.Time { return time.Unix(100, 0) },
		Log:   func(string, error) {},
		Sleep: func(context.Context, time.Duration) error { return nil }}
	b := batchOf("abcd")
	w = tr.WindowOf(time.Unix(1596128400+61, 0))
	require.NoError(t, tr.DeliverIn(t.Context(), clock, w, b, func(string) error { return nil }))
	require.NoError(t, tr.EndWindow(t.Context(), clock, w, b))
	return w, events
}

// TestWindowEvents: what a function gets of a window (Lambda Developer Guide, "Implementing
// stateful DynamoDB stream processing in Lambda", DynamodbTimeWindowEvent).
func TestWindowEvents(t *testing.T) {
	const place = `"window":{"start":"2020-07-30T17:01:00Z","end":"2020-07-30T17:02:00Z"},` +
		`"shardId":"shard","eventSourceARN":"stream"`
	_, events := windowed(t, Mapping{}, func(batch string) (string, error) {
		return `{"state":{"1":"` + batch + `"},"batchItemFailures":[]}`, nil
	})
	require.Len(t, events, 2)
	assert.JSONEq(t, `{"Records":["a","b","c","d"],`+place+`,"state":{},`+
		`"isFinalInvokeForWindow":false,"isWindowTerminatedEarly":false}`, events[0])
	assert.JSONEq(t, `{"Records":[],`+place+`,"state":{"1":"abcd"},`+
		`"isFinalInvokeForWindow":true,"isWindowTerminatedEarly":false}`, events[1])
}

// TestWindowStates: which responses have a state, and what becomes of it.
func TestWindowStates(t *testing.T) {
	answers := func(list ...string) func(string) (string, error) {
		return func(string) (string, error) {
			text := list[0]
			list = list[min(1, len(list)-1):]
			if text == "error" {
				return "", errors.New("thrown")
			}
			return text, nil
		}
	}
	large := `{"state":"` + strings.Repeat("x", 1<<20) + `"}`
	for _, c := range []struct {
		name    string
		mapping Mapping
		answer  func(batch string) (string, error)
		calls   []string // the names and the state of each
		early   bool
	}{
		{"a state", Mapping{}, answers(`{"state":1}`), []string{"abcd {}", " 1"}, false},
		{"a state that is null", Mapping{}, answers(`{"state":null}`),
			[]string{"abcd {}", " null"}, false},
		{"no state fails", Mapping{MaxRetries: 1}, answers(`{}`, `{"state":2}`),
			[]string{"abcd {}", "abcd {}", " 2"}, false},
		{"no response fails", Mapping{MaxRetries: 1}, answers("", `{"state":2}`),
			[]string{"abcd {}", "abcd {}", " 2"}, false},
		{"another name fails", Mapping{}, answers(`{"State":1}`),
			[]string{"abcd {}", " {}"}, false},
		{"an error keeps the state", Mapping{MaxRetries: 1, BisectBatchOnFunctionError: true},
			answers("error", `{"state":1}`, "error", `{"state":2}`),
			[]string{"abcd {}", "ab {}", "cd 1", "c 1", "d 2", " 2"}, false},
		{"a failed record", Mapping{ReportBatchItemFailures: true},
			answers(`{"state":1,"batchItemFailures":[{"itemIdentifier":"c"}]}`, `{"state":2}`),
			[]string{"abcd {}", "cd 1", " 2"}, false},
		{"the end is tried again", Mapping{}, answers(`{"state":1}`, "error", "error", "{}"),
			[]string{"abcd {}", " 1", " 1", " 1"}, false},
		{"a large state", Mapping{}, answers(large), []string{"abcd {}", " large"}, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			w, events := windowed(t, c.mapping, c.answer)
			var calls []string
			early := false
			for _, event := range events {
				var in struct {
					State json.RawMessage
					Early bool `json:"isWindowTerminatedEarly"`
				}
				require.NoError(t, json.Unmarshal([]byte(event), &in))
				state := string(in.State)
				if len(state) > 1<<20 {
					state = "large"
				}
				calls = append(calls, names(t, []byte(event))+" "+state)
				early = early || in.Early
			}
			assert.Equal(t, c.calls, calls)
			assert.Equal(t, c.early, early)
			assert.Equal(t, c.early, w.Full())
		})
	}
}

// TestWindowOf: windows follow each other from the beginning of 1970.
func TestWindowOf(t *testing.T) {
	m := NewMapping("t")
	m.TumblingWindow = 7 * time.Second
	tr, err := New(m, "f", nil)
	require.NoError(t, err)
	for _, c := range []struct{ at, start int64 }{{0, 0}, {6, 0}, {7, 7}, {20, 14}, {700, 700}} {
		w := tr.WindowOf(time.Unix(c.at, 999))
		assert.Equal(t, c.start, w.Start.Unix(), c.at)
		assert.Equal(t, c.start+7, w.End.Unix(), c.at)
		assert.True(t, w.Holds(time.Unix(c.at, 0)))
		assert.False(t, w.Holds(w.End))
	}
}
