package emulator

import (
	"time"

	"github.com/kugiri-db/kugiri/emulator/internal/feature/insights"
)

// ContributorInsights holds what a rule of contributor insights has found, which DynamoDB shows in
// CloudWatch: see the operation UpdateContributorInsights.
type ContributorInsights struct {
	// or the account; "", like Region, if all share the tables
	AccessKey string `json:"accessKey,omitempty"`
	Region    string `json:"region,omitempty"`
	Table     string `json:"table"`
	Index     string `json:"index,omitempty"` // "" for the table itself
	Rule      string `json:"rule"`            // its name
	Kind      string `json:"kind"`            // PKC, SKC, PKT or SKT
	// the latest first; without minutes in which nothing happened
	Minutes []InsightsMinute `json:"minutes"`
}

// InsightsMinute is a minute of a rule, on the service's clock.
type InsightsMinute struct {
	Start time.Time `json:"start"`

	// Sum is that of all keys: of PKC and SKC the units read and three times the units written, of
	// PKT and SKT the number of throttled requests and entries of batches.
	Sum float64 `json:"sum"`
	// at most ten, in descending order of their values
	Contributors []Contributor `json:"contributors"`
}

// Contributor is a key.
type Contributor struct {
	// Keys are the values of the partition key and, for SKC and SKT, of the sort key: strings
	// quoted, numbers as they are, binary as base64. Of a long value there is the beginning.
	Keys  []string `json:"keys"`
	Value float64  `json:"value"`
	// Inherited is how much of Value may belong to other keys. It is 0 while a minute has at most
	// 256 keys.
	Inherited float64 `json:"inherited,omitempty"`
}

// insightsOf returns what is known of a rule.
func insightsOf(rule *insights.ContributorInsights) ContributorInsights {
	known := ContributorInsights{AccessKey: rule.AccessKey, Region: rule.Region, Table: rule.Table,
		Index: rule.Index, Rule: rule.Rule, Kind: rule.Kind,
		Minutes: make([]InsightsMinute, len(rule.Minutes))}
	for i, m := range rule.Minutes {
		minute := InsightsMinute{Start: m.Start, Sum: m.Sum}
		for _, c := range m.Contributors {
			minute.Contributors = append(minute.Contributors, Contributor(c))
		}
		known.Minutes[i] = minute
	}
	return known
}
