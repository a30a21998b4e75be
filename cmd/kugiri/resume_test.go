package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// breaking is a server in front of another that answers some requests of an operation. It refuses
// those after them, or keeps them waiting.
type breaking struct {
	*httptest.Server
	left     atomic.Int64 // requests that it answers
	answered atomic.Int64
	puts     atomic.Int64 // items in answered BatchWriteItem requests
	keeps    atomic.Bool
	waiting  chan struct{} // gets a value for each request that waits
}

func breakingAt(t *testing.T, server, operation string) *breaking {
	target, err := url.Parse(server)
	require.NoError(t, err)
	forward := httputil.NewSingleHostReverseProxy(target)
	forward.ErrorLog = log.New(io.Discard, "", 0) // requests that are canceled would log errors
	b, ended := &breaking{waiting: make(chan struct{}, 100)}, make(chan struct{})
	b.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.Header.Get("X-Amz-Target"), "."+operation) {
			if b.left.Add(-1) < 0 {
				if b.keeps.Load() {
					b.waiting <- struct{}{}
					<-ended
				}
				w.WriteHeader(http.StatusBadRequest)
				fmt.Fprint(w,
					`{"__type":"com.amazon.coral.service#AccessDeniedException","Message":"not now"}`)
				return
			}
			b.answered.Add(1)
			body, _ := io.ReadAll(r.Body)
			b.puts.Add(int64(bytes.Count(body, []byte(`"PutRequest"`))))
			r.Body = io.NopCloser(bytes.NewReader(body))
		}
		forward.ServeHTTP(w, r)
	}))
	t.Cleanup(func() { close(ended); b.Close() })
	return b
}

// largeTable makes the table large, whose scan has many pages.
func largeTable(t *testing.T, server string) { largeTableOf(t, server, 24) }

func largeTableOf(t *testing.T, server string, items int) {
	definition := filepath.Join(t.TempDir(), "table.json")
	require.NoError(t, os.WriteFile(definition, []byte(definitionText), 0o666))
	var lines strings.Builder
	for i := range items {
		fmt.Fprintf(&lines, `{"pk":{"S":"p%d"},"sk":{"N":"%d"},"filler":{"S":"%s"}}`+"\n", i, i,
			strings.Repeat("x", 390<<10))
	}
	command(t, lines.String(), "import", "--endpoint", server, "--table", "large", "--create",
		"--definition", definition)
}

// TestExportResumes: an export that is broken off again and again reads each page once, and ends
// with each item once.
func TestExportResumes(t *testing.T) {
	server, _ := database(t)
	largeTable(t, server)
	for _, format := range []string{"jsonl", "plain"} {
		for segments, answers := range map[string]int64{"1": 2, "3": 6} { // answers of each run
			t.Run(format+" of "+segments, func(t *testing.T) {
				want := sorted(
					command(t, "", "export", "--endpoint", server, "--table", "large", "--format",
						format))
				dir := t.TempDir()
				state, out := filepath.Join(dir, "state"), filepath.Join(dir, "items.jsonl")
				b := breakingAt(t, server, "Scan")
				arguments := []string{"export", "--endpoint", b.URL, "--table", "large", "--format",
					format, "--segments", segments, "--out", out, "--resume", state}
				for broken := 0; ; broken++ {
					require.Less(t, broken, 20)
					b.left.Store(answers)
					_, stderr, err := piped(t.Context(), "", arguments...)
					if err == nil {
						assert.Positive(t, broken)
						assert.Equal(t, "exported 24 items of large\n", stderr)
						break
					}
					require.ErrorContains(t, err, "not now")
					require.ErrorContains(t, err, "the same command goes on from "+state)
					require.NoFileExists(t, out)
				}
				text, err := os.ReadFile(out)
				require.NoError(t, err)
				assert.Equal(t, want, sorted(string(text)))
				// those of another segment are canceled while they are answered
				if segments == "1" {
					alone := breakingAt(t, server, "Scan")
					alone.left.Store(100)
					command(t, "", "export", "--endpoint", alone.URL, "--table", "large",
						"--segments", "1")
					assert.Equal(t, alone.answered.Load(), b.answered.Load(),
						"no page is read twice")
				}
				assert.Equal(t, []string{"items.jsonl"}, filesIn(t, dir))
			})
		}
	}
}

