package render

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestTemplates checks that what the package embeds are the files of templates. With -update it
// packs them: run TestGolden after that.
func TestTemplates(t *testing.T) {
	files, err := os.ReadDir("templates")
	require.NoError(t, err)
	texts := map[string]string{}
	for _, f := range files {
		text, err := os.ReadFile("templates/" + f.Name())
		require.NoError(t, err)
		texts[f.Name()] = string(text)
	}
	if *Update {
		var b bytes.Buffer
		w, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
		require.NoError(t, err)
		require.NoError(t, json.NewEncoder(w).Encode(texts))
		require.NoError(t, w.Close())
		require.NoError(t, os.WriteFile("templates.gz", b.Bytes(), 0o644))
		return
	}
	assert.Equal(t, texts, templates(),
		"pack them: go test ./conventions/design/render -run TestTemplates -update")
}
