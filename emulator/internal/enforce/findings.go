package enforce

import (
	"container/list"
	"log/slog"
	"strings"
	"sync"
	"time"

	"github.com/kugiri-db/kugiri/conventions/policy"
)

// Finding has the fields of emulator.Finding, which documents them.
type Finding struct {
	Rule      string
	Severity  string
	Table     string
	Index     string
	Entity    string
	Tenant    string
	Operation string
	Key       string
	Example   string
	Count     int64
	Last      time.Time
}

// maxFindings is how many Findings are kept. Beyond that the oldest are forgotten.
const maxFindings = 1000

// findings holds the findings of a service. The zero value with now and logger is empty.
type findings struct {
	now    func() time.Time
	logger *slog.Logger

	Mu      sync.Mutex
	kinds   map[findingKind]*list.Element
	entries list.List // *Finding elements, the most recent first
	ByRule  map[ruleKind]int64
}

type ruleKind struct{ Rule, Severity string }

// findingKind identifies findings that are counted together.
type findingKind struct{ rule, severity, table, index, entity, tenant string }

// add counts a finding. It logs the first warning of each kind. It keeps no part of f, which may
// use the memory of a request.
func (fs *findings) add(f *policy.Finding, operation string) {
	first := fs.count(f, operation)
	if first && f.Severity == policy.Warn {
		fs.logger.Warn("a request breaks a rule of the policy", slog.String("rule", f.Rule.ID),
			slog.String("table", f.Table),
			slog.String("index", f.Index), slog.String("entity", f.Entity),
			slog.String("tenant", f.Tenant),
			slog.String("operation", operation), slog.String("key", f.Key),
			slog.String("finding", f.Error()))
	}
}

// count counts a finding and reports whether it is the first of its kind.
func (fs *findings) count(f *policy.Finding, operation string) (first bool) {
	kind := findingKind{f.Rule.ID, f.Severity.String(), f.Table, f.Index, f.Entity, f.Tenant}
	fs.Mu.Lock()
	defer fs.Mu.Unlock()
	element := fs.kinds[kind]
	if first = element == nil; first {
		kind.table, kind.tenant = strings.Clone(kind.table), strings.Clone(kind.tenant)
		element = fs.entries.PushFront(&Finding{Rule: kind.rule, Severity: kind.severity,
			Table: kind.table, Index: kind.index,
			Entity: kind.entity, Tenant: kind.tenant})
		if fs.kinds == nil {
			fs.kinds = map[findingKind]*list.Element{}
		}
		fs.kinds[kind] = element
		fs.trim()
	}
	fs.entries.MoveToFront(element)
	counted := element.Value.(*Finding)
	counted.Operation, counted.Key, counted.Example = operation, strings.Clone(f.Key), f.Error()
	counted.Last = fs.now()
	counted.Count++
	if fs.ByRule == nil {
		fs.ByRule = map[ruleKind]int64{}
	}
	fs.ByRule[ruleKind{kind.rule, kind.severity}]++
	return first
}

// trim forgets the oldest finding if there are too many.
func (fs *findings) trim() {
	if fs.entries.Len() <= maxFindings {
		return
	}
	f := fs.entries.Remove(fs.entries.Back()).(*Finding)
	delete(fs.kinds, findingKind{f.Rule, f.Severity, f.Table, f.Index, f.Entity, f.Tenant})
}

func (fs *findings) List() []Finding {
	fs.Mu.Lock()
	defer fs.Mu.Unlock()
	all := make([]Finding, 0, fs.entries.Len())
	for e := fs.entries.Front(); e != nil; e = e.Next() {
		all = append(all, *e.Value.(*Finding))
	}
	return all
}

func (fs *findings) Reset() {
	fs.Mu.Lock()
	defer fs.Mu.Unlock()
	fs.kinds, fs.ByRule = nil, nil
	fs.entries.Init()
}
