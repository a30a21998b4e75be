package definition

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"github.com/kugiri-db/kugiri/storage/budget"
	"github.com/kugiri-db/kugiri/storage/item/jsontext"
)

// Definitions holds the tables that files define, and the notes on them.
type Definitions struct {
	Tables []Table
	Notes  []Note
	Others []string // the files that are in none of this package's formats
}

// Read reads files, and directories of Terraform and of "cdk synth". The files of one Terraform
// module are read together, whether they are named or their directory is. The end of ctx ends it.
func Read(ctx context.Context, v Values, paths ...string) (*Definitions, error) {
	r := newReader(ctx, v)
	d := new(Definitions)
	modules := map[string][]string{} // files by their directories
	for _, path := range paths {
		stacks, err := (&cdkApp{r}).open(path)
		if err != nil {
			return nil, err
		}
		if stacks != nil {
			if err := (&cdkApp{r}).read(stacks); err != nil {
				return nil, budget.Brief(err)
			}
			continue
		}
		files, err := filesOf(path)
		if err != nil {
			return nil, err
		}
		for _, file := range files {
			if isTerraform(file) {
				modules[filepath.Dir(file)] = append(modules[filepath.Dir(file)], file)
				continue
			}
			read, err := r.file(file)
			if err = r.spent(err); err != nil {
				return nil, fmt.Errorf("%s: %w", file, budget.Brief(err))
			}
			if !read {
				d.Others = append(d.Others, file)
			}
		}
	}
	for _, dir := range sortedKeys(modules) {
		if err := readTerraform(r, modules[dir]); err != nil {
			return nil, budget.Brief(err)
		}
		if err := r.spent(nil); err != nil {
			return nil, fmt.Errorf("%s: %w", dir, err)
		}
	}
	d.Tables, d.Notes = r.tables, once(r.notes)
	d.same()
	return d, budget.Brief(d.checkNames())
}

// spent returns an error if nothing more can be read: what the files are evaluated to is too large,
// or the context has ended. Values without an end were noted as if the cloud knew them.
func (r *reader) spent(err error) error {
	if err != nil {
		return err
	}
	if err := r.ctx.Err(); err != nil {
		return context.Cause(r.ctx)
	}
	for _, try := range [...]error{r.budget.Step(), r.budget.Bytes(1)} {
		var limit *budget.Error
		if errors.As(try, &limit) {
			return fmt.Errorf("what the file stands for is too large: %w", try)
		}
	}
	return nil
}

// once returns notes without those that are there already.
func once(notes []Note) (all []Note) {
	known := map[Note]bool{}
	for _, n := range notes {
		if !known[n] {
			all = append(all, n)
		}
		known[n] = true
	}
	return all
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

// Strict returns an error if anything is left out or could not be read.
func (d *Definitions) Strict() error {
	all := []error{errors.New("--strict: something that the files define is left out")}
	for _, n := range d.Notes {
		all = append(all, errors.New(n.String()))
	}
	if len(all) == 1 {
		return nil
	}
	return errors.Join(all...)
}

// Home notes the tables that are in other regions than that of the Values, and the settings of
// replicas there, and leaves them out.
func (d *Definitions) Home() {
	for i := range d.Tables {
		for _, e := range d.Tables[i].Elsewhere {
			d.Notes = append(d.Notes, Note{Place: e.Place, Message: "the settings are left out: " +
				"they are of " + e.Region + ", and a seed is for all regions"})
		}
		d.Tables[i].Elsewhere = nil
	}
	d.Tables = slices.DeleteFunc(d.Tables, func(t Table) bool {
		if t.Region == "" {
			return false
		}
		d.Notes = append(d.Notes, Note{Place: t.Place, Message: "the table " +
			*t.Create.TableName + " is left out: it is in " + t.Region +
			", and a seed is for all regions"})
		return true
	})
}

// checkNames returns an error if two definitions have the same name.
func (d *Definitions) checkNames() error {
	places := map[string]string{}
	for i := range d.Tables {
		t := &d.Tables[i]
		name := t.Region + "/" + *t.Create.TableName
		if first, twice := places[name]; twice {
			return fmt.Errorf("the table %s is defined twice: %s, %s", *t.Create.TableName, first,
				t.Place)
		}
		places[name] = t.Place
	}
	return nil
}

// fileOf returns the file of a place.
func fileOf(place string) string {
	file, _, _ := strings.Cut(place, ": ")
	return strings.TrimRight(file, ":0123456789")
}

// same drops tables that are defined again in the same way, as those of several stages of an app.
func (d *Definitions) same() {
	first := map[string]int{}
	var kept []Table
	for _, t := range d.Tables {
		name := t.Region + "/" + *t.Create.TableName
		i, twice := first[name]
		if !twice {
			first[name] = len(kept)
			kept = append(kept, t)
			continue
		}
		place := t.Place
		t.Place = kept[i].Place
		if fileOf(place) == fileOf(t.Place) || !reflect.DeepEqual(t, kept[i]) {
			t.Place = place
			kept = append(kept, t) // two tables of one name are an error
			continue
		}
		d.Notes = append(d.Notes, Note{Place: place,
			Message: "the table " + *t.Create.TableName + " is as in " + kept[i].Place})
	}
	d.Tables = kept
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
	text, err := readFile(r.ctx, name)
	if err != nil {
		return err
	}
	v, err := r.document(name).yamlTemplate(text)
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
	text, err := readFile(r.ctx, name)
	var tooLarge *tooLargeError
	switch {
	case errors.As(err, &tooLarge) && !hasOneOf(text, "Resources", "planned_values", "values"):
		return false, nil // package seed has another limit
	case err != nil:
		return false, err
	}
	text = bytes.TrimPrefix(text, byteOrderMark)
	isServerless := hasOneOf(text, "service") && hasOneOf(text, "provider")
	if !isServerless && !hasOneOf(text, "Resources", "planned_values", "values") {
		return false, nil
	}
	v, err := r.document(name).json(text)
	if err != nil {
		return false, err
	}
	root, _ := v.(map[string]any)
	switch {
	case root["Resources"] != nil:
		r.fileTemplate(name, root)
	case isServerless:
		r.serverless(name, root)
	default:
		r.show(name, root)
	}
	return true, nil
}

// hasOneOf reports whether a text is one JSON object with one of some members.
func hasOneOf(text []byte, names ...string) bool {
	if !json.Valid(text) {
		return false
	}
	s := jsontext.NewScanner(string(text))
	for name := range s.Members(maxLevels) {
		if slices.Contains(names, name) {
			return true
		}
	}
	return false
}

// fileTemplate reads a template. The stack has the name of the file unless there is another.
func (r *reader) fileTemplate(name string, root map[string]any) {
	own := *r
	if own.Stack == "" {
		own.Stack, _, _ = strings.Cut(filepath.Base(name), ".")
	}
	own.template(place{file: name}, root)
	r.tables, r.notes, r.output = own.tables, own.notes, own.output
}

// templateFile reads the template of a stack within another one.
func (r *reader) templateFile(name string) error {
	switch filepath.Ext(name) {
	case ".json":
		read, err := r.jsonFile(name)
		if err == nil && !read {
			err = fmt.Errorf("%s: %w", name, errNoFormat)
		}
		return err
	}
	return r.yamlFile(name)
}
