package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"go.yaml.in/yaml/v3"

	"github.com/kugiri-db/kugiri/conformance/clients"
)

// pattern matches the descriptions of projects.
const pattern = "conformance/clients/*/client.yaml"

// project is a project that a client.yaml describes.
type project struct {
	clients.Project `yaml:",inline"`
	// bash that builds the rows' programs, after what it needs is installed
	Build   string `yaml:"build"`
	Sampled bool   `yaml:"sampled"` // all rows are
	Nightly bool   `yaml:"nightly"` // no row is in a sample: few machines have the tools
	Rows    []*row `yaml:"rows"`

	prepare func(ctx context.Context, cache string) (dir string, err error) // once
}

// row is a client.
type row struct {
	Name  string   `yaml:"name"`
	Run   string   `yaml:"run"`   // bash, in the project's copy
	Serve []string `yaml:"serve"` // more flags of the server
	Steps []string `yaml:"steps"` // take the place of the scenario's steps

	// A sampled row runs in one part of a sample (see sample). Others run in all of them.
	Sampled bool `yaml:"sampled"`
	// how the program finds the server: a key of endpoints
	Endpoint string `yaml:"endpoint"`

	project *project
}

// endpoints has what the table says of the ways in which a client finds the server.
var endpoints = map[string]string{
	"variable": "the variable",
	"code":     "code",
	"never":    "code; it does not read the variable",
}

// readRows returns the rows of all projects in the order of their names.
func readRows() (rows []*row, err error) {
	paths, err := filepath.Glob(pattern)
	if err != nil || paths == nil {
		return nil, fmt.Errorf("there is no %s: run in the root of the repository", pattern)
	}
	for _, path := range paths {
		p, err := readProject(path)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		rows = append(rows, p.Rows...)
	}
	slices.SortFunc(rows, func(a, b *row) int {
		return strings.Compare(strings.ToLower(a.Name), strings.ToLower(b.Name))
	})
	return rows, nil
}

func readProject(path string) (*project, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	p := new(project)
	decoder := yaml.NewDecoder(file)
	decoder.KnownFields(true)
	if err := decoder.Decode(p); err != nil {
		return nil, err
	}
	p.Dir = filepath.Dir(path)
	p.Files = append(p.Files, filepath.Base(path))
	p.prepareOnce()
	for _, r := range p.Rows {
		r.project = p
		r.Sampled = r.Sampled || p.Sampled
		if r.Steps == nil {
			r.Steps = steps
		}
		if r.Endpoint == "" {
			r.Endpoint = "variable"
		}
		if endpoints[r.Endpoint] == "" {
			return nil, fmt.Errorf("%s: there is no endpoint %q", r.Name, r.Endpoint)
		}
	}
	return p, nil
}

// prepareOnce makes p.prepare, which installs and builds once for all rows.
func (p *project) prepareOnce() {
	var once sync.Once
	var dir string
	var err error
	p.prepare = func(ctx context.Context, cache string) (string, error) {
		once.Do(func() {
			if dir, err = p.Prepare(ctx, cache); err == nil {
				err = p.build(ctx, dir)
			}
		})
		return dir, err
	}
}

func (p *project) build(ctx context.Context, dir string) error {
	if p.Build == "" {
		return nil
	}
	build := exec.CommandContext(ctx, "bash", "-c", p.Build)
	build.Dir = dir
	if out, err := build.CombinedOutput(); err != nil {
		return fmt.Errorf("building %s: %w\n%s", p.Dir, err, out)
	}
	return nil
}
