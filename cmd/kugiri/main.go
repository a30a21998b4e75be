// Command kugiri serves an in-memory DynamoDB. "kugiri --help" lists what else it does.
package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "kugiri:", err)
		os.Exit(1)
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
	return root.ExecuteContext(ctx)
}
