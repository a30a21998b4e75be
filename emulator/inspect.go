package emulator

import (
	"github.com/kugiri-db/kugiri/emulator/internal/feature/insights"
	"github.com/kugiri-db/kugiri/emulator/internal/inspect"
	"github.com/kugiri-db/kugiri/emulator/internal/watch"
)

// What an Inspector shows.
type (
	// Inspector shows what a service holds to those who operate it: see Emulator.Inspect.
	Inspector = inspect.Inspector
	// Namespace is what the callers with an access key see in a region.
	Namespace = inspect.Namespace
	// TableSize is how much a table or an index holds at a moment.
	TableSize = inspect.TableSize
	// IndexKind is the kind of an index, "" for a table.
	IndexKind = inspect.IndexKind
	// Expiration is an item that TTL will delete.
	Expiration = inspect.Expiration
)

// The kinds of indexes.
const (
	LocalIndex  = inspect.LocalIndex
	GlobalIndex = inspect.GlobalIndex
	VectorIndex = inspect.VectorIndex
)

// What contributor insights count.
type (
	// ContributorInsights are the counts of a rule of contributor insights.
	ContributorInsights = insights.ContributorInsights
	// InsightsMinute is what a rule has counted in a minute.
	InsightsMinute = insights.InsightsMinute
	// Contributor is a key with its value in a minute.
	Contributor = insights.Contributor
)

// Finding says how often requests for one entity of one table and tenant broke a rule of the policy
// (see WithPolicy). Its example is the last of these requests.
type Finding = watch.Finding

// RuleCount says how often requests broke a rule of the policy.
type RuleCount = watch.RuleCount
