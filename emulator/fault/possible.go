package fault

import (
	"fmt"
	"slices"
	"strings"

	"github.com/kugiri-db/kugiri/conventions/catalog"
)

// PossibleFor reports whether some requests of an operation can have an effect of the kind. Effects
// on replication and on records for Kinesis do not show in requests.
func (k Kind) PossibleFor(o catalog.Operation) bool {
	onItems, together, writes :=
		o.Subject == catalog.Items, o.Parts == catalog.Together, o.Access != catalog.Reads
	switch k {
	case KindPartitionRegion, KindDelayReplication, KindDuplicateKinesisRecord,
		KindDisorderKinesisRecord:
		return false
	case KindReplicatedWriteConflict:
		return onItems && writes && !together
	case KindThrottle:
		return onItems
	case KindUnprocessed:
		return o.Parts == catalog.Unprocessed
	case KindTransactionConflict:
		return onItems && (writes || together)
	case KindTransactionInProgress:
		return together && writes
	case KindStaleReads, KindLaggingIndexes:
		return onItems && o.Access != catalog.Writes
	case KindRecall:
		return o.Name == "SearchVectors"
	case KindShortPages, KindExpiredIterator:
		return o.Subject == catalog.Records
	case KindRateExceeded:
		return o.Subject == catalog.Control || o.Subject == catalog.Setup
	case KindLimitExceeded:
		return o.Subject == catalog.Records || o.Subject == catalog.Control && writes
	}
	return true
}

// checkPossible returns an error if none of the operations that a fault asks for can have its
// effect.
func (f Fault) checkPossible() error {
	if !f.Do.Kind.Sends() && namesStream(f.When) {
		return fmt.Errorf(
			"%s: kinesisStream chooses changes on their way to Kinesis, which cannot have it",
			f.Do.Kind)
	}
	names := operationsOf(f.When)
	for _, name := range names {
		if o, _ := catalog.Named(name); f.Do.Kind.PossibleFor(o) {
			return nil
		}
	}
	if len(names) == 0 {
		return nil
	}
	return fmt.Errorf("%s: no request of %s can have it", f.Do.Kind, strings.Join(names, ", "))
}

// operationsOf returns the names of the operations that a matcher asks for, or none if it asks for
// none or not for them alone.
func operationsOf(m Matcher) []string {
	switch m := m.(type) {
	case names:
		if m.of == "operation" {
			return m.list
		}
	case and:
		for _, part := range m {
			if list := operationsOf(part); list != nil {
				return list
			}
		}
	}
	return nil
}

// namesStream reports whether a matcher or a part of it is a KinesisStream.
func namesStream(m Matcher) bool {
	switch m := m.(type) {
	case names:
		return m.of == "kinesisStream"
	case and:
		return slices.ContainsFunc(m, namesStream)
	case or:
		return slices.ContainsFunc(m, namesStream)
	case not:
		return namesStream(m.of)
	case part:
		return namesStream(m.of)
	}
	return false
}
