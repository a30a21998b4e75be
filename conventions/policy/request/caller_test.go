package request_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/conventions/policy"
	"github.com/kugiri-db/kugiri/conventions/policy/request"
)

// Of several tenant headers none is believed, as a proxy that appends one does not know what the
// client has sent.
func TestSeveralTenantHeaders(t *testing.T) {
	engine, err := policy.Compile(policy.Policy{
		Tenants: policy.Tenants{Header: "x-tenant"},
		Tables: []policy.Table{{Name: "data", Key: policy.KeySchema{Partition: "pk"},
			Tenant: policy.TenantRequired, Role: policy.Plain}}})
	require.NoError(t, err)
	for _, c := range []struct {
		name   string
		values []string
		known  bool
	}{
		{"one", []string{"tenant001"}, true},
		{"none", nil, false},
		{"two", []string{"tenant001", "tenant002"}, false},
		{"the same twice", []string{"tenant001", "tenant001"}, false},
		{"a list", []string{"tenant001, tenant002"}, false},
		{"an empty one and another", []string{"", "tenant001"}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			caller := request.Caller{Header: request.TenantIn(c.values)}
			assert.Equal(t, c.known, engine.Tenant(caller) == "tenant001")
		})
	}
}
