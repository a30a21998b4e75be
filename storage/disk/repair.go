package disk

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/kugiri-db/kugiri/storage/journal"
)

// Repair makes a directory that is damaged one that can be started with. It keeps all
// that is readable, and sets the files as they were aside, in a directory beside them. If
// the directory is sound nothing is done.
//
// mend gets a journal to load from what is kept, before anything is changed. It
// adds to the batch what has to change so that all of it goes together; its error ends the repair.
func Repair(dir string, mend func(journal.Journal, *journal.Batch) error) (*Report, error) {
	if err := present(dir); err != nil {
		return nil, err
	}
	r := &repair{dir: dir, tables: &tables{path: tablesPath(dir)}, boot: readBootID()}
	held := &locks{dir: dir}
	defer func() { held.release() }()
	if err := held.take(); err != nil {
		return nil, err
	}
	found, problem := verify(dir, r.boot)
	if problem == nil {
		problem = disagreement(&readOnly{found.load}, mend)
	}
	if err := r.run(problem, mend); err != nil {
		return nil, err
	}
	return r.scan.report, nil
}

// repair is a Repair on its way.
type repair struct {
	dir    string
	tables *tables // as they were
	boot   bootID
	scan   *scan
	fresh  *tables // what takes their place
}

func (r *repair) run(problem error, mend func(journal.Journal, *journal.Batch) error) error {
	if problem == nil {
		var err error
		if r.scan, err = scanDir(r.dir, nowhere{}); err == nil {
			r.scan.report.excuse()
		}
		return err
	}
	if err := r.build(); err != nil {
		return err
	}
	defer os.Remove(r.fresh.path)
	r.scan.report.Problem = problem
	if err := r.mend(mend); err != nil {
		return err
	}
	if err := r.install(); err != nil {
		return err
	}
	_, err := verify(r.dir, r.boot)
	return err
}

// position is how far the new tables have come. All logs are before it.
func (r *repair) position() position { return position{r.scan.last, r.scan.next} }

// build writes what is readable to new tables.
func (r *repair) build() error {
	b, err := r.tables.builder()
	if err != nil {
		return err
	}
	target := &buildTarget{builder: b}
	r.scan, err = scanDir(r.dir, target)
	if err == nil {
		err = target.err
	}
	if err == nil {
		err = b.complete(r.position())
	}
	if err != nil {
		b.abort()
		return err
	}
	r.fresh = &tables{path: b.path}
	return nil
}

// buildTarget does operations to the tables of a builder, until one fails.
type buildTarget struct {
	builder *builder
	err     error
}

func (t *buildTarget) Put(bucket, key, value []byte) {
	if t.err == nil {
		t.err = t.builder.put(bucketPrefix+string(bucket), key, value)
	}
}

func (t *buildTarget) Delete(bucket, key []byte) {
	if t.err == nil {
		t.err = t.builder.delete(bucketPrefix+string(bucket), key)
	}
}

func (t *buildTarget) Drop(bucket []byte) {
	if t.err == nil {
		t.err = t.builder.drop(bucketPrefix + string(bucket))
	}
}

// disagreement is the error of files that are sound, and whose contents do not go together.
func disagreement(j journal.Journal, mend func(journal.Journal, *journal.Batch) error) error {
	var b journal.Batch
	err := mend(j, &b)
	if err == nil && !b.Empty() {
		err = errors.New("the files are sound, and what they hold does not go together")
	}
	return err
}

// mend has what is kept loaded once, and changes what does not go with the rest.
func (r *repair) mend(mend func(journal.Journal, *journal.Batch) error) error {
	if err := r.fresh.open(r.position()); err != nil {
		return err
	}
	defer r.fresh.close()
	var b journal.Batch
	load := func(each entryFunc) error { return r.fresh.load(each, nil) }
	err := mend(&readOnly{load}, &b)
	if err == nil && !b.Empty() {
		err = r.fresh.apply(r.scan.last, &segment{groups: [][]byte{b.Bytes()}, next: r.scan.next})
	}
	return err
}

// install puts what was built in the place of the files, which it sets aside first. A
// repair may end anywhere here: nothing is lost then, and the directory is as damaged as
// before until the new tables have their name. So the marks come after them: old logs
// with new marks, which promise nothing, would look as if nothing were missing.
func (r *repair) install() error {
	logs, err := listLogs(r.dir)
	if err != nil {
		return err
	}
	if err := r.setAside(logs); err != nil {
		return err
	}
	entries, err := os.Open(r.dir)
	if err != nil {
		return err
	}
	defer entries.Close()
	l := &log{dir: r.dir, wrap: func(f *os.File) logFile { return f }, syncDir: entries.Sync}
	f, err := l.open(r.scan.last+1, r.scan.next)
	if err != nil {
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	if err := os.Rename(r.fresh.path, r.tables.path); err != nil {
		return err
	}
	if err := entries.Sync(); err != nil {
		return err
	}
	if err := createMarks(r.dir, false, entries.Sync); err != nil {
		return err
	}
	for _, number := range logs {
		if err := os.Remove(logPath(r.dir, number)); err != nil {
			return err
		}
	}
	return nil
}

// setAside links the files that are replaced into a directory of their own.
func (r *repair) setAside(logs []uint64) error {
	var aside string
	for n := 1; ; n++ {
		aside = filepath.Join(r.dir, fmt.Sprintf("damaged-%d", n))
		err := os.Mkdir(aside, 0o700)
		if err == nil {
			break
		}
		if !errors.Is(err, os.ErrExist) {
			return err
		}
	}
	paths := []string{r.tables.path, marksPath(r.dir)}
	for _, number := range logs {
		paths = append(paths, logPath(r.dir, number))
	}
	for _, path := range paths {
		if _, err := os.Stat(path); errors.Is(err, os.ErrNotExist) {
			continue
		}
		if err := linkOrCopy(path, filepath.Join(aside, filepath.Base(path))); err != nil {
			return err
		}
	}
	r.scan.report.Aside = aside
	return nil
}

// linkOrCopy gives a file another name, or copies it where that cannot be.
func linkOrCopy(from, to string) error {
	if os.Link(from, to) == nil {
		return nil
	}
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return errors.Join(err, out.Sync(), out.Close())
}
