package bucket_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/emulator/bucket"
	"github.com/kugiri-db/kugiri/emulator/transfers"
)

const noItem = `{"Item":{}}`

// TestDirKeepsToItself: symbolic links that lead out of the directory show and change nothing
// there.
func TestDirKeepsToItself(t *testing.T) {
	x := newBucketTest(t)
	outside, ctx := t.TempDir(), context.Background()
	secret := filepath.Join(outside, "secret")
	require.NoError(t, os.WriteFile(secret, []byte(noItem), 0o666))
	x.add("inside/o", noItem)
	for at, to := range map[string]string{
		"b/file": secret, "b/directory": outside, "other": outside, "b/near": "inside/o",
		"b/broken": "../../nowhere",
	} {
		if err := os.Symlink(to, filepath.Join(x.dir, filepath.FromSlash(at))); err != nil {
			t.Skip("no symbolic links here: ", err)
		}
	}
	store := bucket.Dir(x.dir)
	var keys []string
	for o, err := range store.List(ctx, transfers.Location{Bucket: "b"}) {
		require.NoError(t, err)
		keys = append(keys, o.Key)
	}
	assert.Equal(t, []string{"inside/o", "near"}, keys)
	for _, at := range []bucket.Place{
		{Bucket: "b", Key: "file"}, {Bucket: "b", Key: "directory/secret"},
		{Bucket: "b", Key: "inside"}, {Bucket: "other", Key: "secret"},
	} {
		_, err := store.Get(ctx, at)
		assert.ErrorContains(t, err, "NoSuch", at)
	}
	for _, at := range []bucket.Place{
		{Bucket: "b", Key: "directory/new"}, {Bucket: "b", Key: "directory/more/new"},
		{Bucket: "other", Key: "new"},
	} {
		_, err := store.Put(ctx, at, nil, transfers.Encryption{})
		assert.Error(t, err, at)
	}
	_, err := store.Put(ctx, bucket.Place{Bucket: "b", Key: "file"}, []byte("mine"),
		transfers.Encryption{})
	require.NoError(t, err, "the link is replaced")
	text, err := os.ReadFile(secret)
	require.NoError(t, err)
	assert.Equal(t, noItem, string(text))
	entries, err := os.ReadDir(outside)
	require.NoError(t, err)
	assert.Len(t, entries, 1)
}

// TestVersionsOfSources: another text stands for a source once an object of it is another one.
func TestVersionsOfSources(t *testing.T) {
	x := newBucketTest(t)
	at := func(key string, changed time.Time) {
		require.NoError(t, os.Chtimes(filepath.Join(x.dir, "b", key), changed, changed))
	}
	seen := map[string]string{"": "none"}
	for _, c := range []struct {
		name   string
		change func()
	}{
		{"an object", func() { x.add("a", noItem); at("a", exportTime) }},
		{"a time", func() { at("a", exportTime.Add(time.Millisecond)) }},
		{"a size", func() { x.add("a", "{}"); at("a", exportTime) }},
		{"another object", func() { x.add("c", "{}") }},
	} {
		c.change()
		for i := range 2 {
			r, err := x.buckets.Read(context.Background(),
				&transfers.Source{Location: transfers.Location{Bucket: "b"},
					Format: transfers.FormatJSON})
			require.NoError(t, err)
			version := r.Progress().Objects
			require.NoError(t, r.Close())
			want := ""
			if i > 0 {
				want = c.name
			}
			assert.Equal(t, want, seen[version], c.name)
			seen[version] = c.name
		}
	}
}
