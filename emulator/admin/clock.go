package admin

import (
	"cmp"
	"encoding/json"
	"net/http"
	"time"

	"github.com/kugiri-db/kugiri/emulator"
)

type clockInfo struct {
	Now  time.Time `json:"now"`
	Held bool      `json:"held"`
}

// clockTime and clockStep are requests to a held clock.
type (
	clockTime struct {
		Now string `json:"now"`
	}
	clockStep struct {
		By json.RawMessage `json:"by"`
	}
)

// clock is that of an emulator.
type clock struct{ of *emulator.Emulator }

func (c clock) info() clockInfo {
	return clockInfo{c.of.Now().UTC(), c.of.Clock() != nil}
}

func showClock(e *emulator.Emulator, _ *http.Request) (int, any, error) {
	return http.StatusOK, clock{e}.info(), nil
}

// held returns the clock if it is held, so that the API can move it.
func (c clock) held() (*emulator.Clock, error) {
	if held := c.of.Clock(); held != nil {
		return held, nil
	}
	return nil, conflict(
		"the clock goes by itself: start the server with --clock held, or make a fork with a clock")
}

func setClock(e *emulator.Emulator, r *http.Request) (int, any, error) {
	var in clockTime
	if err := decode(r, &in); err != nil {
		return failed(err)
	}
	now, err := parseTime(in.Now)
	if err != nil {
		return failed(err)
	}
	c, err := clock{e}.held()
	if err != nil {
		return failed(err)
	}
	c.Set(now)
	return http.StatusOK, clock{e}.info(), nil
}

func parseTime(text string) (time.Time, error) {
	t, err := time.Parse(time.RFC3339, text)
	if err != nil {
		return t, badRequest("%q is no time such as 2026-01-02T03:04:05Z", text)
	}
	return t, checkTime(t)
}

// checkTime returns an error for times after the year 9999, which RFC 3339 cannot write and TTL
// cannot compare.
func checkTime(t time.Time) error {
	if year := t.UTC().Year(); year < 1 || year > 9999 {
		return badRequest("the clock shows the years 1 to 9999, not %d", year)
	}
	return nil
}

// parseStep reads the duration by which a clock goes on.
func parseStep(text json.RawMessage) (time.Duration, error) {
	var by string
	if json.Unmarshal(text, &by) != nil || text == nil || string(text) == "null" {
		return 0, badRequest(
			`by is a text with a number and its unit, such as {"by": "60s"}, not %s`,
			cmp.Or(string(text), "nothing"))
	}
	d, err := time.ParseDuration(by)
	switch {
	case err != nil:
		return 0, badRequest("%q is no duration such as 90s or 1h30m: "+
			"the units are ns, us, ms, s, m and h; two days are 48h", by)
	case d < 0:
		return 0, badRequest("%q is no duration that a clock can go on by: it is negative", by)
	}
	return d, nil
}

func advanceClock(e *emulator.Emulator, r *http.Request) (int, any, error) {
	var in clockStep
	if err := decode(r, &in); err != nil {
		return failed(err)
	}
	by, err := parseStep(in.By)
	if err != nil {
		return failed(err)
	}
	c, err := clock{e}.held()
	if err != nil {
		return failed(err)
	}
	if err := checkTime(c.Now().Add(by)); err != nil {
		return failed(err)
	}
	c.Advance(by)
	return http.StatusOK, clock{e}.info(), nil
}
