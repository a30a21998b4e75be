package fault

import (
	"fmt"
	"time"
)

// form describes how to check, print and parse a kind of effect.
type form struct {
	check      func(Effect) error
	parameters func(Effect) string       // nil: no parameters
	parse      func(*Effect, node) error // parses the parameters
}

// forms has the form of every kind.
var forms = map[Kind]form{
	KindThrottle:              {checkThrottle, throttleText, parseThrottle},
	KindInternalServerError:   plain,
	KindServiceUnavailable:    plain,
	KindLatency:               {checkDelay, delayText, parseDelay},
	KindDropConnection:        plain,
	KindLoseResponse:          plain,
	KindUnprocessed:           {checkShare, shareText, parseShare},
	KindTransactionConflict:   plain,
	KindTransactionInProgress: plain,
	KindStaleReads:            {checkBehind, boundText, parseBound},
	KindLaggingIndexes:        {checkBehind, boundText, parseBound},
	KindRecall:                {checkShare, shareText, parseShare},
	KindShortPages:            {checkRecords, recordsText, parseRecords},
	KindExpiredIterator:       plain,
	KindLimitExceeded:         plain,
	KindRateExceeded:          plain,

	KindReplicatedWriteConflict: plain,
	KindPartitionRegion:         {checkNothing, regionText, parseRegion},
	KindDelayReplication:        {checkDelay, regionDelayText, parseRegionDelay},
	KindDuplicateKinesisRecord:  plain,
	KindDisorderKinesisRecord:   plain,
}

// plain is the form of an effect without parameters.
var plain = form{
	check: checkNothing,
	parse: func(_ *Effect, n node) error { return n.members(nil) },
}

func checkNothing(Effect) error { return nil }

func parseRegion(e *Effect, n node) error {
	return n.members(map[string]func(node) error{
		"region": func(n node) (err error) { e.Region, err = n.text(); return err },
	})
}

func parseRegionDelay(e *Effect, n node) error {
	return n.members(map[string]func(node) error{
		"region": func(n node) (err error) { e.Region, err = n.text(); return err },
		"delay":  func(n node) (err error) { e.Delay, err = n.duration(); return err },
	})
}

func parseThrottle(e *Effect, n node) error {
	return n.members(map[string]func(node) error{
		"reason": func(n node) (err error) { e.Reason, err = n.text(); return err },
		"index":  func(n node) (err error) { e.Index, err = n.text(); return err },
	})
}

func parseBound(e *Effect, n node) error {
	return n.members(map[string]func(node) error{
		"writes": func(n node) (err error) { e.Behind.Writes, err = n.integer(); return err },
		"time":   func(n node) (err error) { e.Behind.Time, err = n.duration(); return err },
	})
}

func parseDelay(e *Effect, n node) (err error)   { e.Delay, err = n.duration(); return err }
func parseShare(e *Effect, n node) (err error)   { e.Share, err = n.float(); return err }
func parseRecords(e *Effect, n node) (err error) { e.Records, err = n.integer(); return err }

// duration parses a string as time.ParseDuration does: "1.5s".
func (n node) duration() (time.Duration, error) {
	s, err := n.text()
	if err != nil {
		return 0, err
	}
	d, err := time.ParseDuration(s)
	if err != nil {
		return 0, fmt.Errorf("%q is no duration such as \"50ms\"", s)
	}
	return d, nil
}
