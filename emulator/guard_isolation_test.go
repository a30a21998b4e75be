package emulator_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/kugiri-db/kugiri/conventions/policy"
	"github.com/kugiri-db/kugiri/emulator"
)

// isolation is a policy and what callers ask for under it.
type isolation struct {
	policy   policy.Policy
	requests []isolatedRequest
}

// isolatedRequest is a request of a tenant, or of "stranger", who is of none.
type isolatedRequest struct {
	caller, operation string
	body              object
}

type object = map[string]any

func (r isolatedRequest) String() string {
	body, _ := json.Marshal(r.body)
	return r.caller + ": " + r.operation + " " + string(body)
}

// run makes the requests, and returns an error if one of them shows its caller what is another's or changes that.
func (s *isolation) run(engine *policy.Engine) error {
	truth := truthOf(&s.policy)
	e := isolatedWorld().Fork(emulator.WithPolicy(engine))
	for i, r := range s.requests {
		check := truth.request
		if r.operation == readsStream {
			check = truth.readStream
		}
		if err := check(e, r, s.policy.Tenants.Header, engine); err != nil {
			return fmt.Errorf("request %d, %v: %w", i, r, err)
		}
	}
	return nil
}

// request makes a request. Its answer must be the one that it has in a fork without what its caller must not see.
func (truth *isolatedTruth) request(e *emulator.Emulator, r isolatedRequest, header string, engine *policy.Engine) error {
	before := stockOf(e)
	censored := truth.censor(e, before, r.caller, engine)
	status, answer := callAs(e, r.caller, header, r.operation, r.body)
	without, other := callAs(censored, r.caller, header, r.operation, r.body)
	if r.operation != "DescribeTable" && (status != without || answer != other) { // which counts the items of all
		return fmt.Errorf("the answer tells of what is another's: %s; without that it is %s", answer, other)
	}
	return truth.compare(before, stockOf(e), r.caller)
}

// Whatever a policy with tenants describes, and whatever is asked for: no tenant is told of another's items, nor changes one.
func TestIsolationProperty(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		s := isolations().Draw(r, "isolation")
		engine, err := policy.Compile(s.policy)
		require.NoError(r, err)
		require.NoError(r, s.run(engine))
	})
}

// TestIsolationNeedsEachRule: without one of the rules on tenants the property does not hold.
func TestIsolationNeedsEachRule(t *testing.T) {
	for _, rule := range []*policy.Rule{policy.RuleTenantCrossing, policy.RuleTenantScan, policy.RuleTenantCaller, policy.RuleTenantUndeclared, policy.RuleTenantOperation} {
		t.Run(rule.ID, func(t *testing.T) {
			t.Parallel()
			for seed := range 2000 {
				s := isolations().Example(seed)
				without := s.policy
				without.Severities = maps.Clone(s.policy.Severities)
				if without.Severities == nil {
					without.Severities = map[string]policy.Severity{}
				}
				without.Severities[rule.ID] = policy.Off
				engine, err := policy.Compile(without)
				require.NoError(t, err)
				if s.run(engine) != nil {
					return
				}
			}
			t.Errorf("nobody misses the rule %s", rule.ID)
		})
	}
}
