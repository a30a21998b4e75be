package storage

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/storage/item"
)

// tableAt returns the items of table t at a moment, as "key=value", and the stats.
func (x *pastTest) tableAt(at time.Time) (v *TableAt) {
	update(x.T, x.store, func(tx *Tx) { v = tx.Recovery().At(tx.Table("t"), at) })
	return v
}

// set replaces the item with a partition key, or removes it if the value is "".
func (x *pastTest) set(pk, value string) time.Time {
	x.now = x.now.Add(time.Minute)
	update(x.T, x.store, func(tx *Tx) {
		t, it := tx.Table("t"), testItem(pk, "1",
			item.Attribute{Name: "v", Value: item.String(value)})
		if value == "" {
			tx.Delete(t, mustKey(t, it))
			return
		}
		put(tx, t, it)
	})
	return x.now
}

func valuesAt(v *TableAt) map[string]string {
	values := map[string]string{}
	for it := range v.Items(Range{HiOpen: true}) {
		values[it.Get("pk").Str()] = it.Get("v").Str()
	}
	return values
}

func TestTableAt(t *testing.T) {
	x := newPastTest(t, 0, "t")
	begun := x.now
	first := x.set("a", "1")
	second := x.set("b", "1")
	third := x.set("a", "2")
	last := x.set("b", "")
	for _, tc := range []struct {
		name string
		at   time.Time
		want map[string]string
	}{
		{"the beginning", begun, map[string]string{}},
		{"the first put", first, map[string]string{"a": "1"}},
		{"just before the second", second.Add(-time.Millisecond), map[string]string{"a": "1"}},
		{"the second put", second, map[string]string{"a": "1", "b": "1"}},
		{"the replacement", third, map[string]string{"a": "2", "b": "1"}},
		{"the deletion", last, map[string]string{"a": "2"}},
	} {
		v := x.tableAt(tc.at)
		assert.Equal(t, tc.want, valuesAt(v), tc.name)
		assert.Equal(t, int64(len(tc.want)), v.Stats().Items, tc.name)
	}
}

func TestTableAtStaysWhileTheTableChanges(t *testing.T) {
	x := newPastTest(t, 0, "t")
	for n := range 500 {
		x.set(fmt.Sprint(n), "before")
	}
	v := x.tableAt(x.now)
	var readers sync.WaitGroup
	for range 2 {
		readers.Add(1)
		go func() {
			defer readers.Done()
			values := valuesAt(v)
			assert.Len(t, values, 500)
			for pk, value := range values {
				assert.Equal(t, "before", value, pk)
			}
		}()
	}
	for n := range 500 {
		x.set(fmt.Sprint(n), []string{"after", ""}[n%2])
	}
	readers.Wait()
	assert.Len(t, valuesAt(v), 500)
}

func TestChangedBetween(t *testing.T) {
	x := newPastTest(t, 0, "t")
	from := x.set("a", "1")
	again := x.set("a", "2")
	gone := x.set("b", "1")
	x.set("b", "")
	to := x.set("c", "1")
	for _, tc := range []struct {
		name     string
		from, to time.Time
		want     map[string]time.Time
	}{
		{"all but the last", from, to,
			map[string]time.Time{"a": again, "b": gone.Add(time.Minute)}},
		{"the end is not included", from, again, map[string]time.Time{"a": from}},
		{"the last", to, to.Add(time.Millisecond), map[string]time.Time{"c": to}},
		{"nothing", to.Add(time.Minute), to.Add(time.Hour), map[string]time.Time{}},
	} {
		want := map[Key]time.Time{}
		view(t, x.store, func(tx *Tx) {
			table := tx.Table("t")
			for pk, at := range tc.want {
				want[mustKey(table, testItem(pk, "1"))] = at
			}
			got := tx.Recovery().ChangedBetween(table, tc.from, tc.to)
			require.Len(t, got, len(want), tc.name)
			for k, at := range want {
				assert.True(t, at.Equal(got[k]), "%s: %s", tc.name, got[k])
			}
		})
	}
}
