// Command kugiri serves an in-memory DynamoDB. "kugiri --help" lists what else it does.
package main

import (
	"context"
	"errors"
	"io"
	"os"

	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/terminal"
)

func main() {
	adaptGCPercent() // before anything else: the start needs no collection
	ctx, stop := untilSignal()
	err := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	if err != nil {
		say(os.Stderr, terminal.StyleOf(os.Stderr).Red("kugiri:"), err)
		os.Exit(exitStatus(err))
	}
}

// run does what the arguments say. What serves, serves until ctx ends.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	args, err := translated(args, stderr)
	if err != nil {
		return err
	}
	root := rootCommand()
	root.SetArgs(args)
	root.SetOut(stdout)
	root.SetErr(stderr)
	return afterInterrupt(ctx, root.ExecuteContext(ctx))
}

// exitError is an error that has an exit status of its own.
type exitError struct {
	status int
	err    error
}

func (e *exitError) Error() string { return e.err.Error() }

func (e *exitError) Unwrap() error { return e.err }

// exitStatus returns the status with which kugiri exits after an error: 1 unless the error says
// otherwise.
func exitStatus(err error) int {
	var own *exitError
	if errors.As(err, &own) {
		return own.status
	}
	return 1
}
