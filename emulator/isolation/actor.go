package isolation

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"

	"github.com/kugiri-db/kugiri/conventions"
	"github.com/kugiri-db/kugiri/conventions/catalog"
	"github.com/kugiri-db/kugiri/conventions/policy"
	"github.com/kugiri-db/kugiri/emulator"
)

// The access key of the items' author, whom no policy looks at, and one that no policy lists.
const (
	author   = "KUGIRI-PROOF"
	unlisted = "KUGIRI-PROOF-NOBODY"
	region   = "us-east-1"
)

// actor is who calls.
type actor struct {
	caller    Caller
	accessKey string
	name      string // the name of the tenant header; "" sends none
	value     string
	tenant    string // "" for nobody
}

// actors returns who calls under a policy, first the tenant A, and the name of the tenant B.
func actors(t *policy.Tenants) (all []actor, b string) {
	named := tenantNames(t)
	a := actor{caller: AsTenant, accessKey: unlisted, tenant: named[0]}
	for _, key := range slices.Sorted(maps.Keys(t.Callers)) {
		if t.Callers[key] == a.tenant {
			a.accessKey = key
			break
		}
	}
	if a.accessKey == unlisted {
		a.name, a.value = t.Header, a.tenant
	}
	all, b = append(all, a), named[1]
	if t.Header != "" && a.name == "" {
		forger := a
		forger.caller, forger.name, forger.value = AsForger, t.Header, b
		all = append(all, forger)
	}
	nobody := actor{caller: AsNobody, accessKey: unlisted, name: t.Header,
		value: conventions.TenantCommon}
	if len(t.Privileged) > 0 {
		nobody.value = t.Privileged[0]
	}
	return append(all, nobody, actor{caller: WithoutHeader, accessKey: unlisted}), b
}

// tenantNames returns two tenants of a policy. The first one has callers if any has.
func tenantNames(t *policy.Tenants) []string {
	var names []string
	add := func(name string) {
		if name != conventions.TenantCommon && !slices.Contains(t.Privileged, name) &&
			!slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	for _, key := range slices.Sorted(maps.Keys(t.Callers)) {
		add(t.Callers[key])
	}
	for _, name := range t.Known {
		add(name)
	}
	add("proof-a")
	add("proof-b")
	return names[:2]
}

// answer holds what a call gets.
type answer struct {
	status int
	body   string
}

// passed reports whether the request was carried out, or a part of it.
func (a *answer) passed() bool {
	if a.status != http.StatusOK {
		return false
	}
	var out struct {
		Responses []struct{ Error *struct{} }
	}
	// a BatchGetItem has responses of another form
	if err := json.Unmarshal([]byte(a.body), &out); err != nil || len(out.Responses) == 0 {
		return true
	}
	return slices.ContainsFunc(out.Responses, func(r struct{ Error *struct{} }) bool {
		return r.Error == nil
	})
}

// message returns what an error says.
func (a *answer) message() string {
	var out struct{ Message string }
	if err := json.Unmarshal([]byte(a.body), &out); err != nil || out.Message == "" {
		return a.body
	}
	return out.Message
}

// unverified is a signature that nobody verifies. A request of this process without one counts as
// authenticated.
const unverified = "AWS4-HMAC-SHA256 Credential=%s/20260101/us-east-1/dynamodb/aws4_request, " +
	"SignedHeaders=host, Signature=x"

// call sends a request to an emulator.
func (a *actor) call(e *emulator.Emulator, operation string, body []byte) (answer, error) {
	r, err := http.NewRequest(http.MethodPost, "http://localhost/", bytes.NewReader(body))
	if err != nil {
		return answer{}, err
	}
	o, _ := catalog.Named(operation)
	r.Header.Set("X-Amz-Target", o.Target())
	r.Header.Set("Content-Type", "application/x-amz-json-1.0")
	r.Header.Set("Authorization", fmt.Sprintf(unverified, a.accessKey))
	r.Header.Set("X-Amz-Date", "20260101T000000Z")
	if a.name != "" {
		r.Header.Set(a.name, a.value)
	}
	out, err := e.HTTPClient(a.accessKey, region).Do(r)
	if err != nil {
		return answer{}, err
	}
	defer func() { _ = out.Body.Close() }()
	text, err := io.ReadAll(out.Body)
	return answer{out.StatusCode, string(text)}, err
}
