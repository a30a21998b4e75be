package admin

import (
	"cmp"
	"math"
	"slices"
	"sync"
	"time"
)

// latencyInfo says how long the calls of an operation took, in milliseconds of the clock.
type latencyInfo struct {
	Operation string  `json:"operation"`
	Requests  int64   `json:"requests"`
	P50       float64 `json:"p50"`
	P90       float64 `json:"p90"`
	P99       float64 `json:"p99"`
	Max       float64 `json:"max"`
}

// latencies has a histogram for each operation. The zero value is empty.
type latencies struct {
	mu          sync.Mutex
	byOperation map[string]*histogram
}

// add adds a call. An operation that does not exist is "".
func (l *latencies) add(operation string, took time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	h := l.byOperation[operation]
	if h == nil {
		if l.byOperation == nil {
			l.byOperation = map[string]*histogram{}
		}
		h = new(histogram)
		l.byOperation[operation] = h
	}
	h.add(took)
}

// list returns what is known of each operation, in the order of their names.
func (l *latencies) list() []latencyInfo {
	l.mu.Lock()
	defer l.mu.Unlock()
	list := []latencyInfo{}
	for operation, h := range l.byOperation {
		list = append(list,
			latencyInfo{operation, h.count, h.quantile(0.5), h.quantile(0.9), h.quantile(0.99),
				milliseconds(h.max)})
	}
	slices.SortFunc(list,
		func(a, b latencyInfo) int { return cmp.Compare(a.Operation, b.Operation) })
	return list
}

func milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// A histogram has a counter for each range of durations. Ranges grow by a factor of 2^(1/8), so
// that a quantile is at most 9 % too large.
const (
	perDoubling = 8
	ranges      = 32 * perDoubling // the last one ends at 2^32 microseconds: more than an hour
)

type histogram struct {
	count    int64
	max      time.Duration
	counters [ranges]int64
}

func (h *histogram) add(took time.Duration) {
	h.count++
	h.max = max(h.max, took)
	h.counters[rangeOf(took)]++
}

// rangeOf returns the range of a duration: 0 up to a microsecond.
func rangeOf(took time.Duration) int {
	us := float64(took) / float64(time.Microsecond)
	if us <= 1 {
		return 0
	}
	return min(ranges-1, int(math.Ceil(perDoubling*math.Log2(us))))
}

// quantile returns the end of the range below which a share of the durations is, in milliseconds.
func (h *histogram) quantile(share float64) float64 {
	rank := int64(math.Ceil(share * float64(h.count)))
	for i, n := range h.counters {
		if rank -= n; rank <= 0 {
			end := time.Duration(math.Exp2(float64(i)/perDoubling) * float64(time.Microsecond))
			return milliseconds(min(end, h.max))
		}
	}
	return milliseconds(h.max)
}
