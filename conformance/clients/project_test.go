package clients

import (
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestPrepareTogether: calls that overlap install once, and none sees a half of it.
func TestPrepareTogether(t *testing.T) {
	project := Project{Dir: t.TempDir(), Files: []string{"versions"},
		Install: "[ ! -e one ] && touch one && touch two"}
	require.NoError(t, os.WriteFile(filepath.Join(project.Dir, "versions"), []byte("1"), 0o600))
	cache := t.TempDir()
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			dir, err := project.Prepare(t.Context(), cache)
			if assert.NoError(t, err) {
				assert.FileExists(t, filepath.Join(dir, "two"))
			}
		})
	}
	group.Wait()
}
