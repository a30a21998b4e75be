package datadir

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/cli"
)

// Command completes a command that works on a data directory.
func Command(c *cobra.Command,
	run func(c *cobra.Command, dir string, format *cli.ResultFormat) error) *cobra.Command {
	var dir string
	var format cli.ResultFormat
	c.Args = func(c *cobra.Command, args []string) error {
		if len(args) > 0 {
			return cli.Failure(
				cli.WithHelp(c,
					fmt.Errorf("unknown argument %q: did you mean --data-dir %s?", args[0],
						args[0])))
		}
		return nil
	}
	c.RunE = cli.Abandoned(
		"the data is as good as before", func(c *cobra.Command, _ []string) error {
			if dir == "" {
				return cli.Failure(cli.WithHelp(c, errors.New("--data-dir is needed")))
			}
			return cli.Failure(notAllowed(run(c, dir, &format)))
		})
	c.SetFlagErrorFunc(cli.FlagFailure)
	c.Flags().StringVar(&dir, "data-dir", "", "`directory` that the data is in (required)")
	format.Register(c)
	return c
}
