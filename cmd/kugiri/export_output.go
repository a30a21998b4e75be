package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/cli"
	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/transfer"
)

// output is where an export goes. A file or directory is complete, or not there.
type output struct {
	transfer.Writer
	left    string       // what an export that fails leaves
	next    string       // how to go on after it
	finish  func() error // puts what was written in its place
	discard func() error // removes what was written
}

// complete ends an export that succeeded.
func (o *output) complete() error {
	if err := o.Close(); err != nil {
		return errors.Join(err, o.discard())
	}
	return o.finish()
}

// again says how to go on after an export that left nothing behind.
const again = "run the same command again"

// incomplete says what an export has left in a pipe.
const incomplete = "what was written is not complete"

// streamOutput writes to the standard output.
func streamOutput(ctx context.Context, format transfer.Format, stdout io.Writer) (*output, error) {
	w, err := transfer.NewWriter(format, cli.InterruptibleWriter(ctx, stdout))
	nothing := func() error { return nil }
	return &output{Writer: w, left: incomplete, next: again, finish: nothing, discard: nothing}, err
}

// fileOutput writes to a file.
func fileOutput(ctx context.Context, format transfer.Format, name string) (*output, error) {
	file, err := newReplacement(name)
	if err != nil {
		return nil, err
	}
	w, err := transfer.NewWriter(format, cli.InterruptibleWriter(ctx, file))
	return &output{
		Writer: w, left: file.left(), next: again, finish: file.install, discard: file.discard,
	}, err
}

// replacement is a file that takes the place of another when it is complete.
type replacement struct {
	*os.File
	name string // "": the file is a pipe or a device, which nothing can replace
}

// newReplacement creates a file beside the one that it is to replace, or beside what a link leads
// to.
func newReplacement(name string) (*replacement, error) {
	mode := os.FileMode(0o666)
	switch info, err := os.Stat(name); {
	case err == nil && !info.Mode().IsRegular():
		file, err := os.OpenFile(name, os.O_WRONLY, 0)
		return &replacement{File: file}, err
	case err == nil:
		mode = info.Mode().Perm()
		if name, err = filepath.EvalSymlinks(name); err != nil {
			return nil, err
		}
	}
	beside := filepath.Join(filepath.Dir(name), "."+filepath.Base(name)+".unfinished-"+rand.Text())
	file, err := os.OpenFile(beside, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if failed, ok := errors.AsType[*os.PathError](err); ok {
		failed.Path = name // nobody asked for the other
	}
	return &replacement{file, name}, err
}

// left says what discard leaves.
func (r *replacement) left() string {
	if r.name == "" {
		return incomplete
	}
	return r.name + " is as it was before"
}

// install ends the file and puts it in its place.
func (r *replacement) install() error {
	err := r.Close()
	switch {
	case r.name == "":
		return err
	case err != nil:
		return errors.Join(err, os.Remove(r.Name()))
	}
	return os.Rename(r.Name(), r.name)
}

// discard ends the file and removes it.
func (r *replacement) discard() error {
	if r.name == "" {
		return r.Close()
	}
	return errors.Join(r.Close(), os.Remove(r.Name()))
}

// exportDirectory returns an output for an export in the format s3. It writes into a temporary
// directory in dir, and moves the files to their places at the end.
func exportDirectory(dir string, table *dynamodb.DescribeTableOutput, set *transfer.Settings,
) (*output, error) {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, err
	}
	own := filepath.Join(dir, ".unfinished-"+rand.Text())
	w, err := transfer.NewS3Writer(own, table, set, time.Now)
	discard := func() error { return os.RemoveAll(own) }
	if err != nil {
		return nil, errors.Join(err, discard())
	}
	return &output{Writer: w, left: dir + " is as it was before", next: again,
		discard: discard, finish: func() error {
			return errors.Join(moveInto(dir, own), discard())
		}}, nil
}

// moveInto moves the exports that are below own to the same places below dir.
func moveInto(dir, own string) error {
	exports, err := fs.Glob(os.DirFS(own), "*/*") // the name of dir is no pattern
	if err != nil {
		return err
	}
	if len(exports) == 0 {
		return fmt.Errorf("%s holds no export", own)
	}
	for _, export := range exports {
		export = filepath.FromSlash(export)
		place := filepath.Join(dir, export)
		if err := os.MkdirAll(filepath.Dir(place), 0o777); err != nil {
			return err
		}
		if err := os.Rename(filepath.Join(own, export), place); err != nil {
			return err
		}
	}
	return nil
}
