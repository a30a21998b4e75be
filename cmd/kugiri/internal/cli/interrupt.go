package cli

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/spf13/cobra"
)

// Signaled is the cause of the end of a context that a signal ended.
type Signaled struct{ syscall.Signal }

// Error names the signal.
func (s Signaled) Error() string { return s.String() }

// UntilSignal returns a context that an interrupt or SIGTERM ends. A second signal kills the
// process.
func UntilSignal() (ctx context.Context, stop func()) {
	ctx, cancel := context.WithCancelCause(context.Background())
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	go func() {
		select {
		case received := <-signals:
			signal.Stop(signals)
			cancel(Signaled{received.(syscall.Signal)})
		case <-ctx.Done():
		}
	}()
	return ctx, func() { signal.Stop(signals); cancel(nil) }
}

// unfinishedError is the error of a command that did a part of its work.
type unfinishedError struct {
	err  error
	done string // what the command did
	next string // how to go on after an interrupt, if done does not say it
}

// Unfinished returns the error of a command that did a part of its work: done says which one, and
// next how to go on after an interrupt, if done does not say it.
func Unfinished(err error, done, next string) error { return &unfinishedError{err, done, next} }

func (u *unfinishedError) Error() string { return u.err.Error() + " (" + u.done + ")" }

func (u *unfinishedError) Unwrap() error { return u.err }

// lossError is the error of a command that has lost something.
type lossError struct{ error }

func (l *lossError) Unwrap() error { return l.error }

// Loss marks an error that says what a command has lost: a request that was not recorded, data that
// were not written. AfterInterrupt keeps it. Loss of nil is nil.
func Loss(err error) error {
	if err == nil {
		return nil
	}
	return &lossError{err}
}

// AfterInterrupt returns the error of a command that ran until ctx ended, in place of what its
// requests said of their context. A command that ended by itself keeps its error, and so does one
// that has lost something.
func AfterInterrupt(ctx context.Context, err error) error {
	if _, lost := errors.AsType[*lossError](err); lost {
		return err
	}
	own, finished := errors.AsType[*exitError](err)
	if err == nil || ctx.Err() == nil || finished && own.status == exitFindings {
		return err
	}
	text := "interrupted"
	if u, ok := errors.AsType[*unfinishedError](err); ok {
		text += ": " + u.done
		if u.next != "" {
			text += "; " + u.next
		}
	}
	status := syscall.SIGINT
	if cause, ok := errors.AsType[Signaled](context.Cause(ctx)); ok {
		status = cause.Signal
	}
	return &exitError{128 + int(status), errors.New(text)}
}

// Abandoned makes a command end at once when its context does. The process is to end then: the
// command goes on until that, and may be cut off anywhere, as by a kill. done says what that means.
func Abandoned(done string, run func(*cobra.Command, []string) error) func(*cobra.Command,
	[]string) error {
	return func(c *cobra.Command, args []string) error {
		ended := make(chan error, 1)
		go func() { ended <- run(c, args) }()
		select {
		case err := <-ended:
			return err
		case <-c.Context().Done():
			return Unfinished(c.Context().Err(), done, "run the same command again")
		}
	}
}

// interruptible reads and writes until ctx ends, also while the other side has it wait.
type interruptible struct {
	ctx context.Context
	in  io.Reader
	out io.Writer
}

// InterruptibleReader returns a reader of in that fails when ctx ends, also while in has it wait.
func InterruptibleReader(ctx context.Context, in io.Reader) io.Reader {
	return &interruptible{ctx: ctx, in: in}
}

// InterruptibleWriter returns a writer to out that fails when ctx ends, also while out has it wait.
func InterruptibleWriter(ctx context.Context, out io.Writer) io.Writer {
	return &interruptible{ctx: ctx, out: out}
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

// Pause returns after d, or when ctx ends.
func Pause(ctx context.Context, d time.Duration) {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
	case <-ctx.Done():
	}
}
