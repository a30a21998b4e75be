package main

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/cli"
	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/datadir"
	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/terminal"
	"github.com/kugiri-db/kugiri/emulator"
	"github.com/kugiri-db/kugiri/storage"
	"github.com/kugiri-db/kugiri/storage/disk"
	"github.com/kugiri-db/kugiri/storage/journal"
)

func checkCommand() *cobra.Command {
	return datadir.Command(&cobra.Command{
		Use:   "check --data-dir DIRECTORY",
		Short: "Verify the files of a data directory, and say what they hold",
		Long: `Verifies a data directory as a start does, and says what its files hold and what is damaged in them.
Nothing is changed. No server may be using the directory.

The exit status is 0 if the directory is sound, 1 if it is damaged, 2 for errors.`,
		Example: "  kugiri check --data-dir ./data",
	}, func(c *cobra.Command, dir string, format *cli.ResultFormat) error {
		var held contents
		report, err := disk.Check(dir, func(j journal.Journal) error {
			_, err := emulator.Open(held.of(j))
			return err
		})
		if err != nil {
			return err
		}
		result := held.result(dir, report)
		if err := format.Print(c, result, result.text); err != nil {
			return err
		}
		if report.Problem != nil {
			return cli.Findings(fmt.Errorf("%w (\"kugiri repair\" keeps the rest)", report.Problem))
		}
		return nil
	})
}

func repairCommand() *cobra.Command {
	return datadir.Command(&cobra.Command{
		Use:   "repair --data-dir DIRECTORY",
		Short: "Set aside what is damaged in a data directory, and keep the rest",
		Long: `Keeps all that is readable of a damaged data directory, and says what is lost, as far as that can be known.
Nothing is deleted: the files as they were are set aside, in a directory damaged-1 (or -2, …) in the data directory.
No server may be using the directory. If it is sound, nothing is changed.

The exit status is 0 if the directory was sound, 1 if it was damaged and is repaired, 2 for errors.`,
		Example: "  kugiri check --data-dir ./data\n  kugiri repair --data-dir ./data",
	}, func(c *cobra.Command, dir string, format *cli.ResultFormat) error {
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
		result := held.result(dir, report)
		result.Unchanged = report.Problem == nil
		if report.Problem != nil {
			result.Changes = mended.Changes
		}
		if err := format.Print(c, result, result.text); err != nil || result.Unchanged {
			return err
		}
		return cli.Findings(fmt.Errorf("%s was damaged and is repaired: %w", dir, report.Problem))
	})
}

// contents counts what a data directory holds while it is loaded.
type contents struct {
	journal.Journal
	names   *storage.BucketNames
	entries map[string]int64 // entries by bucket
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

// directoryResult is the result of check and repair for a data directory.
type directoryResult struct {
	Directory string           `json:"directory"`
	Problem   string           `json:"problem,omitempty"` // why a start is refused
	Files     []fileResult     `json:"files"`
	Entries   map[string]int64 `json:"entries"` // counts of entries by what they hold
	Lost      []string         `json:"lost,omitempty"`
	// the changes of a repair, so that what is left is right
	Changes []string `json:"changes,omitempty"`
	// where a repair put the files as they were
	Aside     string `json:"aside,omitempty"`
	Unchanged bool   `json:"unchanged,omitempty"` // a repair had nothing to do
}

type fileResult struct {
	Name   string   `json:"name"`
	Bytes  int64    `json:"bytes"`
	Holds  string   `json:"holds"`
	Damage []string `json:"damage,omitempty"`
}

// result says what is in the files and what is wrong with them.
func (h *contents) result(dir string, report *disk.Report) *directoryResult {
	r := &directoryResult{
		Directory: dir, Files: []fileResult{}, Entries: map[string]int64{}, Aside: report.Aside,
	}
	if report.Problem != nil {
		r.Problem = report.Problem.Error()
	}
	for _, f := range report.Files {
		r.Files = append(r.Files, fileResult{f.Name, f.Bytes, f.Holds, f.Damage})
	}
	for bucket, n := range h.entries {
		r.Entries[h.name([]byte(bucket))] += n
	}
	for _, l := range report.Lost {
		r.Lost = append(r.Lost, h.lost(l))
	}
	return r
}

func (r *directoryResult) text(out io.Writer) error {
	style := terminal.StyleOf(out)
	files := terminal.Table{Header: []string{"FILE", "BYTES", "HOLDS"}}
	for _, f := range r.Files {
		files.Add(f.Name, strconv.FormatInt(f.Bytes, 10), f.Holds)
	}
	var b strings.Builder
	b.WriteString(files.Text(style))
	for _, what := range slices.Sorted(maps.Keys(r.Entries)) {
		fmt.Fprintf(&b, "%s: %d\n", what, r.Entries[what])
	}
	for _, f := range r.Files {
		for _, d := range f.Damage {
			fmt.Fprintf(&b, "%s: %s: %s\n", style.Red("damaged"), f.Name, d)
		}
	}
	for _, l := range r.Lost {
		fmt.Fprintf(&b, "%s: %s\n", style.Red("lost"), l)
	}
	for _, change := range r.Changes {
		fmt.Fprintf(&b, "changed: %s\n", change)
	}
	switch {
	case r.Aside != "":
		fmt.Fprintf(&b, "The files as they were are in %s.\n", r.Aside)
	case r.Unchanged:
		fmt.Fprintf(&b, "%s is %s; nothing was changed\n", r.Directory, style.Green("sound"))
	case r.Problem == "":
		fmt.Fprintf(&b, "%s is %s\n", r.Directory, style.Green("sound"))
	}
	_, err := io.WriteString(out, b.String())
	return err
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
