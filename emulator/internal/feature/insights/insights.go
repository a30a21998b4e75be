package insights

import (
	"maps"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/kugiri-db/kugiri/emulator/internal/serve"
	"github.com/kugiri-db/kugiri/emulator/internal/tables"
	"github.com/kugiri-db/kugiri/emulator/internal/topk"
	"github.com/kugiri-db/kugiri/storage"
)

// ContributorInsights has the fields of emulator.ContributorInsights, which documents them.
type ContributorInsights struct {
	AccessKey, Region string
	Table, Index      string
	Rule, Kind        string
	Minutes           []InsightsMinute
}

// InsightsMinute is a minute of a rule.
type InsightsMinute struct {
	Start        time.Time
	Sum          float64
	Contributors []Contributor
}

// Contributor is a key.
type Contributor struct {
	Keys      []string
	Value     float64
	Inherited float64
}

// Limits of what is kept of a rule. An account has at most 100 rules.
const (
	insightsKeys         = 256 // keys in the present minute
	InsightsContributors = 10  // contributors of each minute
	InsightsMinutes      = 60
	insightsKeyBytes     = 256 // bytes of the text of a key
)

// Insights holds what the rules of an account have found. Its mutex is held for single steps, and
// never while the store is used.
type Insights struct {
	active atomic.Pointer[map[string]bool] // the names of tables that may have rules; nil: none has

	mu    sync.Mutex
	rules map[insightsRule]*insightsCount
}

// insightsRule identifies a rule.
type insightsRule struct{ tableID, index, kind string }

// contributorKey is a partition key and, for some rules, a sort key.
type contributorKey struct{ partition, sort string }

func compareContributors(a, b contributorKey) int {
	if c := strings.Compare(a.partition, b.partition); c != 0 {
		return c
	}
	return strings.Compare(a.sort, b.sort)
}

// insightsCount counts for one rule.
type insightsCount struct {
	start  time.Time // the start of the present minute
	sum    float64
	keys   *topk.Keys[contributorKey]
	sorted bool             // there are sort keys
	past   []InsightsMinute // the latest last; only appended to or replaced
}

// StateOf returns the account's.
func StateOf(a *serve.Account) *Insights { return a.States[serve.InsightsState].(*Insights) }

func (s *Insights) Fork() serve.State {
	f := new(Insights)
	f.active.Store(s.active.Load())
	s.mu.Lock()
	defer s.mu.Unlock()
	f.rules = make(map[insightsRule]*insightsCount, len(s.rules))
	for rule, count := range s.rules {
		own := *count
		own.keys, own.past = count.keys.Clone(), slices.Clip(count.past)
		f.rules[rule] = &own
	}
	return f
}

// The journal has the settings of rules, and nothing of what they found.
func (s *Insights) Load(map[string]string) error            { return nil }
func (s *Insights) KeepAll(func(key, value string))         {}
func (s *Insights) Forked(*serve.Account, func() time.Time) {}
func (s *Insights) Disposable(time.Time) bool               { return true }

// Refresh finds out which tables have rules, and forgets what rules have found that are gone.
func (s *Insights) Refresh(c *serve.Call, tx *storage.Tx) {
	names, rules := map[string]bool{}, map[insightsRule]bool{}
	for _, name := range tx.Tables().Names() {
		t := tx.Table(name)
		for _, o := range observedIn(c, tx, t, tables.SettingsOf(tx, t)) {
			if !o.insights.Enabled {
				continue
			}
			names[name] = true
			for _, kind := range tables.RuleKinds(o.insights.Mode, o.key) {
				rules[insightsRule{t.ID, o.index, kind}] = true
			}
		}
	}
	s.active.Store(nil)
	if len(names) > 0 {
		s.active.Store(&names)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	maps.DeleteFunc(s.rules, func(rule insightsRule, _ *insightsCount) bool { return !rules[rule] })
}

// add counts for a rule.
func (s *Insights) add(rule insightsRule, key contributorKey, value float64, now time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	count := s.rules[rule]
	if count == nil {
		count = &insightsCount{start: now.Truncate(time.Minute),
			keys:   topk.New[contributorKey](insightsKeys),
			sorted: strings.HasPrefix(rule.kind, "SK")}
		if s.rules == nil {
			s.rules = map[insightsRule]*insightsCount{}
		}
		s.rules[rule] = count
	}
	if minute := now.Truncate(time.Minute); minute.After(count.start) {
		count.past = append(count.past, count.minute())
		if extra := len(count.past) - InsightsMinutes + 1; extra > 0 {
			count.past = slices.Clone(count.past[extra:])
		}
		count.start, count.sum, count.keys = minute, 0, topk.New[contributorKey](insightsKeys)
	}
	count.sum += value
	count.keys.Add(key, value)
}

// minute returns the present minute.
func (n *insightsCount) minute() InsightsMinute {
	m := InsightsMinute{Start: n.start, Sum: n.sum}
	top := n.keys.Top(compareContributors)
	for _, c := range top[:min(len(top), InsightsContributors)] {
		keys := []string{c.Key.partition}
		if n.sorted {
			keys = append(keys, c.Key.sort)
		}
		m.Contributors = append(m.Contributors, Contributor{keys, c.Units, c.Inherited})
	}
	return m
}

// minutes returns the minutes of a rule, the latest first.
func (s *Insights) minutes(rule insightsRule) []InsightsMinute {
	s.mu.Lock()
	defer s.mu.Unlock()
	count := s.rules[rule]
	if count == nil {
		return []InsightsMinute{}
	}
	list := append(slices.Clip(count.past), count.minute())
	slices.Reverse(list)
	return list
}

// All returns what the rules of all accounts have found.
func All(s *serve.Service) []ContributorInsights {
	stores := s.Namespaces.Keyed()
	list := []ContributorInsights{}
	for _, name := range slices.Sorted(maps.Keys(stores)) {
		list = append(list, insightsOf(s, name, stores[name])...)
	}
	return list
}

// insightsOf returns what the rules of an account have found.
func insightsOf(s *serve.Service, name string, a *serve.Account) (list []ContributorInsights) {
	c, now := &serve.Call{Service: s}, s.Clock()
	accessKey, region, _ := strings.Cut(name, "/")
	a.Store.View(func(tx *storage.Tx) error {
		for _, name := range tx.Tables().Names() {
			t := tx.Table(name)
			for _, o := range observedIn(c, tx, t, tables.SettingsOf(tx, t)) {
				if o.insights.Status(now) != tables.InsightsEnabled {
					continue
				}
				for _, kind := range tables.RuleKinds(o.insights.Mode, o.key) {
					list = append(list,
						ContributorInsights{accessKey, region, name, o.index,
							o.insights.RuleName(kind, name, o.index), kind,
							StateOf(a).minutes(insightsRule{t.ID, o.index, kind})})
				}
			}
		}
		return nil
	})
	return list
}
