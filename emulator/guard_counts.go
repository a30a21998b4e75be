package emulator

import (
	"cmp"
	"slices"
)

// RuleCount says how often requests broke a rule of the policy.
type RuleCount struct {
	Rule     string // its id
	Severity string // "warn": the request was allowed; "enforce": it was refused
	Count    int64
}

type ruleKind struct{ rule, severity string }

// RuleCounts returns how often each rule was broken since the service was made or Reset. It omits
// rules that were never broken and sorts by id. Unlike Findings it forgets none. It is empty
// without a policy (see WithPolicy).
func (e *Emulator) RuleCounts() []RuleCount {
	if e.service.guard == nil {
		return nil
	}
	fs := &e.service.guard.findings
	fs.mu.Lock()
	defer fs.mu.Unlock()
	list := make([]RuleCount, 0, len(fs.byRule))
	for k, n := range fs.byRule {
		list = append(list, RuleCount{Rule: k.rule, Severity: k.severity, Count: n})
	}
	slices.SortFunc(list, func(a, b RuleCount) int {
		return cmp.Or(cmp.Compare(a.Rule, b.Rule), cmp.Compare(a.Severity, b.Severity))
	})
	return list
}
