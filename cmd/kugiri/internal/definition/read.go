package definition

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Definitions are what files define.
type Definitions struct {
	Tables []Table
	Notes  []Note
	Others []string // the files that are in none of this package's formats
}

// Read reads files, and directories of Terraform and of "cdk synth". The files of one Terraform
// module are read together, whether they are named or their directory is.
func Read(v Values, paths ...string) (*Definitions, error) {
	r := &reader{Values: v}
	d := new(Definitions)
	modules := map[string][]string{} // files by their directories
	for _, path := range paths {
		files, err := filesOf(path)
		if err != nil {
			return nil, err
		}
		for _, file := range files {
			if extension := filepath.Ext(file); extension == ".tf" || extension == ".tfvars" {
				modules[filepath.Dir(file)] = append(modules[filepath.Dir(file)], file)
				continue
			}
			read, err := r.file(file)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", file, err)
			}
			if !read {
				d.Others = append(d.Others, file)
			}
		}
	}
	for _, dir := range sortedKeys(modules) {
		if err := r.hcl(modules[dir]); err != nil {
			return nil, err
		}
	}
	d.Tables, d.Notes = r.tables, r.notes
	return d, d.checkNames()
}

// LeftOut returns an error if tables are left out.
func (d *Definitions) LeftOut() error {
	var all []error
	for _, n := range d.Notes {
		if n.LeftOut {
			all = append(all, errors.New(n.String()))
		}
	}
	return errors.Join(all...)
}

// checkNames returns an error if two definitions have the same name.
func (d *Definitions) checkNames() error {
	places := map[string]string{}
	for i := range d.Tables {
		t := &d.Tables[i]
		name := *t.Create.TableName
		if first, twice := places[name]; twice {
			return fmt.Errorf("the table %s is defined twice: %s, %s", name, first, t.Place)
		}
		places[name] = t.Place
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
	for _, patterns := range [...][]string{{"*.template.json"},
		{"*.tf", "terraform.tfvars", "*.auto.tfvars"}} {
		var files []string
		for _, pattern := range patterns {
			found, err := filepath.Glob(filepath.Join(path, pattern))
			if err != nil {
				return nil, err
			}
			files = append(files, found...)
		}
		if len(files) > 0 {
			slices.Sort(files)
			return files, nil
		}
	}
	return []string{path}, nil
}

// file reads a file, and reports whether it is in one of the formats.
func (r *reader) file(name string) (bool, error) {
	switch filepath.Ext(name) {
	case ".yaml", ".yml", ".template":
		return true, r.yamlFile(name)
	case ".json":
		return r.jsonFile(name)
	}
	return false, nil
}

var errNoFormat = errors.New(
	"is neither a template of CloudFormation or SAM nor a serverless.yml: there are no Resources")

func (r *reader) yamlFile(name string) error {
	text, err := readFile(name)
	if err != nil {
		return err
	}
	v, err := parseYAML(text)
	if err != nil {
		return err
	}
	root, _ := v.(map[string]any)
	switch {
	case root["Resources"] != nil:
		r.fileTemplate(name, root)
	case root["service"] != nil:
		r.serverless(name, root)
	default:
		return errNoFormat
	}
	return nil
}

func (r *reader) jsonFile(name string) (bool, error) {
	text, err := os.ReadFile(name)
	if err != nil || !hasOneOf(text, "Resources", "planned_values", "values") {
		return false, err
	}
	if len(text) > maxBytes {
		return false, fmt.Errorf("is larger than %d bytes", maxBytes)
	}
	var root map[string]any
	if err := json.Unmarshal(text, &root); err != nil {
		return false, err
	}
	if root["Resources"] != nil {
		r.fileTemplate(name, root)
	} else {
		r.show(name, root)
	}
	return true, nil
}

// hasOneOf reports whether a text is one JSON object with one of some members.
func hasOneOf(text []byte, names ...string) bool {
	d := json.NewDecoder(bytes.NewReader(text))
	var members map[string]json.RawMessage
	if d.Decode(&members) != nil || d.More() {
		return false
	}
	return slices.ContainsFunc(names, func(name string) bool { return members[name] != nil })
}

// fileTemplate reads a template. The stack has the name of the file unless there is another.
func (r *reader) fileTemplate(name string, root map[string]any) {
	own := *r
	if own.Stack == "" {
		own.Stack, _, _ = strings.Cut(filepath.Base(name), ".")
	}
	own.template(name, root)
	r.tables, r.notes = own.tables, own.notes
}
