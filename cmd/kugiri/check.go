package main

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/kugiri-db/kugiri/emulator"
	"github.com/kugiri-db/kugiri/storage"
	"github.com/kugiri-db/kugiri/storage/disk"
	"github.com/kugiri-db/kugiri/storage/journal"
)

func checkCommand() *cobra.Command {
	return dataDirCommand(&cobra.Command{
		Use:   "check --data-dir DIRECTORY",
		Short: "Verify the files of a data directory, and say what they hold",
		Long: `Verifies a data directory as a start does, and says what its files hold and what is damaged in them.
Nothing is changed. No server may be using the directory.

The exit status is 0 if the directory is sound, 1 if it is damaged, 2 for errors.`,
		Example: "  kugiri check --data-dir ./data",
	}, func(c *cobra.Command, dir string) error {
		var held contents
		report, err := disk.Check(dir, func(j journal.Journal) error {
			_, err := emulator.Open(held.of(j))
			return err
		})
		if err != nil {
			return err
		}
		if err := held.print(c.OutOrStdout(), report); err != nil {
			return err
		}
		if report.Problem != nil {
			return &exitError{exitFindings, fmt.Errorf("%w (\"kugiri repair\" keeps the rest)", report.Problem)}
		}
		_, err = fmt.Fprintf(c.OutOrStdout(), "%s is sound\n", dir)
		return err
	})
}

func repairCommand() *cobra.Command {
	return dataDirCommand(&cobra.Command{
		Use:   "repair --data-dir DIRECTORY",
		Short: "Set aside what is damaged in a data directory, and keep the rest",
		Long: `Keeps all that is readable of a damaged data directory, and says what is lost, as far as that can be known.
Nothing is deleted: the files as they were are set aside, in a directory damaged-1 (or -2, …) in the data directory.
No server may be using the directory. If it is sound, nothing is changed.

The exit status is 0 if the directory was sound, 1 if it was damaged and is repaired, 2 for errors.`,
		Example: "  kugiri check --data-dir ./data\n  kugiri repair --data-dir ./data",
	}, func(c *cobra.Command, dir string) error {
		var held contents
		var mended *storage.Mended
		report, err := disk.Repair(dir, func(j journal.Journal, b *journal.Batch) (err error) {
			held = contents{}
			mended, err = emulator.Mend(held.of(j), b)
			return err
		})
		if err != nil {
			return err
		}
		if err := held.print(c.OutOrStdout(), report); err != nil {
			return err
		}
		if report.Problem == nil {
			_, err = fmt.Fprintf(c.OutOrStdout(), "%s is sound; nothing was changed\n", dir)
			return err
		}
		for _, change := range mended.Changes {
			fmt.Fprintln(c.OutOrStdout(), "changed:", change)
		}
		fmt.Fprintf(c.OutOrStdout(), "The files as they were are in %s.\n", report.Aside)
		return &exitError{exitFindings, fmt.Errorf("%s was damaged and is repaired: %w", dir, report.Problem)}
	})
}

// dataDirCommand completes a command that works on a data directory.
func dataDirCommand(c *cobra.Command, run func(c *cobra.Command, dir string) error) *cobra.Command {
	var dir string
	c.Args = func(c *cobra.Command, args []string) error { return failure(noArguments(c, args)) }
	c.RunE = abandoned("the data is as good as before", func(c *cobra.Command, _ []string) error {
		if dir == "" {
			return failure(withHelp(c, errors.New("--data-dir is needed")))
		}
		return failure(notAllowed(run(c, dir)))
	})
	c.SetFlagErrorFunc(func(c *cobra.Command, err error) error { return failure(flagError(c, err)) })
	c.Flags().StringVar(&dir, "data-dir", "", "`directory` that the data is in (required)")
	return c
}

// contents are what a data directory holds, counted while it is loaded.
type contents struct {
	journal.Journal
	names   *storage.BucketNames
	entries map[string]int64 // by bucket
}

// of has what a journal loads be counted.
func (h *contents) of(j journal.Journal) journal.Journal {
	h.Journal, h.names, h.entries = j, storage.NewBucketNames(), map[string]int64{}
	return h
}

// Load implements journal.Journal.
func (h *contents) Load(each func(bucket, key, value []byte) error) error {
	return h.Journal.Load(func(bucket, key, value []byte) error {
		h.names.Entry(bucket, key, value)
		h.entries[string(bucket)]++
		return each(bucket, key, value)
	})
}

// name says what a bucket holds.
func (h *contents) name(bucket []byte) string {
	if h.names == nil {
		return storage.NewBucketNames().Of(bucket)
	}
	return h.names.Of(bucket)
}

// print says what is in the files and what is wrong with them.
func (h *contents) print(out io.Writer, report *disk.Report) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "FILE\tBYTES\tHOLDS")
	for _, f := range report.Files {
		fmt.Fprintf(w, "%s\t%d\t%s\n", f.Name, f.Bytes, f.Holds)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	for _, bucket := range slices.Sorted(maps.Keys(h.entries)) {
		fmt.Fprintf(out, "%s: %d\n", h.name([]byte(bucket)), h.entries[bucket])
	}
	for _, f := range report.Files {
		for _, d := range f.Damage {
			fmt.Fprintf(out, "damaged: %s: %s\n", f.Name, d)
		}
	}
	for _, l := range report.Lost {
		fmt.Fprintf(out, "lost: %s\n", h.lost(l))
	}
	return nil
}

// lost says what is lost.
func (h *contents) lost(l disk.Lost) string {
	text := l.What
	if text == "" {
		text = h.name(l.Bucket)
	}
	switch {
	case l.Entries == 1:
		text += ": 1 entry"
	case l.Entries > 0:
		text += fmt.Sprintf(": %d entries", l.Entries)
	case l.What == "":
		text += ": some entries"
	}
	var ranges []string
	for _, r := range l.Ranges {
		ranges = append(ranges, keyRange(r))
	}
	if len(ranges) > 0 {
		text += ", " + strings.Join(ranges, ", ")
	}
	return text
}

// keyRange says where in a bucket something is.
func keyRange(r disk.LostRange) string {
	switch {
	case string(r.From) == string(r.To) && r.To != nil:
		return fmt.Sprintf("of key %q", r.From)
	case r.To == nil:
		return fmt.Sprintf("from key %q on", r.From)
	}
	return fmt.Sprintf("from key %q to before %q", r.From, r.To)
}
