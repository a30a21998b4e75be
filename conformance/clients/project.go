// Package clients prepares the projects below its directory: clients of DynamoDB in other
// languages, with pinned versions.
package clients

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
)

// A Project is a directory with programs for one toolchain.
type Project struct {
	Dir     string   `yaml:"-"`
	Tools   []string `yaml:"tools"`   // the programs that it needs
	Files   []string `yaml:"files"`   // files in Dir; what they pin is installed
	Install string   `yaml:"install"` // bash that installs it, in a copy of Dir
}

// turns has a mutex for each directory that Prepare has returned.
var turns sync.Map

// Missing returns the first tool that this machine does not have, or "".
func (p Project) Missing() string {
	for _, tool := range p.Tools {
		if _, err := exec.LookPath(tool); err != nil {
			return tool
		}
	}
	return ""
}

// Prepare returns a copy of the project below cache, with what it installs. It installs once for
// each content of p.Files, and copies the other files each time. Calls of one process may overlap;
// processes that share a cache must take turns.
func (p Project) Prepare(ctx context.Context, cache string) (dir string, err error) {
	dir, err = p.place(cache)
	if err != nil {
		return "", err
	}
	turn, _ := turns.LoadOrStore(dir, new(sync.Mutex))
	turn.(*sync.Mutex).Lock()
	defer turn.(*sync.Mutex).Unlock()
	done := filepath.Join(dir, ".done")
	if _, err := os.Stat(done); err == nil {
		return dir, p.copy(dir)
	}
	if err := os.RemoveAll(dir); err != nil {
		return "", err
	}
	if err := p.copy(dir); err != nil {
		return "", err
	}
	install := exec.CommandContext(ctx, "bash", "-c", p.Install)
	install.Dir = dir
	if out, err := install.CombinedOutput(); err != nil {
		return "", fmt.Errorf("%s: %w\n%s", p.Dir, err, out)
	}
	return dir, os.WriteFile(done, nil, 0o600)
}

// place returns the directory of the copy, which has the files' hash in its name.
func (p Project) place(cache string) (string, error) {
	sum := sha256.New()
	fmt.Fprintln(sum, p.Install)
	for _, name := range p.Files {
		text, err := os.ReadFile(filepath.Join(p.Dir, name))
		if err != nil {
			return "", err
		}
		sum.Write(text)
	}
	return filepath.Join(cache, filepath.Base(p.Dir)+"-"+hex.EncodeToString(sum.Sum(nil)[:8])), nil
}

// copy copies the project's files over those in dir.
func (p Project) copy(dir string) error {
	return filepath.WalkDir(p.Dir, func(path string, entry os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, err := filepath.Rel(p.Dir, path)
		if err != nil {
			return err
		}
		if entry.IsDir() {
			return os.MkdirAll(filepath.Join(dir, name), 0o755)
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		return rewrite(filepath.Join(dir, name), text, info.Mode())
	})
}

// rewrite writes a file unless it has that text, so that compilers see what changed.
func rewrite(name string, text []byte, mode os.FileMode) error {
	if old, err := os.ReadFile(name); err == nil && string(old) == string(text) {
		return nil
	}
	return os.WriteFile(name, text, mode)
}
