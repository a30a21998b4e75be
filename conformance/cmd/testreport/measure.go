package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"syscall"
	"time"
)

const (
	timesVariable = "TESTREPORT_TIMES" // the file that measure appends to
	flagsVariable = "TESTREPORT_GOFLAGS"
)

// packageTime says how long the test program of a package took.
type packageTime struct {
	Dir       string        // the directory of the package
	CPU, Wall time.Duration // CPU includes the processes that the program waited for
}

// measure runs a test program as "go test" would, and returns its status. It appends a line of JSON
// with a packageTime to a file.
func measure(file string, command []string) int {
	c := exec.Command(command[0], command[1:]...)
	c.Stdin, c.Stdout, c.Stderr = os.Stdin, os.Stdout, os.Stderr
	c.Env = restored(os.Environ())
	began := time.Now()
	if err := c.Start(); err != nil {
		fmt.Fprintln(os.Stderr, "testreport:", err)
		return 1
	}
	// "go test" ends a program that hangs with SIGQUIT, so that it prints its goroutines.
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGQUIT, syscall.SIGTERM)
	go func() {
		for s := range signals {
			c.Process.Signal(s)
		}
	}()
	err := c.Wait()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		fmt.Fprintln(os.Stderr, "testreport:", err)
		return 1
	}
	if err := appendTime(file, c.ProcessState, time.Since(began)); err != nil {
		fmt.Fprintln(os.Stderr, "testreport:", err)
		return 1
	}
	return status(c.ProcessState)
}

// status returns the exit status of a program: 1 for one that a signal ended.
func status(state *os.ProcessState) int {
	if code := state.ExitCode(); code >= 0 {
		return code
	}
	return 1
}

func appendTime(file string, state *os.ProcessState, wall time.Duration) error {
	dir, err := os.Getwd()
	if err != nil {
		return err
	}
	line, err := json.Marshal(packageTime{dir, state.UserTime() + state.SystemTime(), wall})
	if err != nil {
		return err
	}
	f, err := os.OpenFile(file, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(append(line, '\n'))
	return errors.Join(err, f.Close())
}

// restored returns the environment that the test program would have without this program, so that
// the go commands that a test runs do not get its flags.
func restored(environment []string) (out []string) {
	for _, v := range environment {
		name, value, _ := strings.Cut(v, "=")
		switch {
		case name == timesVariable || name == "GOFLAGS":
		case name == flagsVariable && value != "":
			out = append(out, "GOFLAGS="+value)
		case name != flagsVariable:
			out = append(out, v)
		}
	}
	return out
}

// readTimes returns what measure has written: nothing where no test program has run.
func readTimes(file string) (times []packageTime, err error) {
	text, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	for line := range strings.Lines(string(text)) {
		var t packageTime
		if err := json.Unmarshal([]byte(line), &t); err != nil {
			return nil, err
		}
		times = append(times, t)
	}
	return times, nil
}
