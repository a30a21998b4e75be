package emulator

import (
	"cmp"
	"fmt"
	"net/url"
	"slices"
	"time"

	"github.com/kugiri-db/kugiri/emulator/internal/feature/insights"
	"github.com/kugiri-db/kugiri/emulator/internal/serve"
)

// Inspector shows what a service holds to those who operate it. The admin API, the console and the
// metrics use it. Its methods read, make no requests and consume no capacity. They are safe for
// concurrent use.
type Inspector struct {
	service   *serve.Service
	verifies  bool
	delegates *delegates
}

// SharesData reports whether all access keys see the same tables: see WithSharedData.
func (i Inspector) SharesData() bool { return i.service.Shared }

// HasPolicy reports whether the service has a policy: see WithPolicy.
func (i Inspector) HasPolicy() bool { return i.service.Policy != nil }

// CheckTenant returns an error if the policy takes nobody for a caller of a tenant.
func (i Inspector) CheckTenant(tenant string) error { return i.service.Policy.CheckTenant(tenant) }

// PolicyCallers returns the access keys that the policy lists, sorted.
func (i Inspector) PolicyCallers() []string { return i.service.Policy.Callers() }

// HasIAM reports whether tables belong to accounts: see WithIAM.
func (i Inspector) HasIAM() bool { return i.service.IAM != nil }

// VerifiesSignatures reports whether the service verifies the signatures of requests: see
// WithCredentials.
func (i Inspector) VerifiesSignatures() bool { return i.verifies }

// ContributorInsights returns what the rules of contributor insights have found in the last 60
// minutes in which something happened: of each minute the ten keys with the largest values. Rules
// that are not ENABLED have found nothing. Forks and snapshots have a copy; a restart begins anew.
// Scans and PartiQL statements do not count.
func (i Inspector) ContributorInsights() []ContributorInsights {
	list := []ContributorInsights{}
	for _, rule := range insights.All(i.service) {
		list = append(list, insightsOf(&rule))
	}
	return list
}

// Findings returns the findings of the policy: see Emulator.Findings.
func (i Inspector) Findings() []Finding {
	if i.service.Policy == nil {
		return nil
	}
	counted := i.service.Policy.Findings.List()
	list := make([]Finding, len(counted))
	for i := range counted {
		list[i] = Finding(counted[i])
	}
	return list
}

// FindingsOf returns the Findings with the given properties: rule, severity, table, index, entity,
// tenant and operation, by the names of a Finding's JSON. Another name is an error.
func (i Inspector) FindingsOf(properties url.Values) ([]Finding, error) {
	for name := range properties {
		if _, ok := (&Finding{}).Property(name); !ok {
			return nil, fmt.Errorf(
				"findings have no %q: rule, severity, table, index, entity, tenant and operation select them", name)
		}
	}
	selected := []Finding{}
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
func (i Inspector) RuleCounts() []RuleCount {
	if i.service.Policy == nil {
		return nil
	}
	fs := &i.service.Policy.Findings
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
	Operation string `json:"operation"` // the operation of the example
	// the example's partition key and sort key, joined by "#"; "" for a scan
	Key     string    `json:"key"`
	Example string    `json:"example"` // what is wrong, and what to do instead
	Count   int64     `json:"count"`   // number of findings
	Last    time.Time `json:"last"`    // time of the last one, on the service's clock
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

// Property returns the value of a property, by its name in JSON. ok is false if there is no such
// property.
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

// RuleCount says how often requests broke a rule of the policy.
type RuleCount struct {
	Rule     string // its id
	Severity string // "warn": the request was allowed; "enforce": it was refused
	Count    int64
}
