package storage

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/kugiri-db/kugiri/storage/item"
)

// pastTable makes a store with a table of items {"pk":..., "v":...} and a global index by v.
func pastTable(now func() time.Time) *Store {
	s := New(Options{Now: now})
	s.Update(func(tx *Tx) error {
		pk, v := []KeyAttribute{{"pk", item.S}}, []KeyAttribute{{"v", item.S}}
		tx.Tables().Create("t", "id", KeySchema{Hash: pk},
			[]IndexSchema{
				{Name: "by-v", Key: KeySchema{Hash: v}, Projection: Projection{Type: "ALL"}},
			}, nil)
		return nil
	})
	return s
}

func pastItem(pk, v string) item.Item {
	return item.New(item.Attribute{Name: "pk", Value: item.String(pk)},
		item.Attribute{Name: "v", Value: item.String(v)})
}

// putPast stores an item in a commit of its own.
func putPast(s *Store, pk, v string) {
	s.Update(func(tx *Tx) error {
		t, it := tx.Table("t"), pastItem(pk, v)
		k, _ := t.Key.Encode(it)
		tx.Put(t, k, it)
		return nil
	})
}

// contents returns the items of the table and of its index as text.
func contents(tx *Tx, t *Table) string {
	page := tx.Page(t, PageSpec{Range: Range{HiOpen: true}})
	indexed := tx.Page(t, PageSpec{Index: tx.Tables().Index(t, "by-v"), Range: Range{HiOpen: true}})
	return fmt.Sprint(page.Items, len(indexed.Items))
}

func TestPast(t *testing.T) {
	now := time.Unix(0, 0)
	s := pastTable(func() time.Time { return now })
	put := func(pk, v string) {
		now = now.Add(time.Second)
		putPast(s, pk, v)
	}
	value := func(commits int) (v string, until int64) {
		s.View(func(tx *Tx) error {
			past, at := tx.Past(tx.Table("t"), commits)
			if past == nil {
				v = "none"
				return nil
			}
			k, _ := past.Key.Encode(pastItem("a", ""))
			v, until = tx.Get(past, k).Get("v").Str(), at.Unix()
			indexed := tx.Page(past,
				PageSpec{Index: tx.Tables().Index(past, "by-v"), Range: Range{HiOpen: true}}).Items
			require.Len(t, indexed, 1)
			assert.Equal(t, v, indexed[0].Get("v").Str(), "the index is of the same version")
			return nil
		})
		return v, until
	}
	put("a", "0")
	v, _ := value(1)
	assert.Equal(t, "none", v, "nothing is remembered before")
	s.Remember(2)
	assert.True(t, s.Remembers(2))
	assert.False(t, s.Remembers(3))
	put("a", "1")
	v, until := value(1)
	assert.Equal(t, "0 until 2", fmt.Sprint(v, " until ", until))
	put("a", "2")
	put("a", "3")
	for commits, want := range map[int]string{1: "2 until 4", 2: "1 until 3", 3: "none until 0"} {
		v, until := value(commits)
		assert.Equal(t, want, fmt.Sprint(v, " until ", until))
	}
	s.Update(func(tx *Tx) error {
		tx.Tables().SetSettings(tx.Table("t"), "other")
		return nil
	})
	v, _ = value(1)
	assert.Equal(t, "none", v, "a change of the table begins anew")
	put("a", "4")
	v, _ = value(1)
	assert.Equal(t, "3", v)
	s.Forget()
	v, _ = value(1)
	assert.Equal(t, "none", v)
	assert.False(t, s.Remembers(1))
}

func TestPastLeavesOutWhatWasRolledBack(t *testing.T) {
	s := pastTable(nil)
	s.Remember(5)
	putPast(s, "a", "1")
	s.Update(func(tx *Tx) error {
		t, it := tx.Table("t"), pastItem("a", "2")
		k, _ := t.Key.Encode(it)
		tx.Put(t, k, it)
		return fmt.Errorf("undone")
	})
	s.View(func(tx *Tx) error {
		past, _ := tx.Past(tx.Table("t"), 1)
		assert.Equal(t, "[] 0", contents(tx, past))
		past, _ = tx.Past(tx.Table("t"), 2)
		assert.Nil(t, past)
		return nil
	})
	f := s.Fork()
	f.View(func(tx *Tx) error {
		past, _ := tx.Past(tx.Table("t"), 1)
		assert.Nil(t, past, "a fork remembers nothing")
		return nil
	})
	require.NoError(t, f.Check())
}

// Later writes do not change a version that is kept.
func TestPastStays(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		s := pastTable(nil)
		keep := rapid.IntRange(1, 5).Draw(rt, "keep")
		s.Remember(keep)
		texts := []string{"[] 0"}
		for range rapid.IntRange(1, 20).Draw(rt, "commits") {
			writes := rapid.IntRange(1, 3).Draw(rt, "writes")
			s.Update(func(tx *Tx) error {
				for range writes {
					tab, it := tx.Table("t"), pastItem(
						rapid.SampledFrom([]string{"a", "b", "c"}).Draw(rt, "pk"),
						rapid.SampledFrom([]string{"1", "2"}).Draw(rt, "v"))
					k, _ := tab.Key.Encode(it)
					if rapid.Bool().Draw(rt, "delete") {
						tx.Delete(tab, k)
					} else {
						tx.Put(tab, k, it)
					}
				}
				if len(tx.log) > 0 {
					texts = append(texts, contents(tx, tx.Table("t")))
				}
				return nil
			})
			s.View(func(tx *Tx) error {
				for commits := 1; ; commits++ {
					past, _ := tx.Past(tx.Table("t"), commits)
					if past == nil {
						require.Equal(rt, min(keep, len(texts)-1), commits-1)
						return nil
					}
					require.Equal(rt, texts[len(texts)-1-commits], contents(tx, past))
				}
			})
		}
		require.NoError(rt, s.Check())
	})
}
