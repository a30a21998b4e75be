package emulator

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/kugiri-db/kugiri/emulator/fault"
	"github.com/kugiri-db/kugiri/storage"
	"github.com/kugiri-db/kugiri/storage/item"
)

// replicaMachine writes to a global table in three regions while faults hold back changes.
type replicaMachine struct {
	*globalTest
	ascending bool              // no two writes have the same time
	last      map[string]string // what the last writer wrote, by key; only if ascending
	writes    int
}

var replicaRegions3 = []string{virginia, oregon, ireland}

func (m *replicaMachine) write(t *rapid.T) {
	region := rapid.SampledFrom(replicaRegions3).Draw(t, "region")
	pk := rapid.SampledFrom([]string{"a", "b", "c", "d"}).Draw(t, "pk")
	if m.ascending {
		m.clock.Advance(1)
	}
	m.writes++
	if rapid.IntRange(0, 2).Draw(t, "delete") == 0 {
		m.removed(region, pk)
		m.remove(region, pk)
		return
	}
	v := fmt.Sprint(m.writes)
	m.put(region, pk, v)
	m.last[pk] = v
}

// removed notes the removal of an item, unless the region has none to remove.
func (m *replicaMachine) removed(region, pk string) {
	if m.get(region, pk) != "" {
		m.last[pk] = ""
	}
}

func (m *replicaMachine) batch(t *rapid.T) {
	region := rapid.SampledFrom(replicaRegions3).Draw(t, "region")
	if m.ascending {
		m.clock.Advance(1)
	}
	m.writes++
	v := fmt.Sprint(m.writes)
	m.removed(region, "a")
	m.do(region,
		"TransactWriteItems",
		fmt.Sprintf(`{"TransactItems":[{"Delete":{"TableName":"songs","Key":{"pk":{"S":"a"}}}},
		{"Put":{"TableName":"songs","Item":{"pk":{"S":"b"},"v":{"S":%q}}}},{"Put":{"TableName":"songs","Item":{"pk":{"S":"e"},"v":{"S":%q}}}}]}`, v, v))
	m.last["b"], m.last["e"] = v, v
}

func (m *replicaMachine) faults(t *rapid.T) {
	effect := func(t *rapid.T) fault.Fault {
		region := rapid.SampledFrom(append([]string{""}, replicaRegions3...)).Draw(t, "region")
		f := fault.Fault{Do: fault.PartitionRegion(region), Seed: rapid.Uint64().Draw(t, "seed")}
		if rapid.Bool().Draw(t, "delays") {
			f.Do = fault.DelayReplication(region,
				rapid.SampledFrom([]time.Duration{1, time.Second, time.Minute}).Draw(t, "delay"))
		}
		if rapid.Bool().Draw(t, "reorders") {
			f.When = fault.Probability(0.5)
		}
		return f
	}
	m.emulator.SetFaults(rapid.SliceOfN(rapid.Custom(effect), 0, 3).Draw(t, "faults")...)
}

func (m *replicaMachine) wait(t *rapid.T) {
	m.clock.Advance(rapid.SampledFrom([]time.Duration{1, time.Second, time.Minute}).Draw(t, "wait"))
}

// fork goes on with a fork.
func (m *replicaMachine) fork(t *rapid.T) {
	m.emulator = m.emulator.Fork()
	m.emulator.replicator.KeptDeleted = 1
	m.clock = m.emulator.Clock()
}

func (m *replicaMachine) heal() {
	m.emulator.SetFaults()
	m.clock.Advance(time.Minute)
	m.emulator.Replicate()
}

// stored returns the items of a region.
func (m *replicaMachine) stored(t require.TestingT, region string) map[item.Item]item.Item {
	items := map[item.Item]item.Item{}
	a := m.emulator.service.Namespaces.BorrowOf("AKID", region)
	defer a.GiveBack()
	require.NoError(t, a.Store.View(func(tx *storage.Tx) error {
		for _, it := range tx.Page(tx.Table("songs"),
			storage.PageSpec{Range: storage.Range{HiOpen: true}}).Items {
			items[it.Only("pk")] = it
		}
		return nil
	}))
	return items
}

