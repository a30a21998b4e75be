package main

import (
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/cli"
	"github.com/kugiri-db/kugiri/emulator/explore/search"
)

func exploreCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "explore",
		Short: "Join the reports of a search of orders that several machines have divided",
		Args:  cli.NoArguments,
		RunE:  func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	c.AddCommand(exploreMergeCommand())
	return c
}

func exploreMergeCommand() *cobra.Command {
	var format cli.ResultFormat
	c := &cobra.Command{
		Use:   "merge REPORT...",
		Short: "Say what the parts of a search have tried together",
		Long: `Reads the reports of tests that explore the orders of requests, each of which has searched a part:
with KUGIRI_EXPLORE_PART=3/8 the third of eight, and KUGIRI_EXPLORE_REPORT=FILE, to which each search
adds its report. It says of each search whether all parts are there, and what they have tried together.

The exit status is 0 if all parts are there and none has found a failure, 1 if a part is missing or has
found one, 2 for errors, such as parts of different programs.`,
		Example: "  KUGIRI_EXPLORE_PART=3/8 KUGIRI_EXPLORE_REPORT=part-3.json go test ./...\n" +
			"  kugiri explore merge part-*.json",
		Args: func(c *cobra.Command, args []string) error {
			return cli.Failure(cobra.MinimumNArgs(1)(c, args))
		},
		RunE: func(c *cobra.Command, args []string) error {
			list, err := mergeReports(args)
			if err != nil {
				return cli.Failure(err)
			}
			if err := format.Print(c, list, func(out io.Writer) error {
				return printMerged(out, list)
			}); err != nil {
				return cli.Failure(err)
			}
			for i := range list {
				switch m := &list[i]; {
				case len(m.Missing) > 0:
					return cli.Findings(errors.New("parts of a search are missing"))
				case len(m.Failures) > 0:
					return cli.Findings(errors.New("a part of a search has found a failure"))
				}
			}
			return nil
		},
	}
	c.SetFlagErrorFunc(cli.FlagFailure)
	format.Register(c)
	return c
}

// mergeReports reads the reports in files, and joins them.
func mergeReports(files []string) ([]search.Merged, error) {
	var all []search.PartReport
	for _, name := range files {
		f, err := os.Open(name)
		if err != nil {
			return nil, err
		}
		list, err := search.ReadReports(f)
		_ = f.Close()
		if err == nil && len(list) == 0 {
			err = errors.New("it has no report: did the tests explore anything?")
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		all = append(all, list...)
	}
	return search.Merge(all)
}

func printMerged(out io.Writer, list []search.Merged) error {
	for i := range list {
		m := &list[i]
		if _, err := fmt.Fprintln(out, m.Text); err != nil {
			return err
		}
		for _, f := range m.Failures {
			if _, err := fmt.Fprintf(out, "  %s: %s\n  Run it again:\n    %s\n", f.Kind, f.Text,
				f.Replay); err != nil {
				return err
			}
		}
	}
	return nil
}
