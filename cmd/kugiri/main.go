// Command kugiri serves an in-memory DynamoDB. "kugiri --help" lists what else it does.
package main

import (
	"context"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/cli"
	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/servecmd"
)

func main() {
	adaptGCPercent() // the first of all: the start needs no collection
	ctx, stop := cli.UntilSignal()
	err := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	if err != nil {
		cli.SayError(os.Stderr, err)
		os.Exit(cli.ExitStatus(err))
	}
}

// run does what the arguments say. What serves, serves until ctx ends.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	args, err := servecmd.TranslateLocal(args, stderr)
	if err != nil {
		return err
	}
	root := rootCommand()
	if len(args) > 0 && strings.HasPrefix(args[0], cobra.ShellCompRequestCmd) {
		if err := completeValues(root); err != nil {
			return err // only if a flag has a completion already
		}
	}
	root.SetArgs(args)
	root.SetOut(stdout)
	root.SetErr(stderr)
	ran, err := root.ExecuteContextC(ctx)
	return cli.ErrorFor(ran, cli.AfterInterrupt(ctx, err))
}
