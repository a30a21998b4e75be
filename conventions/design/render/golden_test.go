package render_test

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/conventions/design/render"
)

// sums has the hash of each file of the designs that are not whole, a line each.
const sums = "testdata/sums.txt"

// TestGolden compares all files of a plan with those in testdata, or their hashes with those in
// sums. With -update it writes both. With -write DIR it writes all files below DIR: .ci/goldens
// does that for two commits, and shows what differs.
func TestGolden(t *testing.T) {
	var hashes strings.Builder
	for _, d := range designs {
		t.Run(d.name, func(t *testing.T) {
			files, err := render.Files(planOf(t, d.file))
			require.NoError(t, err)
			var names []string
			for _, f := range files {
				names = append(names, f.Name)
			}
			assert.True(t, slices.IsSorted(names))
			if *render.Write != "" {
				writePackage(t, d.file, filepath.Join(*render.Write, d.name))
			}
			if d.whole {
				compareWhole(t, d, files)
				return
			}
			for _, f := range files {
				sum := sha256.Sum256(f.Content)
				fmt.Fprintf(&hashes, "%s %s/%s\n", hex.EncodeToString(sum[:12]), d.name, f.Name)
			}
		})
	}
	if *render.Update {
		require.NoError(t, os.WriteFile(sums, []byte(hashes.String()), 0o644))
	}
	want, err := os.ReadFile(sums)
	require.NoError(t, err)
	assert.Equal(t, string(want), hashes.String(),
		"files are others: .ci/goldens shows the difference, and -update accepts it")
}

// compareWhole compares the files of a design with those in testdata.
func compareWhole(t *testing.T, d sample, files []render.File) {
	t.Helper()
	dir := filepath.Join("testdata", d.name)
	if *render.Update {
		require.NoError(t, os.RemoveAll(dir))
		writePackage(t, d.file, dir)
	}
	var names []string
	for _, f := range files {
		names = append(names, f.Name)
		want, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(f.Name)))
		require.NoError(t, err)
		assert.Equal(t, string(want), string(f.Content), f.Name)
	}
	assert.ElementsMatch(t, names, filesIn(t, dir))
}

func filesIn(t *testing.T, dir string) (names []string) {
	t.Helper()
	require.NoError(t, filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err == nil && !e.IsDir() {
			name, _ := filepath.Rel(dir, path)
			names = append(names, filepath.ToSlash(name))
		}
		return err
	}))
	return names
}

// fileOf returns a file of a design's plan.
func fileOf(t *testing.T, d sample, name string) []byte {
	t.Helper()
	files, err := render.Files(planOf(t, d.file))
	require.NoError(t, err)
	at := slices.IndexFunc(files, func(f render.File) bool { return f.Name == name })
	require.GreaterOrEqual(t, at, 0, name)
	return files[at].Content
}
