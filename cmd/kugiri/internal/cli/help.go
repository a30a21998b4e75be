package cli

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// groupAnnotation is the annotation of a flag that names its group in the help.
const groupAnnotation = "group"

// helpWidth is how many columns the help has.
const helpWidth = 110

// AddGroup makes flags that the help shows together.
func AddGroup(f *pflag.FlagSet, name string, register func(*pflag.FlagSet)) {
	f.SortFlags = false
	own := pflag.NewFlagSet("", pflag.ContinueOnError)
	own.SortFlags = false
	register(own)
	group := map[string][]string{groupAnnotation: {name}} // shared by the flags: nobody adds to it
	own.VisitAll(func(flag *pflag.Flag) {
		flag.Annotations = group
		f.AddFlag(flag)
	})
}

// Usage prints how a command is used.
func Usage(c *cobra.Command) error {
	var b strings.Builder
	b.WriteString("Usage:\n")
	if c.Runnable() {
		fmt.Fprintf(&b, "  %s\n", c.UseLine())
	}
	if c.HasAvailableSubCommands() {
		fmt.Fprintf(&b, "  %s [command]\n", c.CommandPath())
	}
	if c.HasExample() {
		fmt.Fprintf(&b, "\nExamples:\n%s\n", c.Example)
	}
	writeCommands(&b, c)
	if c.HasParent() {
		writeFlags(&b, c.Flags())
	} else {
		fmt.Fprintf(&b, "\nWithout a command it takes the flags of \"%s serve\".\n", c.Name())
	}
	if c.HasAvailableSubCommands() {
		fmt.Fprintf(&b, "\n%q tells more of a command.\n", c.CommandPath()+" [command] --help")
	}
	_, err := io.WriteString(c.OutOrStderr(), b.String())
	return err
}

// writeCommands lists the commands of a command by their groups.
func writeCommands(b *strings.Builder, c *cobra.Command) {
	groups := c.Groups()
	if len(groups) == 0 && c.HasAvailableSubCommands() {
		groups = []*cobra.Group{{Title: "Commands"}}
	}
	for _, g := range groups {
		fmt.Fprintf(b, "\n%s:\n", g.Title)
		for _, sub := range c.Commands() {
			if sub.GroupID == g.ID && (sub.IsAvailableCommand() || sub.Name() == "help") {
				fmt.Fprintf(b, "  %-*s %s\n", sub.NamePadding(), sub.Name(), sub.Short)
			}
		}
	}
}

// FlagGroup is the flags that the help shows together.
type FlagGroup struct {
	Name  string
	Flags *pflag.FlagSet
}

// FlagGroups returns flags by their groups, in the order in which they were made.
func FlagGroups(flags *pflag.FlagSet) []FlagGroup {
	var groups []FlagGroup
	flags.VisitAll(func(f *pflag.Flag) {
		name := "Flags"
		if own := f.Annotations[groupAnnotation]; len(own) > 0 {
			name = own[0]
		}
		i := slices.IndexFunc(groups, func(g FlagGroup) bool { return g.Name == name })
		if i < 0 {
			i = len(groups)
			groups = append(groups, FlagGroup{name, pflag.NewFlagSet("", pflag.ContinueOnError)})
			groups[i].Flags.SortFlags = false
		}
		groups[i].Flags.AddFlag(f)
	})
	return slices.DeleteFunc(groups, func(g FlagGroup) bool { return !g.Flags.HasAvailableFlags() })
}

// writeFlags lists flags by their groups.
func writeFlags(b *strings.Builder, flags *pflag.FlagSet) {
	for _, g := range FlagGroups(flags) {
		fmt.Fprintf(b, "\n%s:\n%s", g.Name, g.Flags.FlagUsagesWrapped(helpWidth))
	}
}
