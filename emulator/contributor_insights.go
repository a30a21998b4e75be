package emulator

import "github.com/kugiri-db/kugiri/emulator/internal/feature/insights"

// What contributor insights count.
type (
	// ContributorInsights are the counts of a rule of contributor insights.
	ContributorInsights = insights.ContributorInsights
	// InsightsMinute is what a rule has counted in a minute.
	InsightsMinute = insights.InsightsMinute
	// Contributor is a key with its value in a minute.
	Contributor = insights.Contributor
)

// ContributorInsights returns what the rules of contributor insights have found in the last 60
// minutes in which something happened: of each minute the ten keys with the largest values. Rules
// that are not ENABLED have found nothing. Forks and snapshots have a copy; a restart begins anew.
// Scans and PartiQL statements do not count.
func (e *Emulator) ContributorInsights() []ContributorInsights {
	return insights.All(e.service)
}
