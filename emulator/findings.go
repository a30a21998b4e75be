package emulator

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"

	"github.com/kugiri-db/kugiri/emulator/internal/peer"
	"github.com/kugiri-db/kugiri/emulator/internal/watch"
)

// Finding says how often requests for one entity of one table and tenant broke a rule of the policy
// (see WithPolicy). Its example is the last of these requests.
type Finding = watch.Finding

// RuleCount says how often requests broke a rule of the policy.
type RuleCount = watch.RuleCount

// Findings returns the findings of the policy in requests since the service was made or Reset, the
// most recent first. It keeps at most 1000 kinds and forgets the oldest. It is empty without a
// policy.
func (e *Emulator) Findings() []Finding {
	if e.service.Guard == nil {
		return nil
	}
	return e.service.Guard.Findings.List()
}

// FindingsOf returns the Findings with the given properties: rule, severity, table, index, entity,
// tenant and operation, by the names of a Finding's JSON. Another name is an error.
func (e *Emulator) FindingsOf(properties url.Values) ([]Finding, error) {
	for name := range properties {
		if _, ok := (&Finding{}).Property(name); !ok {
			return nil, fmt.Errorf(
				"findings have no %q: rule, severity, table, index, entity, tenant and operation select them", name)
		}
	}
	selected := []Finding{}
	for _, f := range e.Findings() {
		if f.Has(properties) {
			selected = append(selected, f)
		}
	}
	return selected, nil
}

// RuleCounts returns how often each rule was broken since the service was made or Reset. It omits
// rules that were never broken and sorts by id. Unlike Findings it forgets none. It is empty
// without a policy (see WithPolicy).
func (e *Emulator) RuleCounts() []RuleCount {
	if e.service.Guard == nil {
		return nil
	}
	fs := &e.service.Guard.Findings
	fs.Mu.Lock()
	defer fs.Mu.Unlock()
	list := make([]RuleCount, 0, len(fs.ByRule))
	for k, n := range fs.ByRule {
		list = append(list, RuleCount{Rule: k.Rule, Severity: k.Severity, Count: n})
	}
	slices.SortFunc(list, func(a, b RuleCount) int {
		return cmp.Or(cmp.Compare(a.Rule, b.Rule), cmp.Compare(a.Severity, b.Severity))
	})
	return list
}

// serveFindings answers with Findings. A server that verifies signatures has clients that it does
// not trust, and has no way to find out here who sends a request.
func (e *Emulator) serveFindings(w http.ResponseWriter, r *http.Request) {
	if e.settings.credentials != nil {
		http.Error(w,
			"the list of findings is served with the admin API only, where signatures are verified",
			http.StatusForbidden)
		return
	}
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
	// an error means that the client is gone
	json.NewEncoder(w).Encode(map[string][]Finding{"findings": list})
}

// FindingsPath is the path at which a server serves Findings as JSON: {"findings": [...]}. They
// contain keys of all tenants, so only this machine may read them, and nobody if the server
// verifies signatures (see WithCredentials), unless package admin serves them instead. Parameters
// select findings as with FindingsOf: ?tenant=tenant001&severity=warn.
const FindingsPath = "/conventions/findings"
