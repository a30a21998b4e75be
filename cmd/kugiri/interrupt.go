package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"
)

// signaled is the cause of the end of a context that a signal ended.
type signaled struct{ syscall.Signal }

func (s signaled) Error() string { return s.String() }

// untilSignal returns a context that an interrupt or SIGTERM ends. A second signal kills the
// process.
func untilSignal() (ctx context.Context, stop func()) {
	ctx, cancel := context.WithCancelCause(context.Background())
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	go func() {
		select {
		case received := <-signals:
			signal.Stop(signals)
			cancel(signaled{received.(syscall.Signal)})
		case <-ctx.Done():
		}
	}()
	return ctx, func() { signal.Stop(signals); cancel(nil) }
}

// unfinished is the error of a command that did a part of its work.
type unfinished struct {
	err  error
	done string // what the command did
	next string // how to go on after an interrupt, if done does not say it
}

func (u *unfinished) Error() string { return u.err.Error() + " (" + u.done + ")" }

func (u *unfinished) Unwrap() error { return u.err }

// afterInterrupt returns the error of a command that ran until ctx ended, in place of what its
// requests said of their context. A command that ended by itself keeps its error.
func afterInterrupt(ctx context.Context, err error) error {
	own, finished := errors.AsType[*exitError](err)
	if err == nil || ctx.Err() == nil || finished && own.status == exitFindings {
		return err
	}
	text := "interrupted"
	if u, ok := errors.AsType[*unfinished](err); ok {
		text += ": " + u.done
		if u.next != "" {
			text += "; " + u.next
		}
	}
	status := syscall.SIGINT
	if cause, ok := errors.AsType[signaled](context.Cause(ctx)); ok {
		status = cause.Signal
	}
	return &exitError{128 + int(status), errors.New(text)}
}

// abandoned makes a command end at once when its context does. The process is to end then: the
// command goes on until that, and may be cut off anywhere, as by a kill. done says what that means.
func abandoned(done string, run func(*cobra.Command, []string) error) func(*cobra.Command, []string) error {
	return func(c *cobra.Command, args []string) error {
		ended := make(chan error, 1)
		go func() { ended <- run(c, args) }()
		select {
		case err := <-ended:
			return err
		case <-c.Context().Done():
			return &unfinished{c.Context().Err(), done, "run the same command again"}
		}
	}
}

// interruptible reads and writes until ctx ends, also while the other side has it wait.
type interruptible struct {
	ctx context.Context
	in  io.Reader
	out io.Writer
}

// Read reads from in.
func (i *interruptible) Read(p []byte) (int, error) {
	own := make([]byte, len(p))
	n, err := i.wait(func() (int, error) { return i.in.Read(own) })
	return copy(p, own[:n]), err
}

// Write writes to out.
func (i *interruptible) Write(p []byte) (int, error) {
	own := bytes.Clone(p)
	return i.wait(func() (int, error) { return i.out.Write(own) })
}

// wait returns what f returns, or the error of ctx when that ends before. f then goes on by itself.
func (i *interruptible) wait(f func() (int, error)) (int, error) {
	type result struct {
		n   int
		err error
	}
	results := make(chan result, 1)
	go func() {
		n, err := f()
		results <- result{n, err}
	}()
	select {
	case r := <-results:
		return r.n, r.err
	case <-i.ctx.Done():
		return 0, i.ctx.Err()
	}
}
