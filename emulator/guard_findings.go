package emulator

import (
	"container/list"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/kugiri-db/kugiri/conventions/policy"
	"github.com/kugiri-db/kugiri/emulator/internal/peer"
)

// Finding says how often one rule of the policy (see WithPolicy) was broken by requests for one entity of one table
// and tenant. The example is the last of them.
type Finding struct {
	Rule      string    `json:"rule"`             // its id
	Severity  string    `json:"severity"`         // "warn": it happened, or "enforce": it was refused
	Table     string    `json:"table"`            // name
	Index     string    `json:"index,omitempty"`  // of a secondary index, by which a key was wrong
	Entity    string    `json:"entity,omitempty"` // "" if it is of none that the policy declares
	Tenant    string    `json:"tenant,omitempty"` // whose data it is about, "" if the key does not say
	Operation string    `json:"operation"`        // of the example
	Key       string    `json:"key"`              // of the example: partition key and sort key joined by "#"; "" of a scan
	Example   string    `json:"example"`          // what is wrong, and what to do instead
	Count     int64     `json:"count"`            // how many there were
	Last      time.Time `json:"last"`             // when the last was, by the service's clock
}

// maxFindings is how many Findings are kept; beyond it those that are longest ago are forgotten.
const maxFindings = 1000

// Findings returns what the policy found in requests since the service was made or Reset, the last first: at most 1000
// kinds, of which those that are longest ago are forgotten. It is empty without a policy.
func (e *Emulator) Findings() []Finding {
	if e.guard == nil {
		return nil
	}
	return e.guard.findings.list()
}

// findings are those of a service. The zero value with now and logger has none.
type findings struct {
	now    func() time.Time
	logger *slog.Logger

	mu      sync.Mutex
	kinds   map[findingKind]*list.Element
	entries list.List // of *Finding, the last first
	byRule  map[ruleKind]int64
}

// findingKind is what findings that are counted together have in common.
type findingKind struct{ rule, severity, table, index, entity, tenant string }

// add counts a finding. The first warning of its kind is logged. Nothing of f is kept, which may lie in a request's body.
func (fs *findings) add(f *policy.Finding, operation string) {
	first := fs.count(f, operation)
	if first && f.Severity == policy.Warn {
		fs.logger.Warn("a request breaks a rule of the policy", slog.String("rule", f.Rule.ID), slog.String("table", f.Table),
			slog.String("index", f.Index), slog.String("entity", f.Entity), slog.String("tenant", f.Tenant),
			slog.String("operation", operation), slog.String("key", f.Key), slog.String("finding", f.Error()))
	}
}

// count counts a finding and reports whether it is the first of its kind.
func (fs *findings) count(f *policy.Finding, operation string) (first bool) {
	kind := findingKind{f.Rule.ID, f.Severity.String(), f.Table, f.Index, f.Entity, f.Tenant}
	fs.mu.Lock()
	defer fs.mu.Unlock()
	element := fs.kinds[kind]
	if first = element == nil; first {
		kind.table, kind.tenant = strings.Clone(kind.table), strings.Clone(kind.tenant)
		element = fs.entries.PushFront(&Finding{Rule: kind.rule, Severity: kind.severity, Table: kind.table, Index: kind.index,
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
	if fs.byRule == nil {
		fs.byRule = map[ruleKind]int64{}
	}
	fs.byRule[ruleKind{kind.rule, kind.severity}]++
	return first
}

// trim forgets the finding that is longest ago if there are too many.
func (fs *findings) trim() {
	if fs.entries.Len() <= maxFindings {
		return
	}
	f := fs.entries.Remove(fs.entries.Back()).(*Finding)
	delete(fs.kinds, findingKind{f.Rule, f.Severity, f.Table, f.Index, f.Entity, f.Tenant})
}

func (fs *findings) list() []Finding {
	fs.mu.Lock()
	defer fs.mu.Unlock()
	all := make([]Finding, 0, fs.entries.Len())
	for e := fs.entries.Front(); e != nil; e = e.Next() {
		all = append(all, *e.Value.(*Finding))
	}
	return all
}

func (fs *findings) reset() {
	fs.mu.Lock()
	defer fs.mu.Unlock()
	fs.kinds, fs.byRule = nil, nil
	fs.entries.Init()
}

// FindingsOf is those of Findings that have all of some properties: rule, severity, table, index, entity, tenant and
// operation, by the names of a Finding's JSON. Another name is an error.
func (e *Emulator) FindingsOf(properties url.Values) ([]Finding, error) {
	for name := range properties {
		if _, ok := (&Finding{}).property(name); !ok {
			return nil, fmt.Errorf("findings have no %q: rule, severity, table, index, entity, tenant and operation select them", name)
		}
	}
	selected := []Finding{}
	for _, f := range e.Findings() {
		if f.has(properties) {
			selected = append(selected, f)
		}
	}
	return selected, nil
}

// has reports whether a finding has properties, each with one of its values.
func (f *Finding) has(properties url.Values) bool {
	for name, values := range properties {
		if v, _ := f.property(name); !slices.Contains(values, v) {
			return false
		}
	}
	return true
}

// property is what a finding is selected by.
func (f *Finding) property(name string) (value string, ok bool) {
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

// FindingsPath is where Findings are served, as JSON: {"findings": [...]}. They show keys of all tenants, and so are for this
// machine only, unless package admin serves them in place of the service. Properties select them, as with FindingsOf:
// ?tenant=tenant001&severity=warn.
const FindingsPath = "/conventions/findings"

// serveFindings answers with the Findings.
func (e *Emulator) serveFindings(w http.ResponseWriter, r *http.Request) {
	if status, why := (peer.Gate{}).Refusal("the list of findings", r); why != "" {
		http.Error(w, why, status)
		return
	}
	list, err := e.FindingsOf(r.URL.Query())
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(map[string][]Finding{"findings": list}) // an error is the client's, who is gone
}
