package emulator

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/kugiri-db/kugiri/emulator/internal/tables"
	_ "github.com/kugiri-db/kugiri/storage/rapidseed" // fixes the seed
)

var clockStart = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

func TestClockMovesOnlyByHand(t *testing.T) {
	c := NewClock(clockStart)
	assert.Equal(t, clockStart, c.Now())
	c.Advance(time.Hour)
	assert.Equal(t, clockStart.Add(time.Hour), c.Now())
	c.Set(clockStart.Add(-time.Hour))
	assert.Equal(t, clockStart.Add(-time.Hour), c.Now())
	c.Advance(0)
	assert.Equal(t, clockStart.Add(-time.Hour), c.Now())
	assert.Panics(t, func() { c.Advance(-1) })
}

func TestClockAfter(t *testing.T) {
	c := NewClock(clockStart)
	assert.Equal(t, clockStart, <-c.After(0))
	assert.Equal(t, clockStart, <-c.After(-time.Second))
	late, early := c.After(2*time.Second), c.After(time.Second)
	c.Advance(time.Second - 1)
	assert.Empty(t, early)
	c.Advance(1)
	assert.Equal(t, clockStart.Add(time.Second), <-early)
	assert.Empty(t, late)
	c.Advance(time.Hour)
	assert.Equal(t, clockStart.Add(time.Hour+time.Second), <-late)
}

func TestClockSleep(t *testing.T) {
	c := NewClock(clockStart)
	done := make(chan error)
	go func() { done <- c.Sleep(context.Background(), time.Minute) }()
	require.NoError(t, c.AwaitSleepers(t.Context(), 1))
	c.Advance(time.Minute)
	require.NoError(t, <-done)

	ctx, cancel := context.WithCancel(context.Background())
	go func() { done <- c.Sleep(ctx, time.Minute) }()
	require.NoError(t, c.AwaitSleepers(t.Context(), 1))
	cancel()
	require.ErrorIs(t, <-done, context.Canceled)
	require.ErrorIs(t, c.AwaitSleepers(ctx, 1), context.Canceled, "no one sleeps any more")
}

func TestEmulatorSleepsOnItsClock(t *testing.T) {
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	c := NewClock(clockStart)
	for _, e := range []*Emulator{New(), New(WithHeldClock(c))} {
		assert.ErrorIs(t, e.service.Sleep(ended, time.Hour), context.Canceled)
		assert.NoError(t, e.service.Sleep(t.Context(), 0))
	}
	done := make(chan error)
	go func() { done <- New(WithHeldClock(c)).service.Sleep(context.Background(), time.Hour) }()
	require.NoError(t, c.AwaitSleepers(t.Context(), 1))
	c.Advance(time.Hour)
	require.NoError(t, <-done)
}

// TestClockProperty: of any sleepers and moves, exactly those are woken whose time
// has been shown.
func TestClockProperty(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := NewClock(clockStart)
		now := clockStart
		type waiting struct {
			until time.Time
			wake  <-chan time.Time
			since time.Time
		}
		var all []waiting
		t.Repeat(map[string]func(*rapid.T){
			"after": func(t *rapid.T) {
				d := time.Duration(rapid.IntRange(-2, 20).Draw(t, "d"))
				all = append(all, waiting{now.Add(d), c.After(d), now})
			},
			"advance": func(t *rapid.T) {
				d := time.Duration(rapid.IntRange(0, 10).Draw(t, "d"))
				now = now.Add(d)
				c.Advance(d)
			},
			"set": func(t *rapid.T) {
				now = clockStart.Add(time.Duration(rapid.IntRange(-20, 100).Draw(t, "at")))
				c.Set(now)
			},
			"": func(t *rapid.T) {
				kept := all[:0]
				for _, w := range all {
					due := !w.until.After(now) || !w.until.After(w.since)
					if got := len(w.wake) == 1; got != due {
						t.Fatalf("sleeper until %v at %v: woken %t", w.until, now, got)
					}
					if !due {
						kept = append(kept, w)
					}
				}
				all = kept
				if len(c.sleepers) != len(all) {
					t.Fatalf("%d sleep, not %d", len(c.sleepers), len(all))
				}
			},
		})
	})
}

const ttlTable = `{"TableName":"sessions","BillingMode":"PAY_PER_REQUEST","AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"}],
	"KeySchema":[{"AttributeName":"pk","KeyType":"HASH"}],"StreamSpecification":{"StreamEnabled":true,"StreamViewType":"KEYS_ONLY"}}`

func TestAdvanceExpiresItems(t *testing.T) {
	c := NewClock(time.Unix(1000, 0))
	x := &requestTest{T: t, emulator: New(WithHeldClock(c))}
	x.do("CreateTable", ttlTable)
	x.do("UpdateTimeToLive",
		`{"TableName":"sessions","TimeToLiveSpecification":{"AttributeName":"ttl","Enabled":true}}`)
	x.put("sessions", `{"pk":{"S":"a"},"ttl":{"N":"1060"}}`)
	c.Advance(time.Minute)
	x.wantItem(`{"pk":{"S":"a"},"ttl":{"N":"1060"}}`, "sessions", `{"pk":{"S":"a"}}`)
	c.Advance(time.Second)
	x.wantItem("", "sessions", `{"pk":{"S":"a"}}`)

	x.put("sessions", `{"pk":{"S":"b"},"ttl":{"N":"5000"}}`)
	f := x.emulator.Fork()
	c.Set(time.Unix(5001, 0))
	x.wantItem("", "sessions", `{"pk":{"S":"b"}}`)
	other := &requestTest{T: t, emulator: f}
	other.wantItem(`{"pk":{"S":"b"},"ttl":{"N":"5000"}}`, "sessions", `{"pk":{"S":"b"}}`)
	assert.Equal(t, int64(1061), f.Clock().Now().Unix(), "a fork has a clock of its own")
	f.Clock().Advance(time.Hour * 2)
	other.wantItem("", "sessions", `{"pk":{"S":"b"}}`)
}

// TestHeldClockTableStates: states pass when the clock is moved, and not before.
func TestHeldClockTableStates(t *testing.T) {
	c := NewClock(clockStart)
	x := &requestTest{T: t, emulator: New(WithHeldClock(c), WithTableDelays(time.Minute, 0, 0))}
	status := func() string {
		answer := x.do("DescribeTable", `{"TableName":"sessions"}`)
		for _, s := range []string{tables.Creating, tables.Active} {
			if strings.Contains(answer, `"TableStatus":"`+s+`"`) {
				return s
			}
		}
		return answer
	}
	x.do("CreateTable", ttlTable)
	assert.Equal(t, tables.Creating, status())
	c.Advance(time.Minute - 1)
	assert.Equal(t, tables.Creating, status())
	c.Advance(1)
	assert.Equal(t, tables.Active, status())
}
