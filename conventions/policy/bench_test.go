package policy_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/kugiri-db/kugiri/conventions/policy"
	"github.com/kugiri-db/kugiri/conventions/policy/policytest"
	"github.com/kugiri-db/kugiri/conventions/policy/request"
	"github.com/kugiri-db/kugiri/storage/item"
)

// twentyEntities returns a policy of the size for which the package must be fast.
func twentyEntities() policy.Policy {
	p := policytest.Shop()
	for i := range 10 {
		p.Tables[0].Entities = append(p.Tables[0].Entities, policy.Entity{
			Name: fmt.Sprintf("extra-%d", i), Prefix: fmt.Sprintf("EXTRA%d", i),
			Sort: policy.Pattern("EXTRA#{id:ulid}"), Mutable: []string{"status"}})
	}
	return p
}

// oneKilobyte returns an item of 1 KB with 12 attributes.
func oneKilobyte(version string) item.Item {
	pairs := []string{"pk", orderPK, "sk", "ORDER_ITEM#" + ulid1 + "#001", "version", version,
		"stage", "picked", "status", "open"}
	for i := range 7 {
		pairs = append(pairs, fmt.Sprintf("attribute%d", i), strings.Repeat("x", 120))
	}
	return it(pairs...)
}

// BenchmarkPut measures the checks of a valid put, before the commit and in it.
func BenchmarkPut(b *testing.B) {
	e := compile(b, twentyEntities())
	before, after := oneKilobyte("=3"), oneKilobyte("=4")
	r := &request.Request{
		Caller: tenant1, Images: true,
		Writes: []request.Write{{Table: "data", Kind: request.Put, Item: after}},
	}
	c := &policy.Commit{
		Caller: tenant1,
		Writes: []request.ImagedWrite{{Write: &r.Writes[0], Old: before, New: after}},
	}
	b.ReportAllocs()
	for b.Loop() {
		if e.CheckRequest(r, nil) != nil || e.CheckWrites(c) != nil {
			b.Fatal("it conforms")
		}
	}
}

// BenchmarkGet measures the checks of a valid get.
func BenchmarkGet(b *testing.B) {
	e := compile(b, twentyEntities())
	r := &request.Request{
		Caller: tenant1,
		Reads:  []request.Read{{Table: "data", Key: key(orderPK, "ORDER_ITEM#"+ulid1+"#001")}},
	}
	b.ReportAllocs()
	for b.Loop() {
		if e.CheckRequest(r, nil) != nil {
			b.Fatal("it conforms")
		}
	}
}

// TestConformingRequestsDoNotAllocate: the checks of valid requests allocate no memory.
func TestConformingRequestsDoNotAllocate(t *testing.T) {
	e := compile(t, twentyEntities())
	after := oneKilobyte("=4")
	put := &request.Request{
		Caller: tenant1, Images: true,
		Writes: []request.Write{{Table: "data", Kind: request.Put, Item: after}},
	}
	commit := &policy.Commit{
		Caller: tenant1,
		Writes: []request.ImagedWrite{{Write: &put.Writes[0], Old: oneKilobyte("=3"), New: after}},
	}
	get := &request.Request{
		Caller: tenant1,
		Reads:  []request.Read{{Table: "data", Key: key(orderPK, "ORDER_ITEM#"+ulid1+"#001")}},
	}
	n := testing.AllocsPerRun(100, func() {
		if e.CheckRequest(put, nil) != nil || e.CheckWrites(commit) != nil ||
			e.CheckRequest(get, nil) != nil {
			t.Fatal("they conform")
		}
	})
	if n > 0 {
		t.Errorf("%v allocations", n)
	}
}
