package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"
)

func main() {
	var m matrix
	flag.BoolVar(&m.write, "write", false, "write the table of emulator/docs/clients.md")
	flag.BoolVar(&m.diff, "diff", false, "fail if the table of emulator/docs/clients.md would change")
	flag.BoolVar(&m.all, "all", false, "fail if this machine lacks a toolchain")
	flag.Var(&m.sample, "sample", "of the sampled rows, run part `N/M` only")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := m.run(ctx, os.Stdout, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "clients:", err)
		stop()
		os.Exit(1)
	}
}

// matrix is a run of all rows.
type matrix struct {
	write, diff, all bool
	sample           sample

	mu                      sync.Mutex // guards the fields below
	lines                   map[string]string
	passed, failed, skipped int
}

func (m *matrix) run(ctx context.Context, out io.Writer, names []string) error {
	rows, err := readRows()
	if err != nil {
		return err
	}
	picked, err := m.pick(rows, names)
	if err != nil {
		return err
	}
	before, old, after, err := splitPage()
	if err != nil {
		return err
	}
	if err := m.runRows(ctx, out, picked); err != nil {
		return err
	}
	fmt.Fprintf(out, "%d passed, %d failed, %d skipped, %d not run\n", m.passed, m.failed, m.skipped,
		len(rows)-len(picked))
	if m.failed > 0 || m.all && m.skipped > 0 {
		return errors.New("not all rows passed")
	}
	table := m.table(rows, old)
	absent := missing(rows, table)
	switch {
	case m.write:
		return os.WriteFile(page, []byte(before+table+after), 0o644)
	case m.diff && absent != nil:
		return fmt.Errorf("emulator/docs/clients.md has no line for %s: run it with -write",
			strings.Join(absent, ", "))
	case m.diff && table != old:
		return fmt.Errorf("the table of emulator/docs/clients.md is another: run with -write\n%s", table)
	}
	return nil
}

// pick returns the rows to run: those of the names, or of the sample.
func (m *matrix) pick(rows []*row, names []string) ([]*row, error) {
	if len(names) > 0 && m.sample.parts > 0 {
		return nil, errors.New("-sample chooses rows, and so do names: leave out one of them")
	}
	return chosen(m.sample.of(rows), names)
}

// chosen returns the rows whose names contain one of the names, or all rows if there are no names.
// It returns an error if a name chooses no row.
func chosen(rows []*row, names []string) (found []*row, err error) {
	if len(names) == 0 {
		return rows, nil
	}
	for _, name := range names {
		if !slices.ContainsFunc(rows, func(r *row) bool { return r.isCalled(name) }) {
			return nil, fmt.Errorf("there is no row with %q in its name", name)
		}
	}
	for _, r := range rows {
		if slices.ContainsFunc(names, r.isCalled) {
			found = append(found, r)
		}
	}
	return found, nil
}

// isCalled reports whether the name of the row contains another one, in any case.
func (r *row) isCalled(name string) bool {
	return strings.Contains(strings.ToLower(r.Name), strings.ToLower(name))
}

// runRows runs as many rows at a time as the machine has processors.
func (m *matrix) runRows(ctx context.Context, out io.Writer, rows []*row) error {
	dir, err := os.MkdirTemp("", "kugiri-clients-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	program := filepath.Join(dir, "kugiri")
	if text, err := exec.CommandContext(ctx, "go", "build", "-o", program,
		"./cmd/kugiri").CombinedOutput(); err != nil {
		return fmt.Errorf("go build: %w\n%s", err, text)
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		return err
	}
	runs := runner{server: program, cache: filepath.Join(cache, "kugiri-clients")}
	m.lines = map[string]string{}
	var group errgroup.Group
	group.SetLimit(runtime.GOMAXPROCS(0))
	for _, r := range rows {
		group.Go(func() error {
			m.runRow(ctx, out, runs, r)
			return nil
		})
	}
	return group.Wait()
}

// runRow runs a row and prints what came of it.
func (m *matrix) runRow(ctx context.Context, out io.Writer, runs runner, r *row) {
	tool := r.project.Missing()
	var found result
	var err error
	start := time.Now()
	if tool == "" {
		found, err = runs.run(ctx, r)
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	switch {
	case tool != "":
		m.skipped++
		fmt.Fprintf(out, "skip  %s: there is no %s\n", r.Name, tool)
	case err != nil:
		m.failed++
		fmt.Fprintf(out, "FAIL  %s: %s\n%v\n", r.Name, strings.Join(found.faults, "; "), err)
	default:
		m.passed++
		m.lines[r.Name] = lineOf(r, found)
		fmt.Fprintf(out, "ok    %s %s: %d steps in %.1f s\n", r.Name, found.version, len(found.ok),
			time.Since(start).Seconds())
	}
}

// table is the table with what the rows printed. The lines of rows that did not run are the old
// ones.
func (m *matrix) table(rows []*row, old string) string {
	text := head
	for _, r := range rows {
		if line, ran := m.lines[r.Name]; ran {
			text += line
		} else {
			text += oldLine(old, r)
		}
	}
	return text
}
