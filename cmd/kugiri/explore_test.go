package main

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/cli"
)

// TestExploreMerge: what the command prints of reports, and its exit status. Package search has the
// tests of what it says.
func TestExploreMerge(t *testing.T) {
	dir := t.TempDir()
	file := func(name, text string) string {
		name = filepath.Join(dir, name)
		assert.NoError(t, os.WriteFile(name, []byte(text), 0o600))
		return name
	}
	part := func(n int, more string) string {
		return file(fmt.Sprint(n, len(more)), fmt.Sprintf(`{"name":"a.Test","part":{"number":%d,"of":2},`+
			`"complete":%v,"runs":3,"orders":"6","text":"explore: part %d"%s}`+"\n", n, more == "", n, more))
	}
	one, two := part(1, ""), part(2, "")
	failing := part(2, `,"failures":[{"kind":"check","text":"7, not 8","replay":"go test"}]`)
	for _, c := range []struct {
		name   string
		args   []string
		status int
		says   string
	}{
		{"all", []string{one, two}, 0, "a.Test: 2 parts, 6 runs of 6 orders: all orders were tried\n"},
		{"JSON", []string{one, two, "--format", "json"}, 0, `"complete":true`},
		{"a part is missing", []string{one}, 1, "not all orders were tried: part 2 of 2 is missing"},
		{"a failure", []string{one, failing}, 1, "check: 7, not 8\n  Run it again:\n    go test\n"},
		{"no arguments", nil, 2, ""},
		{"no file", []string{filepath.Join(dir, "none")}, 2, ""},
		{"no report", []string{file("empty", "")}, 2, ""},
		{"twice", []string{one, one}, 2, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			out, _, err := runs(t, append([]string{"explore", "merge"}, c.args...)...)
			if c.status == 0 {
				assert.NoError(t, err)
			} else {
				assert.Equal(t, c.status, cli.ExitStatus(err), "%v", err)
			}
			assert.Contains(t, out, c.says)
		})
	}
}
