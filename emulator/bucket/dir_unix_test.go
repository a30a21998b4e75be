//go:build unix

package bucket_test

import (
	"context"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/emulator/bucket"
	"github.com/kugiri-db/kugiri/emulator/transfers"
)

// TestPipesAreNoObjects: a read of a pipe would wait for whoever writes to it.
func TestPipesAreNoObjects(t *testing.T) {
	x := newBucketTest(t)
	require.NoError(t, syscall.Mkfifo(filepath.Join(x.dir, "b", "pipe"), 0o600))
	x.add("o", noItem+"\n")
	assert.Equal(t, []string{noItem}, x.read(&transfers.Source{Format: transfers.FormatJSON}))
	_, err := bucket.Dir(x.dir).Get(context.Background(), bucket.Place{Bucket: "b", Key: "pipe"})
	assert.ErrorContains(t, err, "NoSuchKey")
}
