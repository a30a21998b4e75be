package serve

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestBucketSettings(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(file, nil, 0o666))
	for _, tc := range []struct {
		settings bucketSettings
		want     string
	}{
		{bucketSettings{dir: file}, "s3-dir: " + file + " is not a directory"},
		{bucketSettings{dir: file + "/missing"},
			"is not a directory (each directory in it is a bucket)"},
		{bucketSettings{endpoint: "nothing"}, `s3-endpoint: the endpoint "nothing" is not a URL`},
	} {
		_, err := tc.settings.options(context.Background())
		assert.ErrorContains(t, err, tc.want)
	}
	assert.ErrorContains(t, (&bucketSettings{"a", "b"}).check(), "give one of them")
}
