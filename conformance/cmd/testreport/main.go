package main

import (
	"bufio"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
)

func main() {
	if file := os.Getenv(timesVariable); file != "" {
		os.Exit(measure(file, os.Args[1:]))
	}
	var b budget
	flag.Float64Var(&b.total, "budget", 0, "CPU `seconds` that all tests may take; 0 is no bound")
	flag.Float64Var(&b.share, "share", 0.25, "part of the budget that one package may take")
	flag.Parse()
	command := flag.Args()
	if len(command) == 0 {
		command = []string{"go", "test", "work"}
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Stdout, b, command); err != nil {
		fmt.Fprintln(os.Stderr, "testreport:", err)
		stop()
		os.Exit(1)
	}
}

// run runs the command, and writes the report.
func run(ctx context.Context, out io.Writer, b budget, command []string) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "testreport-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, "times")

	c := exec.CommandContext(ctx, command[0], command[1:]...)
	flags := os.Getenv("GOFLAGS")
	c.Env = append(os.Environ(), timesVariable+"="+file, flagsVariable+"="+flags,
		"GOFLAGS="+flags+" -json '-exec="+self+"'")
	c.Stderr = os.Stderr
	events, err := c.StdoutPipe()
	if err != nil {
		return err
	}
	if err := c.Start(); err != nil {
		return err
	}
	r := newResults(out)
	readErr := r.read(bufio.NewReader(events))
	if readErr != nil {
		io.Copy(io.Discard, events)
	}
	runErr := c.Wait()
	times, err := readTimes(file)
	if err != nil {
		return err
	}
	overdrawn := b.check(times)
	r.write(out, times)
	if runErr != nil {
		runErr = fmt.Errorf("%s: %w", command[0], runErr)
	}
	return errors.Join(readErr, runErr, overdrawn)
}
