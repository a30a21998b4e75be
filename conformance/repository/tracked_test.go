package repository

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// topLevel has what may be at the top of the repository, beside files with a dot.
var topLevel = map[string]bool{
	"Dockerfile": true, "LICENSE": true, "README.md": true,
	"go.mod": true, "go.sum": true, "go.work": true, "go.work.sum": true,
	"cmd": true, "conformance": true, "conventions": true, "emulator": true, "expr": true,
	"storage": true,
}

// TestTrackedFiles: git has no file that a command or a test has left behind.
func TestTrackedFiles(t *testing.T) {
	root := filepath.Join("..", "..")
	if _, err := os.Stat(filepath.Join(root, ".git")); err != nil {
		t.Skip("it is no clone: there are no tracked files")
	}
	list := exec.Command("git", "ls-files", "-z")
	list.Dir = root
	out, err := list.Output()
	if err != nil {
		t.Skip("git does not list the files: ", err)
	}
	files := strings.FieldsFunc(string(out), func(r rune) bool { return r == 0 })
	assert.Greater(t, len(files), 1000, "files were found")
	for _, file := range files {
		top, _, _ := strings.Cut(file, "/")
		assert.True(t, topLevel[top] || strings.HasPrefix(top, "."), "%s is at the top level", file)
		assert.NotContains(t, file, "/testdata/rapid/", "rapid leaves it where a property fails")
	}
}
