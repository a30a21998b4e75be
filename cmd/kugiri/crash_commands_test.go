package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/cli"
)

// TestCrashCommands: a start and the commands that write a directory anew may be killed,
// twice in a row, and nothing is lost.
func TestCrashCommands(t *testing.T) {
	killed, want := dataWithLogs(t)
	for _, c := range []struct {
		name    string
		prepare func(t *testing.T, dir string)
		kill    func(t *testing.T, dir string)
	}{
		{"a start that applies its logs", nil, func(t *testing.T, dir string) {
			_, kill := start(t, "--data-dir", dir)
			kill()
		}},
		{"compact", nil, func(t *testing.T, dir string) {
			killAt(t, filepath.Join(dir, "tables.db.new"), "compact", "--data-dir", dir)
		}},
		{"repair, while it builds", withoutMarks, func(t *testing.T, dir string) {
			killAt(t, filepath.Join(dir, "tables.db.new"), "repair", "--data-dir", dir)
		}},
		{"repair, while it installs", withoutMarks, func(t *testing.T, dir string) {
			killAt(t, filepath.Join(dir, "damaged-1"), "repair", "--data-dir", dir)
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "data")
			require.NoError(t, os.CopyFS(dir, os.DirFS(killed)))
			if c.prepare != nil {
				c.prepare(t, dir)
			}
			for range 2 {
				c.kill(t, dir)
			}
			if c.prepare != nil {
				_, _, err := runs(t, "repair", "--data-dir", dir)
				require.NotEqual(t, cli.ExitFailure, cli.ExitStatus(err), err)
			}
			_, _, err := runs(t, "check", "--data-dir", dir)
			require.NoError(t, err)
			url, stop := serving(t, "--data-dir", dir)
			require.Equal(t, want, versions(t, client(url), nil))
			require.NoError(t, stop())
			require.NoFileExists(t, filepath.Join(dir, "tables.db.new"))
		})
	}
}

// dataWithLogs is the directory of a server that was killed with several logs, and its items.
func dataWithLogs(t *testing.T) (dir string, items map[string]int) {
	dir, items = filepath.Join(t.TempDir(), "data"), map[string]int{}
	url, kill := start(t, "--data-dir", dir)
	c := client(url)
	createTable(t, c)
	for i := range 30 {
		pk := fmt.Sprint("item", i)
		_, err := c.PutItem(t.Context(),
			&dynamodb.PutItemInput{
				TableName: aws.String("table"), Item: testItem(pk, i, strings.Repeat("x", 380<<10)),
			})
		require.NoError(t, err)
		items[pk] = i
	}
	kill()
	return dir, items
}

// withoutMarks damages a directory so that nothing of its data is lost.
func withoutMarks(t *testing.T, dir string) {
	require.NoError(t, os.Truncate(filepath.Join(dir, "acknowledged"), 10))
}

// killAt runs kugiri as a child process and kills it once a file exists, unless it has ended
// before.
func killAt(t *testing.T, path string, args ...string) {
	require.NoError(t, os.RemoveAll(path))
	program, err := os.Executable()
	require.NoError(t, err)
	process := exec.Command(program, args...)
	process.Env = append(os.Environ(), asKugiri+"=true")
	require.NoError(t, process.Start())
	ended := make(chan struct{})
	go func() {
		process.Wait()
		close(ended)
	}()
	for {
		select {
		case <-ended:
			return
		default:
		}
		if _, err := os.Stat(path); err == nil {
			process.Process.Kill()
			<-ended
			return
		}
	}
}