// TestExportResumesAfterAKill: a kill leaves a state that is true of the file.
func TestExportResumesAfterAKill(t *testing.T) {
	server, _ := database(t)
	largeTable(t, server)
	want := sorted(command(t, "", "export", "--endpoint", server, "--table", "large"))
	dir := t.TempDir()
	state, out := filepath.Join(dir, "state"), filepath.Join(dir, "items.jsonl")
	arguments := []string{"export", "--table", "large", "--segments", "1", "--out", out, "--resume",
		state}
	b := breakingAt(t, server, "Scan")
	b.left.Store(2)
	_, _, err := piped(t.Context(), "", append(arguments, "--endpoint", b.URL)...)
	require.Error(t, err)
	b.left.Store(2)
	b.keeps.Store(true)
	process := spawn(t, append(arguments, "--endpoint", b.URL)...)
	<-b.waiting
	require.NoError(t, process.Process.Kill())
	process.Wait()
	partial, err := filepath.Glob(filepath.Join(dir, ".items.jsonl.unfinished-*"))
	require.NoError(t, err)
	require.Len(t, partial, 1)
	file, err := os.OpenFile(partial[0], os.O_WRONLY|os.O_APPEND, 0)
	require.NoError(t, err)
	// as if it had written more since it saved its state
	_, err = file.WriteString(strings.Repeat("x", 12<<20))
	require.NoError(t, err)
	require.NoError(t, file.Close())

	_, _, err = piped(t.Context(), "",
		append(arguments, "--endpoint", strings.Replace(server, "127.0.0.1", "localhost", 1))...)
	require.ErrorContains(t, err, "is of an export of large at "+b.URL)
	b.left.Store(100)
	_, _, err = piped(t.Context(), "", append(arguments, "--endpoint", b.URL)...)
	require.NoError(t, err)
	text, err := os.ReadFile(out)
	require.NoError(t, err)
	assert.Equal(t, want, sorted(string(text)))
	assert.Equal(t, []string{"items.jsonl"}, filesIn(t, dir))
}

// TestImportResumes: an import that is broken off again and again puts everything, in order, and
// not all of it again.
func TestImportResumes(t *testing.T) {
	server, _ := database(t)
	dir := t.TempDir()
	definition, state := filepath.Join(dir, "table.json"), filepath.Join(dir, "state")
	require.NoError(t, os.WriteFile(definition, []byte(definitionText), 0o666))
	var want []string
	var first, second strings.Builder
	for i := range 9000 {
		// the last of three remains
		line := fmt.Sprintf(`{"pk":{"S":"p%d"},"s":{"S":"%d"},"sk":{"N":"%d"}}`, i%3000, i, i%3000)
		if i < 6000 {
			first.WriteString(line + "\n")
			continue
		}
		second.WriteString(line + "\n")
		want = append(want, line)
	}
	files := []string{filepath.Join(dir, "first.jsonl"), filepath.Join(dir, "second.jsonl")}
	require.NoError(t, os.WriteFile(files[0], []byte(first.String()), 0o666))
	require.NoError(t, os.WriteFile(files[1], []byte(second.String()), 0o666))
	b := breakingAt(t, server, "BatchWriteItem")
	arguments := append([]string{"import", "--endpoint", b.URL, "--table", "orders", "--create",
		"--definition", definition, "--writers", "3", "--resume", state}, files...)
	for broken := 0; ; broken++ {
		require.Less(t, broken, 20)
		b.left.Store(100) // 2500 items: more than there are between two states
		_, stderr, err := piped(t.Context(), "", arguments...)
		if err == nil {
			assert.GreaterOrEqual(t, broken, 3)
			assert.Equal(t, "imported 9000 items into orders\n", stderr)
			break
		}
		require.ErrorContains(t, err, "not now")
		require.ErrorContains(t, err, "into the table")
	}
	assert.Less(t, b.answered.Load(), int64(600), "of 360 batches")
	assert.Equal(t, sorted(strings.Join(want, "\n")),
		sorted(command(t, "", "export", "--endpoint", server, "--table", "orders")))
	assert.NoFileExists(t, state)
}

