package disk

import (
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// mergeAll merges entries, written "bucket/key=value", with the changes of logs.
func mergeAll(t require.TestingT, tables []string, logged pending) (got []string) {
	m := newMerge(logged, func(bucket, key, value []byte) error {
		got = append(got, string(bucket)+"/"+string(key)+"="+string(value))
		return nil
	})
	for _, e := range tables {
		bucket, rest, _ := strings.Cut(e, "/")
		key, value, _ := strings.Cut(rest, "=")
		require.NoError(t, m.add(bucket, []byte(key), []byte(value)))
	}
	require.NoError(t, m.finish())
	return got
}

func TestMerge(t *testing.T) {
	change := func(logs ...func(pending)) pending {
		p := pending{}
		for _, log := range logs {
			log(p)
		}
		return p
	}
	put := func(bucket, key string) func(pending) {
		return func(p pending) { p.Put([]byte(bucket), []byte(key), []byte("new")) }
	}
	del := func(bucket, key string) func(pending) {
		return func(p pending) { p.Delete([]byte(bucket), []byte(key)) }
	}
	drop := func(bucket string) func(pending) { return func(p pending) { p.Drop([]byte(bucket)) } }
	tables := []string{"b/2=old", "b/4=old", "d/1=old"}
	for _, c := range []struct {
		name   string
		logged pending
		want   string
	}{
		{"no changes", change(), "b/2=old b/4=old d/1=old"},
		{"a new key before, between and after", change(put("b", "1"), put("b", "3"), put("b", "5")),
			"b/1=new b/2=old b/3=new b/4=old b/5=new d/1=old"},
		{"a new value", change(put("b", "4")), "b/2=old b/4=new d/1=old"},
		{"a deletion", change(del("b", "2"), del("b", "3")), "b/4=old d/1=old"},
		{"new buckets before, between and after",
			change(put("a", "1"), put("c", "1"), put("e", "1")),
			"a/1=new b/2=old b/4=old c/1=new d/1=old e/1=new"},
		{"a bucket is dropped", change(drop("b")), "d/1=old"},
		{"a bucket is dropped and filled again", change(drop("b"), put("b", "3")),
			"b/3=new d/1=old"},
		{"the last bucket is dropped", change(drop("d")), "b/2=old b/4=old"},
	} {
		t.Run(c.name, func(t *testing.T) {
			require.Equal(t, c.want, strings.Join(mergeAll(t, tables, c.logged), " "))
		})
	}
}

// TestMergeAgainstModel compares a merge with the same operations on a map.
func TestMergeAgainstModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.StringMatching(`[a-d]`)
		model, logged := map[string]string{}, pending{}
		for range rapid.IntRange(0, 12).Draw(t, "entries") {
			model[name.Draw(t, "bucket")+"/"+name.Draw(t, "key")] = "old"
		}
		var tables []string
		for _, e := range slices.Sorted(maps.Keys(model)) {
			tables = append(tables, e+"="+model[e])
		}
		for range rapid.IntRange(0, 12).Draw(t, "operations") {
			bucket, key := name.Draw(t, "bucket"), name.Draw(t, "key")
			switch rapid.SampledFrom([]string{"put", "delete", "drop"}).Draw(t, "operation") {
			case "put":
				logged.Put([]byte(bucket), []byte(key), []byte("new"))
				model[bucket+"/"+key] = "new"
			case "delete":
				logged.Delete([]byte(bucket), []byte(key))
				delete(model, bucket+"/"+key)
			case "drop":
				logged.Drop([]byte(bucket))
				maps.DeleteFunc(model,
					func(e, _ string) bool { return strings.HasPrefix(e, bucket+"/") })
			}
		}
		var want []string
		for _, e := range slices.Sorted(maps.Keys(model)) {
			want = append(want, e+"="+model[e])
		}
		require.Equal(t, want, mergeAll(t, tables, logged))
	})
}

// TestMergeStopsAtAnError: each gets nothing after it has failed.
func TestMergeStopsAtAnError(t *testing.T) {
	failed, calls := errors.New("failed"), 0
	logged := pending{}
	logged.Put([]byte("a"), []byte("1"), []byte("new"))
	logged.Put([]byte("b"), []byte("1"), []byte("new"))
	m := newMerge(logged, func(_, _, _ []byte) error {
		calls++
		return failed
	})
	require.ErrorIs(t, m.add("b", []byte("2"), nil), failed)
	require.Equal(t, 1, calls)
}
