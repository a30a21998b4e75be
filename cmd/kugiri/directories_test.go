package main

import (
	"archive/tar"
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestDirectoriesOfEarlierStates: what an earlier state of this repository wrote opens, whether its
// server ended or was killed, and has all that it had. testdata/directories/make says how they are
// made.
func TestDirectoriesOfEarlierStates(t *testing.T) {
	archives, err := filepath.Glob("testdata/directories/*.tar.gz")
	require.NoError(t, err)
	require.NotEmpty(t, archives)
	for _, archive := range archives {
		for _, end := range []string{"killed", "closed"} {
			name, _, _ := strings.Cut(filepath.Base(archive), ".")
			t.Run(name+" "+end, func(t *testing.T) {
				dir := t.TempDir()
				unpack(t, archive, dir)
				url, kill := start(t, "--data-dir", filepath.Join(dir, end))
				defer kill()
				answers, err := os.Open(filepath.Join(dir, "answers.jsonl"))
				require.NoError(t, err)
				defer answers.Close()
				asked := 0
				for lines := bufio.NewScanner(answers); lines.Scan(); {
					var e struct {
						Operation string
						Request   json.RawMessage
						Answer    map[string]any
					}
					require.NoError(t, json.Unmarshal(lines.Bytes(), &e))
					if e.Answer["__type"] != nil {
						continue // it did not know the operation, or the table
					}
					asked++
					now := askAsKept(t, url, e.Operation, e.Request)
					holds(t, e.Operation+string(e.Request), e.Answer, now)
				}
				assert.Greater(t, asked, 10)
			})
		}
	}
}

// changing are the members of answers that go by the time, that the service counts anew, or that
// Kugiri leaves out since it knows that the service does (ack-api-quirks, table-replicas).
var changing = map[string]bool{"EarliestRestorableDateTime": true, "LatestRestorableDateTime": true,
	"LastUpdateDateTime": true, "TableSizeBytes": true, "ItemCount": true, "IndexSizeBytes": true,
	"MultiRegionConsistency": true, "ReplicaArn": true}

// holds asserts that a value has all that it had. Members may have come.
func holds(t *testing.T, at string, before, now any) {
	switch before := before.(type) {
	case map[string]any:
		members, _ := now.(map[string]any)
		if set, ok := before["BS"].([]any); ok && len(before) == 1 {
			assert.ElementsMatch(t, set, members["BS"], at) // the service has them in another order
			return
		}
		for name, v := range before {
			if !changing[name] {
				holds(t, at+"."+name, v, members[name])
			}
		}
	case []any:
		list, _ := now.([]any)
		if assert.Len(t, list, len(before), at) {
			for i := range before {
				holds(t, fmt.Sprint(at, "[", i, "]"), before[i], list[i])
			}
		}
	default:
		assert.Equal(t, before, now, at)
	}
}

// askAsKept sends a request of the access key "kept".
func askAsKept(t *testing.T, url, target string, body []byte) (answer map[string]any) {
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url, bytes.NewReader(body))
	require.NoError(t, err)
	r.Header.Set("Content-Type", "application/x-amz-json-1.0")
	r.Header.Set("X-Amz-Target", target)
	r.Header.Set("X-Amz-Date", "20260101T000000Z")
	r.Header.Set("Authorization", "AWS4-HMAC-SHA256 Credential=kept/20260101/us-east-1/dynamodb/"+
		"aws4_request, SignedHeaders=host;x-amz-date, Signature=0")
	out, err := http.DefaultClient.Do(r)
	require.NoError(t, err)
	defer out.Body.Close()
	require.NoError(t, json.NewDecoder(out.Body).Decode(&answer))
	return answer
}

// unpack unpacks an archive with nothing but files and directories.
func unpack(t *testing.T, archive, to string) {
	f, err := os.Open(archive)
	require.NoError(t, err)
	defer f.Close()
	z, err := gzip.NewReader(f)
	require.NoError(t, err)
	root, err := os.OpenRoot(to)
	require.NoError(t, err)
	defer root.Close()
	for all := tar.NewReader(z); ; {
		h, err := all.Next()
		if errors.Is(err, io.EOF) {
			return
		}
		require.NoError(t, err)
		if h.Typeflag == tar.TypeDir {
			require.NoError(t, root.Mkdir(strings.TrimSuffix(h.Name, "/"), 0o700))
			continue
		}
		out, err := root.Create(h.Name)
		require.NoError(t, err)
		_, err = io.Copy(out, all)
		require.NoError(t, err)
		require.NoError(t, out.Close())
	}
}
