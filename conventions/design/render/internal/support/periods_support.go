package support

import (
	"errors"
	"fmt"
	"slices"
	"time"
)

// period returns the part of a timestamp that a layout of package time shows. "" has none.
func (k *keys) period(timestamp, layout string) string {
	if timestamp == "" {
		return ""
	}
	text := timestamp[:min(len(timestamp), len(layout))]
	if _, err := time.Parse(layout, text); err != nil {
		k.fail(fmt.Errorf("%q is no timestamp", timestamp))
	}
	return text
}

// maxPeriods is how many requests a read takes at most.
const maxPeriods = 1000

// periods returns the periods between two timestamps in the order of a result.
func (k *keys) periods(from, to, layout string, descending bool) (all []string) {
	first, last := k.period(from, layout), k.period(to, layout)
	if k.err == nil && (first == "" || last == "") {
		k.fail(errors.New("a bound of the range is empty"))
	}
	for at, _ := time.Parse(layout, first); k.err == nil && at.Format(layout) <= last; {
		if len(all) == maxPeriods {
			k.fail(fmt.Errorf("from %s to %s are more than %d periods", first, last, maxPeriods))
		}
		all = append(all, at.Format(layout))
		switch len(layout) {
		case len("2006"):
			at = at.AddDate(1, 0, 0)
		case len("2006-01"):
			at = at.AddDate(0, 1, 0)
		case len("2006-01-02"):
			at = at.AddDate(0, 0, 1)
		default:
			at = at.Add(time.Hour)
		}
	}
	if descending {
		slices.Reverse(all)
	}
	return all
}
