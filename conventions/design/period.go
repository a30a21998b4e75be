package design

import (
	"fmt"
	"time"
)

// timestampLayout is the form of timestamps, for package time.
const timestampLayout = "2006-01-02T15:04:05.000Z"

// digits returns how many characters of a timestamp name its period.
func (p Period) digits() int {
	return map[Period]int{
		Year: len("2006"), Month: len("2006-01"), Day: len("2006-01-02"),
		Hour: len("2006-01-02T15"),
	}[p]
}

// layout returns the form of a period's text, for package time.
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

// Before returns the beginning of the period before that of a timestamp, or the text itself if it
// is no timestamp.
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
		if len(periods) == maxRequests {
			return nil, fmt.Errorf("from %s to %s are more than %d periods (%s)", first, last,
				maxRequests, p)
		}
		periods = append(periods, at.Format(p.layout()))
	}
	return periods, nil
}
