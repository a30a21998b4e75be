package logs

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/kugiri-db/kugiri/emulator"
)

func TestRequestText(t *testing.T) {
	for _, c := range []struct {
		name string
		e    emulator.Event
		want string
	}{
		{"a write", emulator.Event{Operation: "PutItem", Tables: []string{"songs"}, Status: 200,
			Duration: 85 * time.Microsecond,
			Capacity: []emulator.Capacity{{Table: "songs", Write: 1},
				{Table: "songs", Index: "by-artist", Write: 2}}},
			"PutItem songs: 200, 3 WCU, 85µs"},
		{"a query", emulator.Event{Operation: "Query", Tables: []string{"songs"}, Status: 200,
			Evaluated: 10, Returned: 2, Duration: time.Millisecond,
			Reads:    []emulator.EventRead{{Table: "songs", Index: "by-artist"}},
			Capacity: []emulator.Capacity{{Read: 0.5}}},
			"Query songs/by-artist: 200, 2 of 10 items, 0.5 RCU, 1ms"},
		{"gets of several tables",
			emulator.Event{Operation: "BatchGetItem", Tables: []string{"albums", "songs"},
				Status: 200, Evaluated: 2, Returned: 2},
			"BatchGetItem albums, songs: 200, 2 found, 0s"},
		{"an error",
			emulator.Event{Operation: "GetItem", Tables: []string{"songs"}, Status: 400,
				Error: "ValidationException", Message: "The key is wrong"},
			"GetItem songs: 400 ValidationException (The key is wrong), 0s"},
		{"an unknown operation", emulator.Event{Status: 400, Error: "UnknownOperationException"},
			"no operation: 400 UnknownOperationException, 0s"},
		{"a connection cut", emulator.Event{Operation: "ListTables"}, "ListTables: no answer, 0s"},
	} {
		t.Run(c.name, func(t *testing.T) { assert.Equal(t, c.want, requestText(&c.e)) })
	}
}
