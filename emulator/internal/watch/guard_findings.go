package watch

import (
	"container/list"
	"log/slog"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/kugiri-db/kugiri/conventions/policy"
)

// Finding says how often requests for one entity of one table and tenant broke a rule of the policy
// (see WithPolicy). Its example is the last of these requests.
type Finding struct {
	Rule string `json:"rule"` // its id
	// "warn": the request was allowed; "enforce": it was refused
	Severity string `json:"severity"`
	Table    string `json:"table"`            // name
	Index    string `json:"index,omitempty"`  // the secondary index whose key was wrong, if any
	Entity   string `json:"entity,omitempty"` // "" if the key belongs to no declared entity
	// owner of the data; "" if the key does not name a tenant
	Tenant    string `json:"tenant,omitempty"`
	Operation string `json:"operation"` // of the example
	// of the example: partition key and sort key joined by "#"; "" for a scan
	Key     string    `json:"key"`
	Example string    `json:"example"` // what is wrong, and what to do instead
	Count   int64     `json:"count"`   // number of findings
	Last    time.Time `json:"last"`    // time of the last one, on the service's clock
}

// maxFindings is how many Findings are kept. Beyond that the oldest are forgotten.
const maxFindings = 1000

// findings holds the findings of a service. The zero value with now and logger is empty.
type findings struct {
	now    func() time.Time
	logger *slog.Logger

	Mu      sync.Mutex
	kinds   map[findingKind]*list.Element
	entries list.List // of *Finding, the most recent first
	ByRule  map[ruleKind]int64
}

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

// Has reports whether each property of a finding has one of the given values.
func (f *Finding) Has(properties url.Values) bool {
	for name, values := range properties {
		if v, _ := f.Property(name); !slices.Contains(values, v) {
			return false
		}
	}
	return true
}

// Property returns the value of a property. ok is false if there is no such property.
func (f *Finding) Property(name string) (value string, ok bool) {
	switch name {
	case "rule":
		return f.Rule, true
	case "severity":
		return f.Severity, true
	case "table":
		return f.Table, true
	case "index":
		return f.Index, true
	case "entity":
		return f.Entity, true
	case "tenant":
		return f.Tenant, true
	case "operation":
		return f.Operation, true
	}
	return "", false
}
