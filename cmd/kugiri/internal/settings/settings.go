package settings

import (
	"errors"
	"fmt"
	"io/fs"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"go.yaml.in/yaml/v3"

	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/cli"
	"github.com/kugiri-db/kugiri/storage/budget"
)

// A setting comes from the first of these that has it: the command line, the
// environment (KUGIRI_PORT for --port), the config file (port:), the default.

// ConfigFlag names the config file.
const ConfigFlag = "config"

// notSettings are the flags that only the command line has.
var notSettings = map[string]bool{"help": true, "version": true}

// DescribeEnvironment adds the names of the variables to the usage of the flags.
func DescribeEnvironment(flags *pflag.FlagSet) {
	flags.VisitAll(func(f *pflag.Flag) {
		if !notSettings[f.Name] {
			f.Usage += " [$" + environmentName(f.Name) + "]"
		}
	})
}

// Fill sets the flags that the command line has not set from the environment and
// the config file. Variables that no command of the program reads, and members of the file that no
// flag has, are errors.
func Fill(flags *pflag.FlagSet, e Environment, program *cobra.Command) error {
	given := map[string]bool{}
	flags.Visit(func(f *pflag.Flag) { given[f.Name] = true })
	if err := errors.Join(fillFromEnvironment(flags, given, e),
		e.unknown(flags, program)); err != nil {
		return err
	}
	file := flags.Lookup(ConfigFlag)
	if file == nil || file.Value.String() == "" {
		return nil
	}
	return fillFromFile(flags, given, file.Value.String())
}

// fillFromEnvironment sets flags from variables. An empty one counts as not set, as compose files
// and CI pass on variables that nobody has set.
func fillFromEnvironment(flags *pflag.FlagSet, given map[string]bool, e Environment) error {
	var faults []error
	flags.VisitAll(func(f *pflag.Flag) {
		name := environmentName(f.Name)
		value, ok := e[name]
		if !ok || value == "" || given[f.Name] || notSettings[f.Name] || isLink(name, value) {
			return
		}
		if err := flags.Set(f.Name, value); err != nil {
			faults = append(faults, fmt.Errorf("$%s is %q: %w", name, value, cli.Cause(err)))
		}
		given[f.Name] = true
	})
	return errors.Join(faults...)
}

func fillFromFile(flags *pflag.FlagSet, given map[string]bool, file string) error {
	text, err := budget.ReadFile(file, budget.SettingBytes)
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("there is no config file %s", file)
	}
	if err != nil {
		return fmt.Errorf("config file: %w", err)
	}
	return budget.Brief(fillFromText(flags, given, file, text))
}

// fillFromText reads the text of a file, YAML, or JSON, which YAML includes: one
// mapping from the names of flags to values, or lists of values.
func fillFromText(flags *pflag.FlagSet, given map[string]bool, file string, text []byte) error {
	if err := budget.CheckMarks(text); err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	var doc yaml.Node
	if err := yaml.Unmarshal(text, &doc); err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	if len(doc.Content) == 0 { // nothing but comments
		return nil
	}
	settings := doc.Content[0]
	if settings.Kind != yaml.MappingNode {
		return fmt.Errorf("%s:%d: want lines like \"port: 8000\"", file, settings.Line)
	}
	lines := map[string]int{}
	for i := 0; i < len(settings.Content); i += 2 {
		key, value := settings.Content[i], settings.Content[i+1]
		name, at := key.Value, fmt.Sprintf("%s:%d", file, key.Line)
		flag := flags.Lookup(name)
		switch {
		case flag == nil || notSettings[name] || name == ConfigFlag:
			return cli.DidYouMean(fmt.Errorf("%s: there is no setting %q", at, name), "", name,
				cli.FlagNames(flags))
		case lines[name] != 0:
			return fmt.Errorf("%s: %q is set in line %d already", at, name, lines[name])
		}
		lines[name] = key.Line
		if err := setFromNode(flags, flag, value, !given[name]); err != nil {
			return fmt.Errorf("%s: %s: %w", at, name, err)
		}
	}
	return nil
}

// setFromNode sets a flag, if it is to be used, to what a file says.
func setFromNode(flags *pflag.FlagSet, f *pflag.Flag, n *yaml.Node, use bool) error {
	values := []string{n.Value}
	list, isList := f.Value.(pflag.SliceValue)
	if isList && n.Kind == yaml.SequenceNode {
		values = nil
		for _, v := range n.Content {
			if v.Kind != yaml.ScalarNode {
				return errors.New("want a list of plain values")
			}
			values = append(values, v.Value)
		}
	} else if n.Kind != yaml.ScalarNode || n.Tag == "!!null" {
		return errors.New("want a plain value")
	}
	if !use {
		return nil
	}
	f.Changed = true
	if isList {
		return list.Replace(values)
	}
	if err := flags.Set(f.Name, values[0]); err != nil {
		return fmt.Errorf("%q: %w", values[0], cli.Cause(err))
	}
	return nil
}
