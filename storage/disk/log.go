package disk

import (
	"cmp"
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
	Truncate(size int64) error
	Sync() error
	Close() error
}

// log writes groups of batches: all that was appended while the group before was
// being written. Whoever waits for a batch first writes the group that it is in,
// and the others wait until that is done; so with one writer there is no
// change of goroutines, and with many few writes.
//
// A group that cannot be written is kept, and with it trouble, which is what
// everybody is told until mend has put the file right and the group is written. A
// log that cannot be rotated is no trouble: the file goes on for a while.
type log struct {
	dir     string
	strict  bool                   // a group is synced before it counts as durable
	most    int64                  // bytes after which another file is begun
	longest uint64                 // bytes of a group: what a frame's header can say
	wrap    func(*os.File) logFile // what stands for a file that was opened
	syncDir func() error           // makes it durable which files the directory has
	ended   func(number uint64)    // called when a file has ended; may block
	marks   *marks                 // how far writes were acknowledged

	stalled condition // nothing can be written at present
	broken  condition // nor ever again
	growing condition // the file cannot be rotated

	mu       sync.Mutex
	written  sync.Cond
	group    []byte // batches, behind the space for a frame's header
	spare    []byte // of the group before
	appended uint64 // ticket of the last batch
	durable  uint64 // and of the last that is
	writing  bool
	trouble  error // for which nothing is written at present
	err      error // for which nothing is ever written again

	// Of the one who has set writing.
	number uint64
	first  uint64 // Seq of the file's first frame
	next   uint64 // of the next frame
	size   int64  // of the file's sound frames
	full   int64  // size at which the file is to be rotated
	torn   bool   // something that does not count may follow the sound frames
	begun  string // a next file that is not to be: "" if there is none

	syncing sync.Mutex // held while file is replaced, or synced in the background
	file    logFile
	dirty   atomic.Bool   // something was written that is not synced
	suspect atomic.Bool   // a sync failed: what the device has of the file is unknown
	reached atomic.Uint64 // next, after the last group that was written
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

// wait returns when what has a ticket is durable, or with the error for which it is not.
func (l *log) wait(ticket uint64) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	for l.durable < ticket && l.failing() == nil {
		if l.writing {
			l.written.Wait()
		} else {
			l.lead()
		}
	}
	if l.durable >= ticket {
		return nil
	}
	return l.failing()
}

// failing is the error for which nothing is written, now or ever. mu is held.
func (l *log) failing() error {
	if l.err != nil {
		return l.err
	}
	return l.trouble
}

// lead writes the group, and rotates the file if it is full. mu is held, but not meanwhile.
func (l *log) lead() {
	group, last := l.group, l.appended
	l.group, l.spare = l.spare[:frameHeader], nil
	l.writing = true
	l.mu.Unlock()
	err := l.repair()
	if err == nil && len(group) > frameHeader {
		err = l.write(group)
	}
	written := err == nil
	if written && l.size >= l.full && l.tryRotate() != nil {
		err = l.repair()
	}
	l.mu.Lock()
	l.writing = false
	if written {
		l.durable = last
		l.recycle(group)
	} else { // again, and before what was appended meanwhile
		l.group, l.spare = append(group, l.group[frameHeader:]...), l.group
	}
	l.settle(err)
	l.written.Broadcast()
}

// recycle keeps the memory of a group that was written. mu is held.
func (l *log) recycle(group []byte) {
	if cap(group) > keptGroup {
		group = make([]byte, frameHeader)
	}
	l.spare = group
}

// settle notes with what error, if any, the log was written to. mu is held.
func (l *log) settle(err error) {
	var damage *DamagedError
	switch {
	case errors.Is(err, errTooLong) || errors.As(err, &damage):
		l.giveUp(err)
	case err != nil || !l.suspect.Load(): // else the trouble is that of a sync meanwhile
		l.trouble = err
	}
	l.stalled.set(l.trouble)
}

// giveUp has nothing be written any more. mu is held.
func (l *log) giveUp(err error) {
	l.err = cmp.Or(l.err, err)
	l.broken.set(l.err)
}

// retry writes what could not be written.
func (l *log) retry() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.trouble != nil && l.err == nil && !l.writing {
		l.lead()
	}
}