// TestImportResumesAfterAKill: what the state says is in the table is there when the process dies.
func TestImportResumesAfterAKill(t *testing.T) {
	server, _ := database(t)
	dir := t.TempDir()
	definition, state, file := filepath.Join(dir, "table.json"), filepath.Join(dir,
		"state"), filepath.Join(dir, "items.jsonl")
	require.NoError(t, os.WriteFile(definition, []byte(definitionText), 0o666))
	var lines []string
	for i := range 5000 {
		lines = append(lines, fmt.Sprintf(`{"pk":{"S":"p%d"},"sk":{"N":"%d"}}`, i%7, i))
	}
	require.NoError(t, os.WriteFile(file, []byte(strings.Join(lines, "\n")), 0o666))
	b := breakingAt(t, server, "BatchWriteItem")
	arguments := []string{"import", "--endpoint", b.URL, "--table", "orders", "--create",
		"--definition", definition, "--writers", "4", "--resume", state, file}
	b.left.Store(120) // 3000 of 5000 items, after a state of 2000
	b.keeps.Store(true)
	process := spawn(t, arguments...)
	<-b.waiting
	require.NoError(t, process.Process.Kill())
	process.Wait()
	before := b.answered.Load()
	b.left.Store(1000)
	command(t, "", arguments...)
	assert.Less(t, b.answered.Load()-before, int64(150), "of 200 batches")
	slices.Sort(lines)
	assert.Equal(t, lines,
		sorted(command(t, "", "export", "--endpoint", server, "--table", "orders")))
	assert.NoFileExists(t, state)
}

func TestResumeErrors(t *testing.T) {
	server, client := database(t)
	createTable(t, client)
	dir := t.TempDir()
	t.Chdir(dir)
	require.NoError(t, os.WriteFile("items.jsonl", []byte(`{"pk":{"S":"a"}}`), 0o666))
	info, err := os.Stat("items.jsonl")
	require.NoError(t, err)
	at := `"at":"` + server + ` in eu-west-1"`
	same := fmt.Sprintf(`"files":[{"name":%q,"bytes":%d,"modified":%d}]`,
		filepath.Join(dir, "items.jsonl"), info.Size(), info.ModTime().UnixNano())
	export := []string{"export", "--table", "table", "--out", "out", "--resume", "state"}
	imports := []string{"import", "--table", "table", "--resume", "state", "items.jsonl"}
	for _, c := range []struct {
		name, state string
		args        []string
		says        string
	}{
		{"an export to a pipe", "", []string{"export", "--table", "table", "--resume", "state"},
			"a file that --out names"},
		{"an export to a device", "",
			[]string{"export", "--table", "table", "--out", "/dev/null", "--resume", "state"},
			"/dev/null is not a regular file"},
		{"an export in parts", "", append(export, "--format", "csv"),
			"for the formats jsonl and plain"},
		{"an import from a pipe", "", imports[:5], "the standard input cannot be read again"},
		{"an import of a file that is not there", "", append(imports, "absent"),
			"absent: no such file"},
		{"no JSON", "x", export, "state is not a checkpoint to resume from"},
		{"no position", `{"table":"table"}`, export, "state is not a checkpoint to resume from"},
		{"no segments", `{"position":{"segments":[]}}`, export,
			"state is not a checkpoint to resume from"},
		{"another table", `{"table":"other","position":{"segments":[{}]}}`, export,
			"state is of an export of other"},
		{"no file to go on with",
			`{"table":"table",` + at + `,"format":"jsonl","out":"` + dir +
				`/out","file":"gone","position":{"segments":[{}]}}`, export,
			"what state goes on with: open gone"},
		{"a file that is too short",
			`{"table":"table",` + at + `,"format":"jsonl","out":"` + dir +
				`/out","file":"items.jsonl","bytes":100,"position":{"segments":[{}]}}`, export,
			"items.jsonl has less than state says"},
		{"no JSON of an import", "x", imports, "state is not a checkpoint to resume from"},
		{"an import into another table", `{"table":"other",` + at + `}`, imports,
			"state is of an import into other"},
		{"an import of other files", `{"table":"table",` + at + `,"files":[]}`, imports,
			"of other files, or they have changed"},
		{"an import after its files", `{"table":"table",` + at + `,` + same + `,"source":2}`,
			imports, "state is not a checkpoint to resume from"},
	} {
		t.Run(c.name, func(t *testing.T) {
			require.NoError(t, os.RemoveAll("state"))
			if c.state != "" {
				require.NoError(t, os.WriteFile("state", []byte(c.state), 0o600))
			}
			_, _, err := piped(t.Context(), "", append(c.args, "--endpoint", server)...)
			require.ErrorContains(t, err, c.says)
			left, _ := os.ReadFile("state")
			assert.Equal(t, c.state, string(left), "it stays as it is")
			assert.NoFileExists(t, "out")
		})
	}
}

