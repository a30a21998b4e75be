// Command kugiri serves an in-memory DynamoDB.
//
//	kugiri [serve] [--host H] [--port N] [--shared] [--account ID] [--table-delay D] [--transaction-delay D]
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"os"
	"os/signal"
	"runtime/debug"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/kugiri-db/kugiri/emulator"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, os.Args[1:], os.Stdout, os.Stderr); err != nil {
		if !errors.Is(err, errUsage) {
			fmt.Fprintln(os.Stderr, "kugiri:", err)
		}
		os.Exit(1)
	}
}

// errUsage is for arguments that are wrong; what is wrong with them was said.
var errUsage = errors.New("usage")

// grace is how long requests may take to finish when the server is stopped.
const grace = 5 * time.Second

// config is what the command line says.
type config struct {
	host    string
	port    int
	account string
	shared  bool
	delay   time.Duration
	open    time.Duration
	version bool
}

// run does what the arguments say until ctx ends.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	c, err := parse(args, stderr)
	switch {
	case errors.Is(err, flag.ErrHelp):
		return nil
	case err != nil:
		return err
	case c.version:
		fmt.Fprintln(stdout, "kugiri", version())
		return nil
	}
	paceCollector()
	return serve(ctx, c, stdout)
}

// parse reads the command line.
func parse(args []string, stderr io.Writer) (config, error) {
	var c config
	if len(args) > 0 && args[0] == "serve" {
		args = args[1:]
	}
	f := flag.NewFlagSet("kugiri serve", flag.ContinueOnError)
	f.SetOutput(stderr)
	f.StringVar(&c.host, "host", "", "`address` to listen at (default all)")
	f.IntVar(&c.port, "port", 8000, "`port` to listen at, 0 for any")
	f.StringVar(&c.account, "account", "000000000000", "AWS account `id` in ARNs")
	f.BoolVar(&c.shared, "shared", false, "show the same tables to all access keys and regions")
	f.DurationVar(&c.delay, "table-delay", 0, "how `long` tables and indexes are CREATING, UPDATING and DELETING")
	f.DurationVar(&c.open, "transaction-delay", 0, "how `long` write transactions are open, and in conflict with others")
	f.BoolVar(&c.version, "version", false, "print the version")
	if err := f.Parse(args); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			return c, err
		}
		return c, errUsage
	}
	switch {
	case f.NArg() > 0:
		fmt.Fprintf(stderr, "kugiri: unknown argument %q\n", f.Arg(0))
	case len(c.account) != 12 || strings.Trim(c.account, "0123456789") != "":
		fmt.Fprintln(stderr, "kugiri: an account has 12 digits")
	default:
		return c, nil
	}
	f.Usage()
	return c, errUsage
}

// serve serves until ctx ends.
func serve(ctx context.Context, c config, stdout io.Writer) error {
	opts := []emulator.Option{emulator.WithAccountID(c.account), emulator.WithTableDelays(c.delay, c.delay, c.delay)}
	if c.shared {
		opts = append(opts, emulator.WithSharedData())
	}
	if c.open > 0 {
		opts = append(opts, emulator.WithTransactionHook(func(string) { pause(ctx, c.open) }))
	}
	s, err := emulator.New(opts...).Start(net.JoinHostPort(c.host, strconv.Itoa(c.port)))
	if err != nil {
		return err
	}
	fmt.Fprintln(stdout, "kugiri: listening at", s.URL)
	<-ctx.Done()
	shutdown, cancel := context.WithTimeout(context.Background(), grace)
	defer cancel()
	return s.Shutdown(shutdown)
}

// pause returns after d, or when ctx ends.
func pause(ctx context.Context, d time.Duration) {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
	case <-ctx.Done():
	}
}

// version is the module's, as the go command recorded it.
func version() string {
	if info, ok := debug.ReadBuildInfo(); ok {
		return info.Main.Version
	}
	return "(unknown)"
}
