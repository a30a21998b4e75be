package disk

import (
	"errors"
	"math"
	"os"
	"sync"
	"sync/atomic"

	"github.com/kugiri-db/kugiri/storage/journal"
)

// logFile is an *os.File, as far as a log needs one.
type logFile interface {
	Write([]byte) (int, error)
	Sync() error
	Close() error
}

// log writes groups of batches: all that was appended while the group before was
// being written. Whoever waits for a batch first writes the group that it is in,
// and the others wait until that is done; so with one writer there is no
// change of goroutines, and with many few writes.
type log struct {
	dir     string
	strict  bool                   // a group is synced before it counts as durable
	most    int64                  // bytes after which another file is begun
	longest uint64                 // bytes of a group: what a frame's header can say
	wrap    func(*os.File) logFile // what stands for a file that was opened
	syncDir func(dir string) error // makes it durable which files a directory has
	ended   func(number uint64)    // called when a file has ended; may block

	mu       sync.Mutex
	written  sync.Cond
	group    []byte // batches, behind the space for a frame's header
	spare    []byte // of the group before
	appended uint64 // ticket of the last batch
	durable  uint64 // and of the last that is
	writing  bool
	err      error

	// Of the one who has set writing.
	number uint64
	first  uint64 // Seq of the file's first frame
	next   uint64 // of the next frame
	size   int64

	syncing sync.Mutex // held while file is replaced, or synced in the background
	file    logFile
	dirty   atomic.Bool // something was written that is not synced
}

// keptGroup is the most bytes of memory that are kept for further groups.
const keptGroup = 4 << 20

func (l *log) init() {
	l.written.L, l.longest = &l.mu, math.MaxUint32
	l.group, l.spare = make([]byte, frameHeader), make([]byte, frameHeader)
}

// append takes a batch into the group.
func (l *log) append(b []byte) (ticket uint64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.group = append(l.group, b...)
	l.appended++
	return l.appended
}

// tickets is how many were returned.
func (l *log) tickets() uint64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.appended
}

// wait returns when what has a ticket is durable, or can no longer become so.
func (l *log) wait(ticket uint64) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	for l.durable < ticket && l.err == nil {
		if l.writing {
			l.written.Wait()
		} else {
			l.lead()
		}
	}
	if l.durable >= ticket {
		return nil
	}
	return l.err
}

// lead writes the group. mu is held, but not meanwhile.
func (l *log) lead() {
	group, last := l.group, l.appended
	l.group, l.spare = l.spare[:frameHeader], nil
	l.writing = true
	l.mu.Unlock()
	err := l.write(group)
	var failed error
	if err == nil && l.size >= l.most {
		failed = l.rotate()
	}
	l.mu.Lock()
	l.writing = false
	if cap(group) > keptGroup {
		group = make([]byte, frameHeader)
	}
	l.spare = group
	if err == nil {
		l.durable, err = last, failed
	}
	if l.err == nil {
		l.err = err
	}
	l.written.Broadcast()
}

// errTooLong: it is not even tried to write such a group, of which nothing could be read again.
var errTooLong = errors.New("more was to be written at once than a log takes")

// write writes a group as a frame.
func (l *log) write(group []byte) error {
	if uint64(len(group)-frameHeader) > l.longest {
		return errTooLong
	}
	sealFrame(group, frameGroup, l.next)
	if err := l.put(group); err != nil {
		return err
	}
	l.next++
	return nil
}

func (l *log) put(b []byte) error {
	n, err := l.file.Write(b)
	l.size += int64(n)
	if err != nil {
		return err
	}
	if l.strict {
		return l.file.Sync()
	}
	l.dirty.Store(true)
	return nil
}

// rotate begins another file and ends the one before. In this order a file that
// goes on always has the other beside it, and nothing is written to that before
// the device has all of the one before: else a power cut could leave a gap.
func (l *log) rotate() error {
	number, first := l.number, l.next+1
	f, err := l.open(number+1, first)
	if err != nil {
		return err
	}
	end := make([]byte, frameHeader)
	sealFrame(end, frameEnd, l.next)
	if err := l.put(end); err != nil {
		f.Close()
		return err
	}
	if err := l.replace(f, number+1, first); err != nil {
		return err
	}
	l.ended(number)
	return nil
}

// open makes a file, which is durable before anything is in it.
func (l *log) open(number, first uint64) (logFile, error) {
	path := logPath(l.dir, number)
	created, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return nil, err
	}
	f := l.wrap(created)
	if err := l.begin(f, number, first); err != nil {
		f.Close()
		os.Remove(path)
		return nil, err
	}
	return f, nil
}

// begin writes and syncs the header of a new file.
func (l *log) begin(f logFile, number, first uint64) error {
	if _, err := f.Write(appendLogHeader(nil, number, first)); err != nil {
		return err
	}
	if err := f.Sync(); err != nil {
		return err
	}
	return l.syncDir(l.dir)
}

// replace has f, which is new, take the place of the file, which is synced and closed.
func (l *log) replace(f logFile, number, first uint64) error {
	l.syncing.Lock()
	defer l.syncing.Unlock()
	old := l.file
	l.file, l.number, l.first, l.next, l.size = f, number, first, first, int64(logHeader)
	if old == nil {
		return nil
	}
	var err error
	if l.dirty.Swap(false) {
		err = old.Sync()
	}
	return errors.Join(err, old.Close())
}

// sync writes what the operating system has to the device: for the relaxed level.
func (l *log) sync() {
	l.syncing.Lock()
	defer l.syncing.Unlock()
	if !l.dirty.Swap(false) {
		return
	}
	if err := l.file.Sync(); err != nil {
		l.fail(err)
	}
}

// close closes the file. There must be no other calls any more.
func (l *log) close() error { return errors.Join(l.file.Sync(), l.file.Close()) }

// fail has everything from now on fail.
func (l *log) fail(err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.err == nil {
		l.err = err
	}
	l.written.Broadcast()
}

// failure is the error for which nothing is written any more.
func (l *log) failure() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.err
}

// stop writes what is left and has everything from now on fail. It returns the
// error for which not everything was written.
func (l *log) stop() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	for l.writing || l.durable < l.appended && l.err == nil {
		if l.writing {
			l.written.Wait()
		} else {
			l.lead()
		}
	}
	err := l.err
	if err == nil {
		l.err = journal.ErrClosed
	}
	return err
}