// TestCloneResumesAfterAKill: what the state says is cloned is there, masked, when the process
// dies.
func TestCloneResumesAfterAKill(t *testing.T) {
	from, _ := database(t)
	largeTableOf(t, from, 100)
	dir := t.TempDir()
	rules, secret, state := filepath.Join(dir, "mask.yaml"), filepath.Join(dir,
		"secret"), filepath.Join(dir, "state")
	require.NoError(t,
		os.WriteFile(rules,
			[]byte("rules: [{attribute: pk, as: text}, {attribute: '*', as: keep}]"), 0o600))
	require.NoError(t, os.WriteFile(secret, []byte("the secret of this test"), 0o600))
	arguments := []string{"clone", "--from", from, "--table", "large", "--mask", rules,
		"--secret-file", secret, "--segments", "1"}
	whole, _ := database(t)
	command(t, "", append(arguments, "--to", whole)...)

	to, _ := database(t)
	b := breakingAt(t, to, "BatchWriteItem")
	arguments = append(arguments, "--to", b.URL, "--resume", state)
	// of five batches or more: a slow run saves its state more often, after fewer items
	b.left.Store(4)
	_, _, err := piped(t.Context(), "", arguments...)
	require.ErrorContains(t, err, "the same command goes on from "+state)
	b.left.Store(0)
	b.keeps.Store(true)
	process := spawn(t, arguments...)
	<-b.waiting
	require.NoError(t, process.Process.Kill())
	process.Wait()
	var saved struct {
		Reach map[string]struct{ Written int64 }
	}
	text, err := os.ReadFile(state)
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(text, &saved))
	written := saved.Reach["large"].Written
	require.Positive(t, written)
	b.left.Store(1000)
	before := b.puts.Load()
	out := command(t, "", arguments...)
	assert.Contains(t, out, "large: cloned 100 items of 100 items\n")
	assert.Equal(t, 100-written, b.puts.Load()-before,
		"what is before the state is not written again")
	want := sorted(command(t, "", "export", "--endpoint", whole, "--table", "large"))
	assert.Equal(t, want, sorted(command(t, "", "export", "--endpoint", to, "--table", "large")))
	assert.NotEqual(t, want,
		sorted(command(t, "", "export", "--endpoint", from, "--table", "large")))
	assert.NoFileExists(t, state)
}
