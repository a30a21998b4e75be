package codelint

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// parsed is the answer of the npm package about TypeScript files.
type parsed struct {
	Version string   `json:"version"` // the version of the package typescript, "" without one
	Joins   []join   `json:"joins"`
	Failed  []failed `json:"failed"`
}

type failed struct {
	File    string `json:"file"`
	Line    int    `json:"line"`
	Column  int    `json:"column"`
	Message string `json:"message"`
}

func (f *failed) Error() string {
	return fmt.Sprintf("%s:%d:%d: %s", f.File, f.Line, f.Column, f.Message)
}

// absentError says what is missing to parse TypeScript.
type absentError struct{ what string }

func (e *absentError) Error() string { return "there is no " + e.what }

const (
	// scriptName is the program of the npm package that parses TypeScript.
	scriptName = "lint.js"

	maxAnswer = 64 << 20 // bytes
)

// project is where files get the packages that parse them.
type project struct {
	directory string
	roots     []string // the roots that its files were found by
	files     []source
}

// projectsOf divides files by their projects, in the order of the files.
func projectsOf(files []source) (projects []project) {
	at := map[string]int{} // indexes by root
	for _, f := range files {
		i, ok := at[f.root]
		if !ok {
			directory := projectOf(f.root)
			i = slices.IndexFunc(projects,
				func(p project) bool { return p.directory == directory })
			if i < 0 {
				i = len(projects)
				projects = append(projects, project{directory: directory})
			}
			projects[i].roots = append(projects[i].roots, f.root)
			at[f.root] = i
		}
		projects[i].files = append(projects[i].files, f)
	}
	return projects
}

// projectOf returns the nearest directory, at a root or above it, that has packages: all roots
// below it have the same. Without one it is the directory of the root.
func projectOf(root string) string {
	directory := root
	if info, err := os.Stat(root); err == nil && !info.IsDir() {
		directory = filepath.Dir(root)
	}
	full, err := filepath.Abs(directory)
	if err != nil {
		return directory
	}
	for at := full; ; at = filepath.Dir(at) {
		if info, err := os.Stat(filepath.Join(at, "node_modules")); err == nil && info.IsDir() {
			return at
		}
		if at == filepath.Dir(at) {
			return full
		}
	}
}

// joinsOfTypeScript has the npm package kugiri parse TypeScript files. It is the one that runs this
// program (npx kugiri), or that of root's project.
func joinsOfTypeScript(ctx context.Context, root string, files []source) ([]join, error) {
	root, err := filepath.Abs(root)
	if err != nil {
		return nil, err
	}
	node, script, err := toolOf(root)
	if err != nil {
		return nil, err
	}
	names := make([]string, len(files))
	for i, f := range files {
		names[i] = f.name
	}
	request, err := json.Marshal(map[string]any{"root": root, "files": names})
	if err != nil {
		return nil, err
	}
	answer, err := run(ctx, node, script, request)
	if err != nil {
		return nil, err
	}
	if answer.Version == "" {
		return nil, &absentError{"package typescript, of version 5, in the project"}
	}
	if len(answer.Failed) > 0 {
		return nil, &answer.Failed[0]
	}
	for i := range answer.Joins {
		answer.Joins[i].Code = excerpt([]byte(answer.Joins[i].Code))
	}
	return answer.Joins, nil
}

// toolOf returns the paths of Node.js and of the script.
func toolOf(root string) (node, script string, err error) {
	if node = os.Getenv("KUGIRI_NODE"); node == "" {
		if node, err = exec.LookPath("node"); err != nil {
			return "", "", &absentError{"Node.js"}
		}
	}
	packages := []string{os.Getenv("KUGIRI_PACKAGE")}
	if packages[0] == "" {
		packages = nil
		for at := root; ; at = filepath.Dir(at) {
			packages = append(packages, filepath.Join(at, "node_modules", "kugiri"))
			if at == filepath.Dir(at) {
				break
			}
		}
	}
	for _, p := range packages {
		script := filepath.Join(p, scriptName)
		if _, err := os.Stat(script); err == nil {
			return node, script, nil
		}
	}
	return "", "", &absentError{"npm package kugiri in the project"}
}

func run(ctx context.Context, node, script string, request []byte) (*parsed, error) {
	var said bytes.Buffer
	c := exec.CommandContext(ctx, node, script)
	c.Stdin, c.Stderr = bytes.NewReader(request), &said
	out, err := c.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := c.Start(); err != nil {
		return nil, err
	}
	text, err := io.ReadAll(io.LimitReader(out, maxAnswer+1))
	if err == nil && len(text) > maxAnswer {
		_ = c.Process.Kill() // Wait then has an error, and this one says why
		err = fmt.Errorf("%s says more than %d bytes", script, maxAnswer)
	}
	if ended := c.Wait(); err == nil && ended != nil {
		err = fmt.Errorf("%s: %w: %s", script, ended, strings.TrimSpace(said.String()))
	}
	if err != nil {
		return nil, err
	}
	var answer parsed
	if err := json.Unmarshal(text, &answer); err != nil {
		return nil, fmt.Errorf("%s: %w", script, err)
	}
	return &answer, nil
}
