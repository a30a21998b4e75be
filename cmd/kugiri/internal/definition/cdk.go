package definition

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// manifest is the CDK's file about an app or a stage of it (the module
// aws-cdk-lib/cloud-assembly-schema).
type manifest struct {
	Artifacts map[string]struct {
		Type        string `json:"type"`
		Environment string `json:"environment"` // aws://ACCOUNT/REGION
		Properties  struct {
			TemplateFile  string            `json:"templateFile"`
			StackName     string            `json:"stackName"`
			DirectoryName string            `json:"directoryName"`
			Parameters    map[string]string `json:"parameters"`
		} `json:"properties"`
	} `json:"artifacts"`
}

// cdkApp reads what "cdk synth" writes.
type cdkApp struct{ *reader }

// open returns the stacks of a directory of the CDK. Of others, and of files, it returns none.
func (r *cdkApp) open(path string) ([]cdkStack, error) {
	if info, err := os.Stat(path); err != nil || !info.IsDir() {
		return nil, err
	}
	return r.stacks(path, 0)
}

// cdkStack is a stack of an app.
type cdkStack struct {
	file, name, region string // region: "" if the app does not say it
	parameters         map[string]any
}

const manifestFile = "manifest.json"

// stacks returns the stacks of an app, and those of its stages. It returns none if the directory
// has no manifest of the CDK.
func (r *cdkApp) stacks(dir string, depth int) (all []cdkStack, err error) {
	text, err := readFile(r.ctx, filepath.Join(dir, manifestFile))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var m manifest
	if err := json.Unmarshal(text, &m); err != nil {
		return nil, fmt.Errorf("%s: %w", filepath.Join(dir, manifestFile), err)
	}
	if depth > maxDepth {
		return nil, fmt.Errorf("%s: more than %d stages are in each other",
			filepath.Join(dir, manifestFile), maxDepth)
	}
	for _, id := range sortedKeys(m.Artifacts) {
		a := m.Artifacts[id]
		switch a.Type {
		case "aws:cloudformation:stack":
			_, region, _ := strings.Cut(strings.TrimPrefix(a.Environment, "aws://"), "/")
			if region == "unknown-region" {
				region = ""
			}
			s := cdkStack{file: filepath.Join(dir, a.Properties.TemplateFile),
				name: cmp.Or(a.Properties.StackName, id), region: region,
				parameters: map[string]any{}}
			for name, value := range a.Properties.Parameters {
				s.parameters[name] = value
			}
			all = append(all, s)
		case "cdk:cloud-assembly":
			within, err := r.stacks(filepath.Join(dir, a.Properties.DirectoryName), depth+1)
			if err != nil {
				return nil, err
			}
			all = append(all, within...)
		}
	}
	return all, nil
}

// read reads the stacks of an app. If they are in several regions, the tables are, too. Otherwise
// they are in the region of the command.
func (r *cdkApp) read(stacks []cdkStack) error {
	regions := map[string]bool{}
	for _, s := range stacks {
		if s.region != "" {
			regions[s.region] = true
		}
	}
	for _, s := range stacks {
		own := *r.reader
		if own.Stack == "" {
			own.Stack = s.name
		}
		if s.region != "" && len(regions) > 1 {
			own.Region = s.region
		}
		own.nested = s.parameters
		read, err := own.jsonFile(s.file)
		if err == nil && !read { // a stack without resources
			_, err = os.Stat(s.file)
		}
		r.tables, r.notes = own.tables, own.notes
		if err = r.spent(err); err != nil {
			return fmt.Errorf("%s: %w", s.file, err)
		}
	}
	return nil
}

// filesOf returns the files of a path: of a directory the templates of a CDK app, or the files of a
// Terraform module. Other directories and files stay as they are.
func filesOf(path string) ([]string, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.IsDir() {
		return []string{path}, nil
	}
	entries, err := os.ReadDir(path)
	if err != nil {
		return nil, err
	}
	var templates, module []string
	for _, e := range entries {
		switch name := e.Name(); {
		case e.IsDir():
		case strings.HasSuffix(name, ".nested.template.json"): // its stack names it
		case strings.HasSuffix(name, ".template.json"):
			templates = append(templates, filepath.Join(path, name))
		case isTerraform(name) && !strings.HasSuffix(name, ".tfvars") || isAutomatic(name):
			module = append(module, filepath.Join(path, name))
		}
	}
	switch {
	case len(templates) > 0:
		return templates, nil
	case len(module) > 0:
		return module, nil
	}
	return []string{path}, nil
}
