package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/cli"
)

// dataWithItems is a data directory, after a proper end, of a server that was given 50 items.
func dataWithItems(t *testing.T) string {
	dir := filepath.Join(t.TempDir(), "data")
	url, stop := serving(t, "--data-dir", dir)
	c := client(url)
	createTable(t, c)
	for i := range 50 {
		_, err := c.PutItem(t.Context(),
			&dynamodb.PutItemInput{
				TableName: aws.String("table"),
				Item:      testItem(fmt.Sprintf("key%02d", i), i, strings.Repeat("x", 300)),
			})
		require.NoError(t, err)
	}
	require.NoError(t, stop())
	return dir
}

// damage changes a byte of what stands last in the tables.
func damage(t *testing.T, dir, text string) {
	path := filepath.Join(dir, "tables.db")
	content, err := os.ReadFile(path)
	require.NoError(t, err)
	at := bytes.LastIndex(content, []byte(text))
	require.Positive(t, at, "%q is not in the file", text)
	content[at] ^= 4
	require.NoError(t, os.WriteFile(path, content, 0o600))
}

func TestCheckAndRepair(t *testing.T) {
	dir := dataWithItems(t)
	out, _, err := runs(t, "check", "--data-dir", dir)
	require.NoError(t, err)
	assert.Contains(t, out,
		"the items of table table, of access key AKIDEXAMPLE in us-east-1: 50\n")
	assert.Contains(t, out, dir+" is sound\n")
	out, _, err = runs(t, "repair", "--data-dir", dir)
	require.NoError(t, err)
	assert.Contains(t, out, "nothing was changed")

	damage(t, dir, `{"S":"key33"}`)
	out, _, err = runs(t, "check", "--data-dir", dir)
	require.ErrorContains(t, err, "tables.db is damaged at byte ")
	assert.Equal(t, 1, cli.ExitStatus(err))
	assert.Contains(t, out, "damaged: tables.db: byte ")
	_, _, err = runs(t, "serve", "--port", "0", "--data-dir", dir)
	require.ErrorContains(t, err, "tables.db is damaged at byte ")

	out, _, err = runs(t, "repair", "--data-dir", dir)
	require.ErrorContains(t, err, "was damaged and is repaired")
	assert.Equal(t, 1, cli.ExitStatus(err))
	assert.Contains(t, out, "lost: the ")
	assert.Contains(t, out, ": 1 entry, of key ")
	assert.Contains(t, out, filepath.Join(dir, "damaged-1"))
	_, _, err = runs(t, "check", "--data-dir", dir)
	require.NoError(t, err)
	url, _ := serving(t, "--data-dir", dir)
	assert.Contains(t, versions(t, client(url), nil), "key32")
	assert.GreaterOrEqual(t, len(versions(t, client(url), nil)), 49)
}

// TestRepairDefinitions: a table whose definition is lost cannot be kept, and the others can.
func TestRepairDefinitions(t *testing.T) {
	for _, c := range []struct{ name, damaged, changed string }{
		{"a table", `"Name":"table","ID":`,
			": 50 entries belong to nothing that is left, so they are removed\nchanged: the stream "},
		{"the name of the store", "AKIDEXAMPLE/us-east-1",
			"the name of an access key is lost: its tables are now those of access key LOST1 in us-east-1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := dataWithItems(t)
			damage(t, dir, c.damaged)
			out, _, err := runs(t, "repair", "--data-dir", dir)
			assert.Equal(t, 1, cli.ExitStatus(err), err)
			assert.Contains(t, out, c.changed)
			_, _, err = runs(t, "check", "--data-dir", dir)
			require.NoError(t, err)
			_, stop := serving(t, "--data-dir", dir)
			require.NoError(t, stop())
		})
	}
}

// TestDataDirCommands: what the commands that work on a data directory refuse.
func TestDataDirCommands(t *testing.T) {
	for _, c := range []struct {
		name string
		args []string
		want string
	}{
		{"no directory is named", nil, "--data-dir is needed"},
		{"there is none", []string{"--data-dir", filepath.Join(t.TempDir(), "none")},
			"no such file"},
		{"it is empty", []string{"--data-dir", t.TempDir()}, "has no data of kugiri"},
		{"an argument", []string{"dir"}, `unknown argument "dir": did you mean --data-dir dir?`},
		{"a flag", []string{"--dir", "x"}, "unknown flag"},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, command := range []string{"check", "repair", "compact"} {
				_, _, err := runs(t, append([]string{command}, c.args...)...)
				require.ErrorContains(t, err, c.want)
				assert.Equal(t, 2, cli.ExitStatus(err))
			}
		})
	}
	dir := filepath.Join(t.TempDir(), "data")
	serving(t, "--data-dir", dir)
	for _, command := range []string{"check", "repair", "compact"} {
		_, _, err := runs(t, command, "--data-dir", dir)
		require.ErrorContains(t, err, "in use by another process")
		assert.Equal(t, 2, cli.ExitStatus(err))
	}
}
