package main

import (
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/cli"
	"github.com/kugiri-db/kugiri/emulator/traffic/races"
)

func racesCommand() *cobra.Command {
	var format cli.ResultFormat
	c := &cobra.Command{
		Use:   "races FILE",
		Short: "Find writes that go wrong at the same time as others, in recorded requests",
		Long: `Finds, in the requests that "kugiri serve --record FILE" has recorded of programs in any language,
read-then-write pairs and puts after a read without a condition, failed conditions that the program
ignores, retries that change an item twice, and unprocessed items that are never sent again. Each
finding has the requests, the order that hurts, and the remedy. Kugiri replays that order on a fork of
its own, and marks what it cannot confirm.

The exit status is 0 if nothing is found, 1 if something is, 2 for errors.`,
		Example: "  kugiri serve --record traffic.json\n  kugiri races traffic.json\n" +
			"  kugiri races traffic.json --format json",
		Args: func(c *cobra.Command, args []string) error {
			return cli.Failure(cobra.ExactArgs(1)(c, args))
		},
		RunE: func(c *cobra.Command, args []string) error {
			report, err := findRaces(args[0])
			if err != nil {
				return cli.Failure(err)
			}
			err = format.Print(c, report, func(out io.Writer) error {
				_, err := io.WriteString(out, report.String())
				return err
			})
			if err != nil {
				return cli.Failure(err)
			}
			if len(report.Findings) > 0 {
				return cli.Findings(errors.New("the program has races"))
			}
			return nil
		},
	}
	c.SetFlagErrorFunc(cli.FlagFailure)
	format.Register(c)
	return c
}

// findRaces reads a recording and looks for races in it.
func findRaces(file string) (*races.Report, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	recording, err := races.Read(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return races.Find(recording)
}
