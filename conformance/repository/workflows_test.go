package repository

import (
	"encoding/hex"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestActionsArePinned: a workflow names the actions of others by commit, as who owns their
// repository can move a tag.
func TestActionsArePinned(t *testing.T) {
	files, err := filepath.Glob("../../.github/workflows/*.yml")
	require.NoError(t, err)
	found := 0
	for _, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		for line := range strings.Lines(string(text)) {
			_, action, uses := strings.Cut(line, "uses: ")
			if !uses || strings.HasPrefix(action, "./") {
				continue
			}
			found++
			_, at, _ := strings.Cut(strings.Fields(action)[0], "@")
			commit, err := hex.DecodeString(at)
			assert.True(t, err == nil && len(commit) == 20, "%s: %s", file, action)
		}
	}
	assert.Positive(t, found)
}
