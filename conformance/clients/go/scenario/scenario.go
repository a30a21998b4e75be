// Package scenario runs the steps of a client and prints what the client matrix reads: see
// conformance/cmd/clients.
package scenario

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"strings"
	"time"
)

// A Step is a part of the scenario. It runs Run, or it says why the client cannot express it.
type Step struct {
	Name    string
	Run     func(t *T)
	LeftOut string
}

// T stands for a testing.T in a step: require and assert take it.
type T struct {
	context.Context
	failures []string
}

// Errorf notes a failure.
func (t *T) Errorf(format string, args ...any) {
	t.failures = append(t.failures, strings.Join(strings.Fields(fmt.Sprintf(format, args...)), " "))
}

// FailNow ends the step.
func (t *T) FailNow() { runtime.Goexit() }

// Main runs the steps for the client that is the module at path, within a minute.
func Main(path string, steps []Step) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	fmt.Println("version", version(path))
	for _, s := range steps {
		fmt.Println(s.run(ctx))
	}
}

// run returns the line of a step.
func (s Step) run(ctx context.Context) string {
	if s.LeftOut != "" {
		return fmt.Sprintf("left out %s: %s", s.Name, s.LeftOut)
	}
	t := &T{Context: ctx}
	done := make(chan struct{})
	go func() { // of its own, which FailNow ends
		defer close(done)
		s.Run(t)
	}()
	<-done
	if len(t.failures) > 0 {
		return fmt.Sprintf("failed %s: %s", s.Name, strings.Join(t.failures, "; "))
	}
	return "ok " + s.Name
}

// version returns that of a module in this program, without its v.
func version(path string) string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return ""
	}
	for _, module := range info.Deps {
		if module.Path == path {
			return strings.TrimPrefix(module.Version, "v")
		}
	}
	return ""
}

// Server returns the URL of the server, for its admin API.
func Server() string { return os.Getenv("MATRIX_SERVER") }
