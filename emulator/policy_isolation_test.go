package emulator_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/kugiri-db/kugiri/conventions/catalog"
	"github.com/kugiri-db/kugiri/conventions/gateway"
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

// run makes the requests, and returns an error if one of them shows its caller what is another's or
// changes that.
func (s *isolation) run(engine *policy.Engine) error {
	truth, e := truthOf(&s.policy), isolatedWorld().Fork(emulator.WithPolicy(engine))
	for i, r := range s.requests {
		check := truth.request
		if r.operation == readsStream {
			check = truth.readStream
		}
		if err := check(e, ownDoor, r, s.policy.Tenants.Header, engine); err != nil {
			return fmt.Errorf("request %d, %v: %w", i, r, err)
		}
	}
	return nil
}

// runThrough is run through a gateway, to an emulator without a policy.
func (s *isolation) runThrough(engine *policy.Engine) error {
	truth, e := truthOf(&s.policy), isolatedWorld().Fork()
	truth.ofRequests = true
	for i, r := range s.requests {
		if r.isBeyondGateway() {
			continue
		}
		if err := truth.request(e, gatewayDoor(engine), r, s.policy.Tenants.Header,
			nil); err != nil {
			return fmt.Errorf("request %d, %v: %w", i, r, err)
		}
	}
	return nil
}

// isBeyondGateway reports whether a request is not a gateway's business: streams are another
// service, which it does not pass on, and the key that a table really has is not in a request, so
// that an item can be put there under another tenant's.
func (r *isolatedRequest) isBeyondGateway() bool {
	return r.operation == readsStream || r.operation == "ListStreams" ||
		strings.Contains(r.String(), "misnamed") && !catalogReads(r.operation)
}

func catalogReads(operation string) bool {
	o, _ := catalog.Named(operation)
	return o.Access == catalog.Reads
}

// request makes a request. Its answer must be the one that it has in a fork without what its caller
// must not see.
func (truth *isolatedTruth) request(e *emulator.Emulator, at door, r isolatedRequest, header string,
	engine *policy.Engine) error {
	before := stockOf(e)
	censored := truth.censor(e, before, r.caller, engine)
	status, answer := callAt(at, e, r.caller, header, r.operation, r.body)
	without, other := callAt(at, censored, r.caller, header, r.operation, r.body)
	if status != without || answer != other {
		return fmt.Errorf("the answer tells of what is another's: %s; without that it is %s",
			answer, other)
	}
	if strings.HasPrefix(r.operation, "List") && strings.Contains(answer, `undeclared`) {
		return fmt.Errorf("the answer tells of a table that is not the caller's: %s", answer)
	}
	return truth.compare(before, stockOf(e), r.caller)
}

// gatewayDoor is a gateway with a policy in front of an emulator.
func gatewayDoor(engine *policy.Engine) door {
	return func(e *emulator.Emulator, accessKey string) interface {
		Do(*http.Request) (*http.Response, error)
	} {
		g, err := gateway.New(gateway.Config{Upstream: "http://localhost", Policy: engine,
			Credentials: credentials.NewStaticCredentialsProvider("GATEWAY", "secret", ""),
			Transport:   roundTripper(e.HTTPClient("GATEWAY", "us-east-1").Do)})
		if err != nil {
			panic(err)
		}
		return doer(func(r *http.Request) (*http.Response, error) {
			r.Header.Set("Authorization",
				"AWS4-HMAC-SHA256 Credential="+accessKey+
					"/20260101/us-east-1/dynamodb/aws4_request, SignedHeaders=host, Signature=x")
			w := httptest.NewRecorder()
			g.ServeHTTP(w, r)
			return w.Result(), nil
		})
	}
}

type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// Whatever a policy with tenants describes, and whatever is asked for: no tenant is told of
// another's items, nor changes one.
func TestIsolationProperty(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		s := isolations().Draw(r, "isolation")
		engine, err := policy.Compile(s.policy)
		require.NoError(r, err)
		require.NoError(r, s.run(engine))
	})
}

// The same holds through a gateway, which sees requests only.
func TestIsolationPropertyOfTheGateway(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		s := isolations().Draw(r, "isolation")
		engine, err := policy.Compile(s.policy)
		require.NoError(r, err)
		require.NoError(r, s.runThrough(engine))
	})
}

// TestIsolationNeedsEachRule: without one of the rules on tenants the property does not hold.
func TestIsolationNeedsEachRule(t *testing.T) {
	for _, rule := range []*policy.Rule{policy.RuleTenantCrossing, policy.RuleTenantScan,
		policy.RuleTenantCaller, policy.RuleTenantUndeclared, policy.RuleTenantOperation} {
		t.Run(rule.ID, func(t *testing.T) {
			t.Parallel()
			for seed := range 2000 {
				s := isolations().Example(seed)
				without := s.policy
				without.Severities = maps.Clone(s.policy.Severities)
				if without.Severities == nil {
					without.Severities = map[string]policy.Severity{}
				}
				without.Severities[rule.ID], without.Tenants.Isolation =
					policy.Off, policy.IsolationNone
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
