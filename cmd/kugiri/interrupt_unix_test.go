//go:build unix

package main

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestInterrupt: every command stops at once, says what it did and how to go on, and exits as
// shells expect.
func TestInterrupt(t *testing.T) {
	t.Setenv("AWS_ACCESS_KEY_ID", "AKID")
	t.Setenv("AWS_SECRET_ACCESS_KEY", "secret")
	t.Setenv("AWS_REGION", "us-east-1")
	server, _ := serving(t)
	ordersTable(t, sdkClient(server, "secret", keyed("AKID", "secret")))
	policy := policyFile(t)
	t.Chdir(t.TempDir())
	require.NoError(t, os.WriteFile("old.jsonl", []byte("old"), 0o600))
	for _, c := range []struct {
		name    string
		stuck   string // operation
		args    []string
		sends   syscall.Signal
		status  int
		says    string
		remains []string // files
	}{
		{"tables", "ListTables", []string{"tables"}, syscall.SIGINT, 130, "interrupted", nil},
		{"SIGTERM", "ListTables", []string{"tables"}, syscall.SIGTERM, 143, "interrupted", nil},
		{"export to a pipe", "Scan", []string{"export", "--table", "data"}, syscall.SIGINT, 130,
			"interrupted: read 0 items; what was written is not complete; run the same command again", nil},
		{"export to a new file", "Scan",
			[]string{"export", "--table", "data", "--out", "new.jsonl"}, syscall.SIGINT, 130,
			"interrupted: read 0 items; new.jsonl is as it was before; run the same command again",
			nil},
		{"export to a file", "Scan", []string{"export", "--table", "data", "--out", "old.jsonl"},
			syscall.SIGINT, 130,
			"interrupted: read 0 items; old.jsonl is as it was before; run the same command again",
			nil},
		{"export to a directory", "Scan",
			[]string{"export", "--table", "data", "--format", "s3", "--out", "backup"},
			syscall.SIGINT, 130,
			"interrupted: read 0 items; backup is as it was before; run the same command again",
			[]string{"backup"}},
		{"lint", "Scan", []string{"lint", "--policy", policy}, syscall.SIGINT, 130,
			"interrupted: read 0 items; with --resume FILE the same command goes on where it was",
			nil},
		{"lint that is to be resumed", "Scan",
			[]string{"lint", "--policy", policy, "--resume", "state"}, syscall.SIGINT, 130,
			"interrupted: read 0 items, and the same command goes on from state",
			[]string{"state"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			endpoint, asked := stuckAt(t, server, c.stuck)
			process := spawn(t, append(c.args, "--endpoint", endpoint)...)
			<-asked
			require.NoError(t, process.Process.Signal(c.sends))
			assert.Equal(t, c.status, process.status().ExitStatus())
			assert.Equal(t, "kugiri: "+c.says+"\n", process.stderr.String())
			assert.ElementsMatch(t, append(c.remains, "old.jsonl"), filesIn(t, "."))
			for _, name := range c.remains {
				info, err := os.Stat(name)
				require.NoError(t, err)
				if info.IsDir() {
					assert.Empty(t, filesIn(t, name))
				}
				require.NoError(t, os.RemoveAll(name))
			}
			old, err := os.ReadFile("old.jsonl")
			require.NoError(t, err)
			assert.Equal(t, "old", string(old))
		})
	}
}

func TestInterruptOfCompare(t *testing.T) {
	server, client := database(t)
	createTable(t, client)
	stuck, asked := stuckAt(t, server, "Scan")
	process := spawn(t, "compare", "--from", stuck, "--to", server)
	<-asked
	require.NoError(t, process.Process.Signal(os.Interrupt))
	assert.Equal(t, 130, process.status().ExitStatus())
	assert.Equal(t, "kugiri: interrupted: compared 0 tables; run the same command again\n",
		process.stderr.String())
}

// TestInterruptOfAnImportThatWaits: nobody types more, and nobody closes the pipe.
func TestInterruptOfAnImportThatWaits(t *testing.T) {
	server, client := database(t)
	definition := filepath.Join(t.TempDir(), "table.json")
	require.NoError(t, os.WriteFile(definition, []byte(definitionText), 0o666))
	process := spawn(t, "import", "-", "--table", "orders", "--create", "--definition", definition,
		"--endpoint", server,
		"--writers", "1", "--format", "jsonl")
	_, err := io.WriteString(process.stdin,
		strings.Repeat(`{"pk":{"S":"a"},"sk":{"N":"1"}}`+"\n", 3))
	require.NoError(t, err)
	scan := &dynamodb.ScanInput{TableName: aws.String("orders")}
	for written := false; !written; { // an item is put when another with its key follows
		out, err := client.Scan(t.Context(), scan)
		written = err == nil && out.Count > 0
	}
	require.NoError(t, process.Process.Signal(os.Interrupt))
	assert.Equal(t, 130, process.status().ExitStatus())
	assert.Regexp(t, `^kugiri: interrupted: put at least \d+ items? into the table; `+
		`run the same command again without --create: it replaces them\n$`, process.stderr.String())
}

// TestSecondInterrupt: who does not want to wait for requests that are under way does not have to.
func TestSecondInterrupt(t *testing.T) {
	url, process := started(t, io.Discard)
	connected(t, url, busy)
	ended := make(chan struct{})
	go func() { process.Wait(); close(ended) }()
	for running := true; running; {
		process.Process.Signal(os.Interrupt)
		select {
		case <-ended:
			running = false
		default:
		}
	}
	assert.True(t, process.ProcessState.Sys().(syscall.WaitStatus).Signaled())
}

// TestInterruptOfAnExportThatResumes: Ctrl-C keeps what was read.
func TestInterruptOfAnExportThatResumes(t *testing.T) {
	server, _ := database(t)
	largeTable(t, server)
	dir := t.TempDir()
	state, out := filepath.Join(dir, "state"), filepath.Join(dir, "items.jsonl")
	stuck, asked := stuckAt(t, server, "Scan")
	process := spawn(t, "export", "--endpoint", stuck, "--table", "large", "--segments", "1",
		"--out", out, "--resume", state)
	<-asked
	require.NoError(t, process.Process.Signal(syscall.SIGINT))
	assert.Equal(t, 130, process.status().ExitStatus())
	assert.Equal(t, "kugiri: interrupted: read 0 items; the same command goes on from "+state+"\n",
		process.stderr.String())
	assert.FileExists(t, state)
	assert.NoFileExists(t, out)
}
