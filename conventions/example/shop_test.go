package shop

import (
	"context"
	"crypto/rand"
	"errors"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/conventions"
	"github.com/kugiri-db/kugiri/conventions/policy/policyfile"
	"github.com/kugiri-db/kugiri/emulator"
	"github.com/kugiri-db/kugiri/emulator/emulatortest"
)

var now = time.Date(2024, 1, 15, 10, 30, 0, 0, time.UTC)

// seed is an emulator with the policy and the tables. It is made once, and every test uses a fork
// of it.
var seed = sync.OnceValue(func() *emulator.Emulator {
	engine, err := policyfile.CompileFile("policy.yaml")
	if err != nil {
		panic(err)
	}
	e := emulator.New(emulator.WithPolicy(engine), emulator.WithSharedData(),
		emulator.WithHeldClock(emulator.NewClock(now)))
	client := emulatortest.NewClient(e, emulatortest.WithAccessKey("AKIDOPERATIONS"))
	err = Create(context.Background(), client)
	for _, in := range practiceTables {
		_, failed := client.CreateTable(context.Background(), in)
		err = errors.Join(err, failed)
	}
	if err != nil {
		panic(err)
	}
	return e
})

// shopOf returns the shop of a tenant. The policy finds the tenant by its access key.
func shopOf(server *emulatortest.Server, tenant string) *Shop {
	return &Shop{
		Client: clientOf(server, tenant), Tenant: tenant,
		ULIDs: conventions.NewULIDs(server.Emulator.Now, rand.Reader),
	}
}

func clientOf(server *emulatortest.Server, tenant string) *dynamodb.Client {
	accessKeys := map[string]string{
		"tenant001": "AKIDTENANT001", "tenant002": "AKIDTENANT002", "operations": "AKIDOPERATIONS",
	}
	return emulatortest.NewClient(server.Emulator, emulatortest.WithAccessKey(accessKeys[tenant]))
}

const (
	novel   = "01HX7MBJK3V9WQBZ7XNDK5ZT2M"
	cookery = "01HX7MBJK3V9WQBZ7XNDK5ZT2N"
)

// TestOrders follows an order with items from the first write to its history. The policy has no
// findings.
func TestOrders(t *testing.T) {
	t.Parallel()
	server := emulatortest.Fork(t, seed())
	ctx, s := t.Context(), shopOf(server, "tenant001")
	id, err := s.Place(ctx, Item{novel, 1}, Item{cookery, 2})
	require.NoError(t, err)
	other, err := s.Place(ctx, Item{novel, 5})
	require.NoError(t, err)
	assert.Less(t, id, other, "ids sort by the time of their making")

	order, err := s.Order(ctx, id)
	require.NoError(t, err)
	assert.Equal(t, Order{id, "pending", 1}, order)
	items, err := s.Items(ctx, id)
	require.NoError(t, err)
	assert.Equal(t, []Item{{novel, 1}, {cookery, 2}}, items)
	sold, err := s.Sold(ctx, novel)
	require.NoError(t, err)
	assert.Equal(t, []Item{{novel, 1}, {novel, 5}}, sold)

	require.NoError(t, s.SetStatus(ctx, id, "paid"))
	require.NoError(t, s.SetStatus(ctx, id, "shipped"))
	order, err = s.Order(ctx, id)
	require.NoError(t, err)
	assert.Equal(t, Order{id, "shipped", 3}, order)
	for version, status := range map[int]string{1: "pending", 2: "paid"} {
		past, err := s.OrderAt(ctx, id, version)
		require.NoError(t, err)
		assert.Equal(t, Order{id, status, version}, past)
	}
	_, err = s.OrderAt(ctx, id, 3)
	assert.ErrorIs(t, err, ErrNotFound, "the latest version is no history yet")
	assert.Empty(t, server.Emulator.Findings())
}

// TestRaces: no concurrent change is lost, and each makes a version.
func TestRaces(t *testing.T) {
	t.Parallel()
	server := emulatortest.Fork(t, seed())
	ctx, s := t.Context(), shopOf(server, "tenant001")
	id, err := s.Place(ctx, Item{novel, 1})
	require.NoError(t, err)
	statuses := []string{"paid", "shipped", "delivered"}
	errs := make([]error, 2*len(statuses))
	var wg sync.WaitGroup
	for i, status := range statuses {
		wg.Add(1)
		go func() {
			defer wg.Done()
			errs[i] = s.SetStatus(ctx, id, status)
		}()
		wg.Add(1)
		go func() {
			defer wg.Done()
			errs[len(statuses)+i] = s.Publish(ctx, status, "If it is "+status)
		}()
	}
	wg.Wait()
	require.NoError(t, errors.Join(errs...))
	order, err := s.Order(ctx, id)
	require.NoError(t, err)
	assert.Equal(t, 1+len(statuses), order.Version)
	seen := []string{order.Status}
	for version := 2; version < order.Version; version++ {
		past, err := s.OrderAt(ctx, id, version)
		require.NoError(t, err)
		seen = append(seen, past.Status)
	}
	slices.Sort(seen)
	assert.Equal(t, []string{"delivered", "paid", "shipped"}, seen)
	version, content, err := s.Terms(ctx)
	require.NoError(t, err)
	assert.Contains(t, statuses, version)
	assert.Equal(t, "If it is "+version, content)
	for _, f := range server.Emulator.Findings() {
		assert.Contains(t, []string{"version-sequence", "history-immutable"}, f.Rule,
			"only races are lost: %s", f.Example)
	}
}

// TestTenants: tenants do not see each other's orders, not even by mistake.
func TestTenants(t *testing.T) {
	t.Parallel()
	server := emulatortest.Fork(t, seed())
	ctx, ours, theirs := t.Context(), shopOf(server, "tenant001"), shopOf(server, "tenant002")
	id, err := ours.Place(ctx, Item{novel, 1})
	require.NoError(t, err)
	_, err = theirs.Order(ctx, id)
	assert.ErrorIs(t, err, ErrNotFound)
	assert.Empty(t, server.Emulator.Findings())

	mistaken := *theirs
	mistaken.Tenant = "tenant001" // the application seems to have forgotten a check
	_, err = mistaken.Order(ctx, id)
	assert.ErrorContains(t, err, "tenant-crossing")
	assert.ErrorContains(t, mistaken.SetStatus(ctx, id, "cancelled"), "tenant-crossing")
	_, err = mistaken.Sold(ctx, novel)
	assert.ErrorContains(t, err, "tenant-crossing")
}

func TestTerms(t *testing.T) {
	t.Parallel()
	server := emulatortest.Fork(t, seed())
	ctx, s := t.Context(), shopOf(server, "tenant001")
	version, content, err := s.Terms(ctx)
	require.NoError(t, err)
	assert.Equal(t, []string{"", ""}, []string{version, content})
	require.NoError(t, s.Publish(ctx, "v1", "Goods once sold are not taken back."))
	require.NoError(t, s.Publish(ctx, "v2", "Goods are taken back within 14 days."))
	version, content, err = s.Terms(ctx)
	require.NoError(t, err)
	assert.Equal(t, []string{"v2", "Goods are taken back within 14 days."},
		[]string{version, content})
	assert.Error(t, s.Publish(ctx, "v1", "Goods once sold are not taken back!"),
		"a version is for good")
	assert.Empty(t, server.Emulator.Findings())
}
