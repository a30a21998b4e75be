package main

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// groupAnnotation is the annotation of a flag that names its group in the help.
const groupAnnotation = "group"

// helpWidth is how many columns the help has.
const helpWidth = 110

// addGroup makes flags that the help shows together.
func addGroup(f *pflag.FlagSet, name string, register func(*pflag.FlagSet)) {
	f.SortFlags = false
	own := pflag.NewFlagSet("", pflag.ContinueOnError)
	own.SortFlags = false
	register(own)
	own.VisitAll(func(flag *pflag.Flag) {
		flag.Annotations = map[string][]string{groupAnnotation: {name}}
		f.AddFlag(flag)
	})
}

// usage prints how a command is used.
func usage(c *cobra.Command) error {
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
	writeFlags(&b, c.Flags())
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

// flagGroup is the flags that the help shows together.
type flagGroup struct {
	name  string
	flags *pflag.FlagSet
}

// flagGroups returns flags by their groups, in the order in which they were made.
func flagGroups(flags *pflag.FlagSet) []flagGroup {
	var groups []flagGroup
	flags.VisitAll(func(f *pflag.Flag) {
		name := "Flags"
		if own := f.Annotations[groupAnnotation]; len(own) > 0 {
			name = own[0]
		}
		i := slices.IndexFunc(groups, func(g flagGroup) bool { return g.name == name })
		if i < 0 {
			i = len(groups)
			groups = append(groups, flagGroup{name, pflag.NewFlagSet("", pflag.ContinueOnError)})
			groups[i].flags.SortFlags = false
		}
		groups[i].flags.AddFlag(f)
	})
	return slices.DeleteFunc(groups, func(g flagGroup) bool { return !g.flags.HasAvailableFlags() })
}

// writeFlags lists flags by their groups.
func writeFlags(b *strings.Builder, flags *pflag.FlagSet) {
	for _, g := range flagGroups(flags) {
		fmt.Fprintf(b, "\n%s:\n%s", g.name, g.flags.FlagUsagesWrapped(helpWidth))
	}
}

// completeValues has shells complete the values of the flags of a command and those below it.
func completeValues(c *cobra.Command) error {
	var failed error
	c.Flags().VisitAll(func(f *pflag.Flag) {
		complete := cobra.CompletionFunc(nil)
		if words, ok := f.Value.(*choice); ok {
			complete = cobra.FixedCompletions(words.words, cobra.ShellCompDirectiveNoFileComp)
		}
		switch kind, _ := pflag.UnquoteUsage(f); {
		case f.Name == "table":
			complete = completeTables
		case kind == "directory":
			complete = cobra.FixedCompletions(nil, cobra.ShellCompDirectiveFilterDirs)
		}
		if complete != nil && failed == nil {
			failed = c.RegisterFlagCompletionFunc(f.Name, complete)
		}
	})
	for _, sub := range c.Commands() {
		if failed == nil {
			failed = completeValues(sub)
		}
	}
	return failed
}

// completionWait is how long somebody who presses the tab key waits for a server.
const completionWait = 2 * time.Second

// completeTables lists the tables of the endpoint that the command line names, as far as there is
// one.
func completeTables(c *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
	ctx, cancel := context.WithTimeout(c.Context(), completionWait)
	defer cancel()
	e := endpoint{}
	if c.Flag("endpoint") != nil {
		e.url, e.region = c.Flag("endpoint").Value.String(), c.Flag("region").Value.String()
	} else { // there are two endpoints
		e.url, e.region, e.profile = c.Flag("from").Value.String(), c.Flag("from-region").Value.String(), c.Flag("from-profile").Value.String()
	}
	client, err := e.client(ctx)
	if err != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	var names []string
	pages := dynamodb.NewListTablesPaginator(client, nil)
	for pages.HasMorePages() {
		page, err := pages.NextPage(ctx)
		if err != nil {
			break
		}
		names = append(names, page.TableNames...)
	}
	names = slices.DeleteFunc(names, func(name string) bool { return !strings.HasPrefix(name, typed) })
	return names, cobra.ShellCompDirectiveNoFileComp
}
