package main

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/cli"
	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/endpoint"
)

// completeValues has shells complete the values of the flags of a command and those below it.
func completeValues(c *cobra.Command) error {
	var failed error
	c.Flags().VisitAll(func(f *pflag.Flag) {
		complete := cobra.CompletionFunc(nil)
		if words, ok := f.Value.(*cli.Choice); ok {
			complete = cobra.FixedCompletions(words.Words, cobra.ShellCompDirectiveNoFileComp)
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
func completeTables(c *cobra.Command, _ []string, typed string) ([]string,
	cobra.ShellCompDirective) {
	ctx, cancel := context.WithTimeout(c.Context(), completionWait)
	defer cancel()
	e := endpoint.Endpoint{}
	if c.Flag("endpoint") != nil {
		e.URL, e.Region = c.Flag("endpoint").Value.String(), c.Flag("region").Value.String()
	} else { // there are two endpoints
		e.URL, e.Region, e.Profile = c.Flag("from").Value.String(), c.Flag(
			"from-region").Value.String(), c.Flag("from-profile").Value.String()
	}
	client, err := e.Client(ctx)
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
	names = slices.DeleteFunc(names,
		func(name string) bool { return !strings.HasPrefix(name, typed) })
	return names, cobra.ShellCompDirectiveNoFileComp
}
