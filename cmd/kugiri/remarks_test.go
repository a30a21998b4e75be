package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestRemarksOfDynamoDBLocal: a directory of DynamoDB Local's is no empty directory without a word.
func TestRemarksOfDynamoDBLocal(t *testing.T) {
	const original = "internal/transfer/testdata/shared-local-instance.db"
	dir := t.TempDir()
	file := filepath.Join(dir, "AKID_eu-west-1.db")
	text, err := os.ReadFile(original)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(file, text, 0o666))

	logs := func(args ...string) string {
		var log logBuffer
		_, stop := running(t, &log, args...)
		require.NoError(t, stop())
		return log.String()
	}
	said := logs("-sharedDb", "-dbPath", dir, "-port", "0")
	assert.Contains(t, said, "the tables of DynamoDB Local are not read")
	assert.Contains(t, said, "file="+file+` tables="[We.ird-1 empty orders]"`)
	after, err := os.ReadFile(file)
	require.NoError(t, err)
	assert.Equal(t, text, after)

	require.NoError(t, os.WriteFile(file+"-journal", []byte("unfinished"), 0o666))
	said = logs("serve", "--port", "0", "--data-dir", dir)
	assert.Contains(t, said, "the file may be DynamoDB Local's")
	assert.Contains(t, said, "holds changes that are not yet in")
	require.NoError(t, os.Remove(file+"-journal"))

	url, stop := serving(t, "--data-dir", dir)
	command(t, "", "import", "--endpoint", url, "--table", "orders", "--create", file)
	require.NoError(t, stop())
	assert.NotContains(t, logs("serve", "--port", "0", "--data-dir", dir), "DynamoDB Local",
		"once a table is moved")
}

// TestRemarksOfTheOtherSharing: tables are there, but for the other setting of --shared.
func TestRemarksOfTheOtherSharing(t *testing.T) {
	for _, c := range []struct {
		name          string
		before, after []string
		says          string
	}{
		{"now of all access keys", nil, []string{"--shared"},
			"written without --shared and are not shown with it"},
		{"now of each access key", []string{"--shared"}, nil,
			"written with --shared and are not shown without it"},
		{"as before", nil, nil, ""},
		{"as before, of all", []string{"--shared"}, []string{"--shared"}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			url, stop := serving(t, append(c.before, "--data-dir", dir)...)
			createTable(t, client(url))
			require.NoError(t, stop())
			var log logBuffer
			_, stop = servingLogged(t, &log, append(c.after, "--data-dir", dir)...)
			require.NoError(t, stop())
			if c.says == "" {
				assert.NotContains(t, log.String(), "shared")
				return
			}
			assert.Contains(t, log.String(), c.says)
			assert.Contains(t, log.String(), "tables=1")
		})
	}
}