// errTooLong: it is not even tried to write such a group, of which nothing could be read again.
var errTooLong = errors.New("more was to be written at once than a log takes")

// errUnsynced is the error of a file that a sync has failed for before.
var errUnsynced = errors.New("an earlier sync of the log has failed")

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
	l.acknowledge()
	return nil
}

// acknowledge marks the last group as one that will be answered for. A mark that
// cannot be written is too low, which loses nothing, so it fails nobody.
func (l *log) acknowledge() {
	if l.strict {
		l.marks.set(onDevice, l.next)
		return
	}
	l.reached.Store(l.next)
	l.marks.set(answered, l.next)
}

// put appends to the file. What it could not append does not count.
func (l *log) put(b []byte) error {
	if _, err := l.file.Write(b); err != nil {
		l.torn = true
		return err
	}
	if l.strict {
		if err := l.file.Sync(); err != nil {
			l.torn = true
			l.suspect.Store(true)
			return err
		}
	} else {
		l.dirty.Store(true)
	}
	l.size += int64(len(b))
	return nil
}

// tryRotate rotates the file or, if that is not possible now, has it go on for a while.
func (l *log) tryRotate() error {
	err := l.rotate()
	if err != nil {
		l.full = l.size + l.most/8
	}
	l.growing.set(err)
	return err
}

// rotate begins another file and ends the one before. In this order a file that
// goes on always has the other beside it, and nothing is written to that before
// the device has all of the one before: else a power cut could leave a gap. On an
// error the file may go on as soon as it is mended.
func (l *log) rotate() error {
	number, first := l.number, l.next+1
	f, err := l.open(number+1, first)
	if err != nil {
		return err
	}
	if err := l.end(); err != nil {
		f.Close()
		l.begun = logPath(l.dir, number+1)
		return err
	}
	l.replace(f, number+1, first)
	l.ended(number)
	return nil
}

// end ends the file, of which the device then has all.
func (l *log) end() error {
	end, size := make([]byte, frameHeader), l.size
	sealFrame(end, frameEnd, l.next)
	if err := l.put(end); err != nil {
		return err
	}
	if err := l.syncFile(); err != nil {
		l.size, l.torn = size, true
		return err
	}
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
		l.begun = path
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
	return l.syncDir()
}

// replace has f, which is new, take the place of the file, which is closed. An
// error of that tells nothing: the device has all of it.
func (l *log) replace(f logFile, number, first uint64) {
	l.syncing.Lock()
	defer l.syncing.Unlock()
	if l.file != nil {
		l.file.Close()
	}
	l.file, l.number, l.first, l.next, l.size, l.full = f, number, first, first, int64(logHeader), l.most
}

// sync has the device take what the operating system has: for the relaxed level.
func (l *log) sync() {
	if err := l.syncFile(); err != nil {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.trouble = cmp.Or(l.trouble, err)
		l.stalled.set(l.trouble)
	}
}

// syncFile syncs the file if something was written since the last time.
func (l *log) syncFile() error {
	l.syncing.Lock()
	defer l.syncing.Unlock()
	unsynced, reached := l.dirty.Swap(false), l.reached.Load()
	if unsynced {
		if err := l.file.Sync(); err != nil {
			l.suspect.Store(true)
			return err
		}
	}
	if l.suspect.Load() {
		return errUnsynced
	}
	if unsynced {
		l.marks.set(onDevice, reached)
	}
	return nil
}

// close closes the file. There must be no other calls any more.
func (l *log) close() error { return errors.Join(l.file.Sync(), l.file.Close()) }

// fail has everything from now on fail.
func (l *log) fail(err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.giveUp(err)
	l.written.Broadcast()
}

// failure is failing for those who do not hold mu.
func (l *log) failure() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.failing()
}

// stop writes what is left, for the last time if there is trouble, and has
// everything from now on fail. It returns the error for which not everything was written.
func (l *log) stop() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	for last := false; l.writing || l.err == nil && !last && (l.durable < l.appended || l.trouble != nil); {
		if l.writing {
			l.written.Wait()
		} else {
			last = l.trouble != nil
			l.lead()
		}
	}
	err := l.failing()
	l.err = cmp.Or(err, journal.ErrClosed)
	return err
}
