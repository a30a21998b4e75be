package conventions

import (
	"fmt"
	"time"
)

// TimeSeries is "Pattern 6: time series data", for events that are read by time. A partition holds
// a month:
//
//	PK = PREFIX#tenant#YYYY-MM
//	SK = timestamp#eventId
//
// Timestamps are in UTC. The guide's code writes them with milliseconds, as JavaScript's
// toISOString does, and its example without. Parse accepts both. They do not sort correctly among
// each other, so a table should use one form.
type TimeSeries struct {
	Prefix  string
	Seconds bool // build timestamps as 2024-01-15T10:30:00Z instead of 2024-01-15T10:30:00.000Z
}

// TimeSeriesKey holds the parts of the keys of an event.
type TimeSeriesKey struct {
	Tenant  string
	Time    time.Time // the time in UTC
	Event   string
	Version int // VersionLatest if none
}

// KeyRange is a range of a partition: the sort keys from From to To, both included, as with
// BETWEEN.
type KeyRange struct {
	PK, From, To string
}

const (
	monthForm  = "2006-01"
	secondForm = "2006-01-02T15:04:05Z"
	milliForm  = "2006-01-02T15:04:05.000Z"

	// afterSeparator sorts right after KeySeparator. A timestamp followed by it sorts after all
	// events of that timestamp and before those of the next one.
	afterSeparator = "$"
)

// Kind is KindTimeSeries.
func (TimeSeries) Kind() PatternKind { return KindTimeSeries }

// Validate implements Pattern.
func (p TimeSeries) Validate() error { return checkNames("prefix", p.Prefix) }

// Build builds the keys of an event. It truncates the time to the precision of the timestamp.
func (p TimeSeries) Build(tenant string, at time.Time, event string) (Keys, error) {
	stamp, err := p.stamp(at)
	if err != nil {
		return Keys{}, err
	}
	pk, err := PartitionKey(p.Prefix, tenant, at.UTC().Format(monthForm))
	if err != nil {
		return Keys{}, err
	}
	sk, err := SortKey(stamp, event)
	if err != nil {
		return Keys{}, err
	}
	return NewKeys(pk, sk)
}

// Parse takes keys apart, with timestamps of either form.
func (p TimeSeries) Parse(pk, sk string) (TimeSeriesKey, error) {
	partition, sort, err := parseKeys(pk, sk, p.Prefix, 1, 2)
	if err != nil {
		return TimeSeriesKey{}, err
	}
	stamp := sort.Segments[0]
	at, err := parseStamp(stamp)
	switch {
	case err != nil:
		return TimeSeriesKey{}, err
	case at.Format(monthForm) != partition.Rest[0]:
		return TimeSeriesKey{}, keyError("timestamp", stamp, ErrMonth)
	}
	return TimeSeriesKey{
		Tenant: partition.Tenant, Time: at, Event: sort.Segments[1], Version: sort.Version,
	}, nil
}

// Check implements Pattern.
func (p TimeSeries) Check(pk, sk string) error {
	_, err := p.Parse(pk, sk)
	return err
}

// Partitions returns the partition keys of all months from one time to another, both included, in
// order.
func (p TimeSeries) Partitions(tenant string, from, to time.Time) ([]string, error) {
	ranges, err := p.Between(tenant, from, to)
	if err != nil {
		return nil, err
	}
	keys := make([]string, len(ranges))
	for i, r := range ranges {
		keys[i] = r.PK
	}
	return keys, nil
}

// Between returns the ranges of keys that hold the events from one time to another, both included,
// to the precision of the timestamps. There is one range for each month, in order. Between returns
// an error if to is before from, and for more than 1200 months.
func (p TimeSeries) Between(tenant string, from, to time.Time) ([]KeyRange, error) {
	const mostMonths = 1200
	first, err := p.stamp(from)
	if err != nil {
		return nil, err
	}
	last, err := p.stamp(to)
	if err != nil {
		return nil, err
	}
	from, to = from.UTC(), to.UTC()
	months := (to.Year()-from.Year())*12 + int(to.Month()) - int(from.Month()) + 1
	if to.Before(from) || months > mostMonths {
		return nil, fmt.Errorf("conventions: %s to %s is not a range of up to %d months", first,
			last, mostMonths)
	}
	ranges := make([]KeyRange, months)
	for i := range ranges {
		month := time.Date(from.Year(), from.Month()+time.Month(i), 1, 0, 0, 0, 0, time.UTC)
		pk, err := PartitionKey(p.Prefix, tenant, month.Format(monthForm))
		if err != nil {
			return nil, err
		}
		ranges[i] = KeyRange{PK: pk, From: first, To: last + afterSeparator}
	}
	return ranges, nil
}

func (p TimeSeries) stamp(at time.Time) (string, error) {
	at = at.UTC()
	if at.Year() < 0 || at.Year() > 9999 {
		return "", keyError("timestamp", at.String(), ErrTime)
	}
	if p.Seconds {
		return at.Format(secondForm), nil
	}
	return at.Format(milliForm), nil
}

// parseStamp reads a timestamp of either form. time.Parse accepts more than these, so parseStamp
// formats the time again and compares.
func parseStamp(stamp string) (time.Time, error) {
	form := milliForm
	if len(stamp) == len(secondForm) {
		form = secondForm
	}
	at, err := time.Parse(form, stamp)
	if err != nil || at.Format(form) != stamp {
		return time.Time{}, keyError("timestamp", stamp, ErrTime)
	}
	return at, nil
}
