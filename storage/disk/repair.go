package disk

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/kugiri-db/kugiri/storage/journal"
)

// Repair makes a damaged directory usable again. It keeps everything that is readable, and saves
// the files as they were in a directory beside them. If the directory is sound Repair does nothing.
//
// Before Repair changes anything, mend gets a journal with what is kept. mend adds to the batch the
// changes that are necessary to load it. An error of mend ends the repair.
func Repair(dir string, mend func(journal.Journal, *journal.Batch) error) (*Report, error) {
	return repairWith(dir, mend, nil)
}

// repairWith is Repair with the faults of a test.
func repairWith(dir string, mend func(journal.Journal, *journal.Batch) error,
	fault changeFault) (*Report, error) {
	if err := present(dir); err != nil {
		return nil, err
	}
	r := &repair{dir: dir, tables: &tables{path: tablesPath(dir)}, boot: readBootID(), fault: fault}
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

// repair is the state of a Repair.
type repair struct {
	dir    string
	tables *tables // the damaged tables
	boot   bootID
	scan   *scan
	fresh  *tables // the tables that replace them
	fault  changeFault
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

// position returns the position of the new tables, which is behind all logs.
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

// buildTarget applies operations to a builder, until one fails.
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

// disagreement returns an error if the files are sound but their contents contradict each other.
func disagreement(j journal.Journal, mend func(journal.Journal, *journal.Batch) error) error {
	var b journal.Batch
	err := mend(j, &b)
	if err == nil && !b.Empty() {
		err = errors.New("the files are sound, but their contents contradict each other")
	}
	return err
}

// mend passes what is kept to the caller's mend, and applies its changes.
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

// install saves the old files and puts the new ones in their place. A repair may be interrupted at
// any point: nothing is lost, and the directory stays damaged until the new tables have their name.
// The marks come after the tables. Old logs with new marks, which say that nothing was
// acknowledged, would look as if nothing were missing.
func (r *repair) install() error {
	logs, err := listLogs(r.dir)
	if err != nil {
		return err
	}
	in, err := openEntries(r.dir, r.fault)
	if err != nil {
		return err
	}
	defer in.close()
	if err := r.setAside(in, logs); err != nil {
		return err
	}
	l := &log{dir: r.dir, wrap: func(f *os.File) logFile { return f }, entries: in}
	f, err := l.open(r.scan.last+1, r.scan.next)
	if err != nil {
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	if err := in.rename(r.fresh.path, r.tables.path); err != nil {
		return err
	}
	if err := in.sync(); err != nil {
		return err
	}
	if err := createMarks(r.dir, false, in); err != nil {
		return err
	}
	for _, number := range logs {
		if err := os.Remove(logPath(r.dir, number)); err != nil {
			return err
		}
	}
	return nil
}

// setAside links the files that are replaced into a new directory, durably.
func (r *repair) setAside(in *entries, logs []uint64) error {
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
		if err := in.linkOrCopy(path, filepath.Join(aside, filepath.Base(path))); err != nil {
			return err
		}
	}
	r.scan.report.Aside = aside
	set, err := openEntries(aside, r.fault)
	if err != nil {
		return err
	}
	return errors.Join(set.sync(), set.close())
}

// linkOrCopy links a file to another name, or copies it if the file system has no links.
func (e *entries) linkOrCopy(from, to string) error {
	if e.link(from, to) == nil {
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