// items returns the items of a region, and checks that the records of its stream lead to them, each
// from where the one before ended.
func (m *replicaMachine) items(t *rapid.T, region string) map[item.Item]item.Item {
	items, replayed := m.stored(t, region), map[item.Item]item.Item{}
	a := m.emulator.service.Namespaces.BorrowOf("AKID", region)
	defer a.GiveBack()
	require.NoError(t, a.Store.View(func(tx *storage.Tx) error {
		for _, s := range tx.Streams().All() {
			for _, sh := range s.Shards() {
				tx.Streams().Changes(s, sh, 0, func(c *storage.Change) bool {
					require.Equal(t, replayed[c.Keys], c.Old, "a record of %s was lost or repeated",
						region)
					if replayed[c.Keys] = c.New; c.New == "" {
						delete(replayed, c.Keys)
					}
					return true
				})
			}
		}
		return nil
	}))
	require.Equal(t, items, replayed, region)
	return items
}

// converged heals all faults. All replicas then hold what the last writers wrote.
func (m *replicaMachine) converged(t *rapid.T) {
	m.heal()
	first := m.items(t, virginia)
	require.Equal(t, first, m.items(t, oregon))
	require.Equal(t, first, m.items(t, ireland))
	m.emulator.check(t)
	if !m.ascending {
		return
	}
	for pk, v := range m.last {
		require.Equal(t, v, m.get(oregon, pk), pk)
	}
}

// TestReplicasConverge compares replicas with each other and with the last writers, after random
// writes, partitions, delays and another order of items.
func TestReplicasConverge(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		lag := rapid.SampledFrom([]time.Duration{0, 0, time.Second}).Draw(rt, "lag")
		m := &replicaMachine{globalTest: newGlobalTest(t, WithReplicationLag(lag)),
			last:      map[string]string{},
			ascending: rapid.Bool().Draw(rt, "ascending")}
		m.emulator.replicator.KeptDeleted = 1
		m.create("songs", replicaRegions3...)
		rt.Repeat(map[string]func(*rapid.T){
			"write":    m.write,
			"write 2":  m.write,
			"write 3":  m.write,
			"batch":    m.batch,
			"faults":   m.faults,
			"wait":     m.wait,
			"fork":     m.fork,
			"converge": m.converged,
		})
		m.converged(rt)
	})
}

// TestReplicasConvergeUnderConcurrency writes in all regions at once, while faults come and go, the
// service is forked and restored, and a region leaves and joins.
func TestReplicasConvergeUnderConcurrency(t *testing.T) {
	x := newGlobalTest(t)
	x.create("songs", virginia, oregon, ireland)
	var writers, others sync.WaitGroup
	done := make(chan struct{})
	for i, region := range []string{virginia, oregon} {
		writers.Add(1)
		go func() {
			defer writers.Done()
			for n := range 200 {
				body := fmt.Sprintf(
					`{"TableName":"songs","Item":{"pk":{"S":"%d"},"v":{"S":"%d-%d"}}}`, n%7, i, n)
				if answer := x.try(region, "PutItem", body); answer != "{}" {
					t.Error(answer)
				}
				x.clock.Advance(1)
			}
		}()
	}
	others.Add(1)
	go func() {
		defer others.Done()
		for n := 0; ; n++ {
			select {
			case <-done:
				return
			default:
			}
			x.emulator.SetFaults(fault.Fault{
				Do: fault.PartitionRegion([]string{oregon, ireland}[n%2]),
			})
			x.emulator.Fork()
			x.try(virginia, "UpdateTable",
				`{"TableName":"songs","ReplicaUpdates":[{"Delete":{"RegionName":"eu-west-1"}}]}`)
			x.try(virginia, "UpdateTable",
				`{"TableName":"songs","ReplicaUpdates":[{"Create":{"RegionName":"eu-west-1"}}]}`)
			x.emulator.SetFaults()
		}
	}()
	writers.Wait()
	close(done)
	others.Wait()
	x.emulator.Replicate()
	m := &replicaMachine{globalTest: x}
	want := m.stored(t, virginia)
	require.Len(t, want, 7)
	require.Equal(t, want, m.stored(t, oregon))
	require.Equal(t, want, m.stored(t, ireland))
}
