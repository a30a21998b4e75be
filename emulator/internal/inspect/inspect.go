// Package inspect shows what a service holds to those who operate it: who has tables, how large
// they are, what TTL deletes next, and which rules of the policy were broken.
package inspect

import (
	"cmp"
	"fmt"
	"net/url"

	"github.com/kugiri-db/kugiri/emulator/internal/feature/insights"
	"github.com/kugiri-db/kugiri/emulator/internal/serve"
	"github.com/kugiri-db/kugiri/emulator/internal/sorting"
	"github.com/kugiri-db/kugiri/emulator/internal/watch"
)

// Inspector shows what a service holds to those who operate it. The admin API, the console and the
// metrics use it. Its methods read, make no requests and consume no capacity. They are safe for
// concurrent use.
type Inspector struct {
	service  *serve.Service
	verifies bool
}

// New returns the Inspector of a service, which may verify signatures.
func New(s *serve.Service, verifies bool) Inspector { return Inspector{s, verifies} }

// SharesData reports whether all access keys see the same tables: see WithSharedData.
func (i Inspector) SharesData() bool { return i.service.Shared }

// HasPolicy reports whether the service has a policy: see WithPolicy.
func (i Inspector) HasPolicy() bool { return i.service.Guard != nil }

// CheckTenant returns an error if the policy takes nobody for a caller of a tenant.
func (i Inspector) CheckTenant(tenant string) error { return i.service.Guard.CheckTenant(tenant) }

// HasIAM reports whether tables belong to accounts: see WithIAM.
func (i Inspector) HasIAM() bool { return i.service.IAM != nil }

// VerifiesSignatures reports whether the service verifies the signatures of requests: see
// WithCredentials.
func (i Inspector) VerifiesSignatures() bool { return i.verifies }

// ContributorInsights returns what the rules of contributor insights have found in the last 60
// minutes in which something happened: of each minute the ten keys with the largest values. Rules
// that are not ENABLED have found nothing. Forks and snapshots have a copy; a restart begins anew.
// Scans and PartiQL statements do not count.
func (i Inspector) ContributorInsights() []insights.ContributorInsights {
	return insights.All(i.service)
}

// Findings returns the findings of the policy: see Emulator.Findings.
func (i Inspector) Findings() []watch.Finding {
	if i.service.Guard == nil {
		return nil
	}
	return i.service.Guard.Findings.List()
}

// FindingsOf returns the Findings with the given properties: rule, severity, table, index, entity,
// tenant and operation, by the names of a Finding's JSON. Another name is an error.
func (i Inspector) FindingsOf(properties url.Values) ([]watch.Finding, error) {
	for name := range properties {
		if _, ok := (&watch.Finding{}).Property(name); !ok {
			return nil, fmt.Errorf(
				"findings have no %q: rule, severity, table, index, entity, tenant and operation select them", name)
		}
	}
	selected := []watch.Finding{}
	for _, f := range i.Findings() {
		if f.Has(properties) {
			selected = append(selected, f)
		}
	}
	return selected, nil
}

// RuleCounts returns how often each rule was broken since the service was made or Reset. It omits
// rules that were never broken and sorts by id. Unlike Findings it forgets none. It is empty
// without a policy (see WithPolicy).
func (i Inspector) RuleCounts() []watch.RuleCount {
	if i.service.Guard == nil {
		return nil
	}
	fs := &i.service.Guard.Findings
	fs.Mu.Lock()
	defer fs.Mu.Unlock()
	list := make([]watch.RuleCount, 0, len(fs.ByRule))
	for k, n := range fs.ByRule {
		list = append(list, watch.RuleCount{Rule: k.Rule, Severity: k.Severity, Count: n})
	}
	sorting.By(list, func(a, b watch.RuleCount) int {
		return cmp.Or(cmp.Compare(a.Rule, b.Rule), cmp.Compare(a.Severity, b.Severity))
	})
	return list
}
