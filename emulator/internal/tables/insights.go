package tables

import (
	"fmt"
	"time"

	"github.com/kugiri-db/kugiri/conventions/api"
	"github.com/kugiri-db/kugiri/storage"
)

// The modes and states of contributor insights (API Reference, DescribeContributorInsights).
const (
	AllKeys       = "ACCESSED_AND_THROTTLED_KEYS"
	ThrottledKeys = "THROTTLED_KEYS"

	InsightsEnabled  = "ENABLED"
	InsightsDisabled = disabled
	insightsFailed   = "FAILED"
)

// Insights are the contributor insights of a table or a global index.
type Insights struct {
	Mode    api.ContributorInsightsMode // "" if they were never enabled
	Enabled bool                        // enabled, or being enabled
	Failed  bool                        // could not be enabled: there are too many rules
	Created time.Time                   // the creation of the rules
	// when the present state begins or began, after State has passed
	Changed time.Time
	State   Transition // ENABLING or DISABLING
}

// Status returns the state.
func (i *Insights) Status(now time.Time) string {
	switch state := i.State.At(now); {
	case state != Active:
		return state
	case !i.Enabled:
		return InsightsDisabled
	case i.Failed:
		return insightsFailed
	}
	return InsightsEnabled
}

// Enable enables insights in a mode. It does nothing if they are enabled in this mode
// (ack-api-quirks, DDB-TABLE-092 and -341, probes of the service). free is how many rules the
// account may still have.
func (i *Insights) Enable(mode api.ContributorInsightsMode, key *storage.KeySchema, free int, now,
	until time.Time) {
	rules := len(RuleKinds(mode, key))
	if i.Enabled && !i.Failed {
		if i.Mode == mode {
			return
		}
		*i = Insights{Mode: mode, Enabled: true, Created: i.Created, Failed: rules > free}
	} else {
		*i = Insights{Mode: mode, Enabled: true, Created: now, Failed: rules > free}
	}
	i.State, i.Changed = Transition{enabling, until}, until
}

// Disable disables insights, which keep their mode.
func (i *Insights) Disable(until time.Time) {
	if i.Enabled {
		i.Enabled, i.State, i.Changed = false, Transition{disabling, until}, until
	}
}

// Rules returns how many rules there are.
func (i *Insights) Rules(key *storage.KeySchema) int {
	if !i.Enabled || i.Failed {
		return 0
	}
	return len(RuleKinds(i.Mode, key))
}

// MaxInsightRules limits the rules of an account (CloudWatch, quota "Number of Contributor Insights
// rules"; ack-api-quirks, DDB-TABLE-337, a probe of the service).
const MaxInsightRules = 100

// RuleKinds returns the kinds of the rules in a mode, in the service's order: for the keys that are
// accessed most (C) and those that are throttled most (T), by partition key (PK) and, if the table
// or index has one, by partition key and sort key (SK).
func RuleKinds(mode api.ContributorInsightsMode, key *storage.KeySchema) (kinds []string) {
	for _, measure := range []string{"C", "T"} {
		if measure == "C" && mode == ThrottledKeys {
			continue
		}
		kinds = append(kinds, "PK"+measure)
		if len(key.Range) > 0 {
			kinds = append(kinds, "SK"+measure)
		}
	}
	return kinds
}

// RuleName returns the name of a rule of a table, or of an index unless that is "" (Developer
// Guide, "CloudWatch contributor insights for DynamoDB: How it works").
func (i *Insights) RuleName(kind, table, index string) string {
	if index != "" {
		table += "-" + index
	}
	return fmt.Sprintf("DynamoDBContributorInsights-%s-%s-%d", kind, table, i.Created.UnixMilli())
}

// RuleNames returns the names of all rules.
func (i *Insights) RuleNames(key *storage.KeySchema, table,
	index string) (names []api.ContributorInsightsRule) {
	for _, kind := range RuleKinds(i.Mode, key) {
		names = append(names, api.ContributorInsightsRule(i.RuleName(kind, table, index)))
	}
	return names
}

// Failure returns why insights could not be enabled, or nil. It stays while they are DISABLING
// (ack-api-quirks, DDB-TABLE-339).
func (i *Insights) Failure(now time.Time) *api.FailureException {
	if status := i.Status(now); !i.Failed || status != insightsFailed && status != disabling {
		return nil
	}
	return &api.FailureException{
		ExceptionName: api.Ref("LimitExceededException"),
		ExceptionDescription: api.Ref(
			"Amazon CloudWatch Contributor Insights rule limit reached. " +
				"Please disable Contributor Insights for other tables/indexes OR disable other CloudWatch Contributor Insights rules before retrying."),
	}
}

// LastUpdate returns when the state last changed, nil if it never did.
func (i *Insights) LastUpdate(now time.Time) *api.Timestamp {
	at := i.Changed
	if i.State.At(now) != Active {
		at = now
	}
	return Timestamp(at)
}

// insightsRecord is Insights as a journal keeps them.
type insightsRecord struct {
	Mode             api.ContributorInsightsMode
	Enabled, Failed  bool
	Created, Changed storage.Instant
	State            transitionRecord
}

// recordInsights returns nil for insights that were never enabled.
func recordInsights(i *Insights) *insightsRecord {
	if *i == (Insights{}) {
		return nil
	}
	return &insightsRecord{i.Mode, i.Enabled, i.Failed, storage.InstantOf(i.Created),
		storage.InstantOf(i.Changed), recordTransition(i.State)}
}

func (r *insightsRecord) insights() Insights {
	if r == nil {
		return Insights{}
	}
	return Insights{r.Mode, r.Enabled, r.Failed, r.Created.Time(), r.Changed.Time(),
		r.State.transition()}
}
