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

// logFile is the part of *os.File that a log uses.
type logFile interface {
	Write([]byte) (int, error)
	Truncate(size int64) error
	Sync() error
	Close() error
}

// log writes batches in groups. While one group is being written, further batches collect in the
// next one. The first goroutine that waits for a batch of the next group writes that group, and the
// others wait for it. With one writer no goroutine has to hand over to another, and with many
// writers there are few writes.
//
// A group that cannot be written is kept. Everybody is told the error in trouble until the log is
// repaired and the group written. An error of rotation is not a trouble: the file then grows beyond
// its size.
type log struct {
	dir     string
	strict  bool                   // a group is synced before it counts as durable
	most    int64                  // the size at which a file is rotated
	longest uint64                 // the most bytes of a group that a frame's header can express
	wrap    func(*os.File) logFile // tests put faults here
	entries *entries               // the directory's entries
	ended   func(number uint64)    // called when a file has ended; may block
	marks   *marks                 // how far writes were acknowledged

	stalled condition // nothing can be written at present
	broken  condition // nothing can be written ever again
	growing condition // the file cannot be rotated

	mu       sync.Mutex
	written  sync.Cond
	group    []byte // the batches to write next, behind space for a frame's header
	spare    []byte // memory for the next group
	appended uint64 // the ticket of the last batch
	durable  uint64 // the ticket of the last durable batch
	writing  bool
	trouble  error // the error that stops writing at present
	err      error // the error that stops writing for good

	// Owned by the goroutine that has set writing.
	number uint64
	first  uint64 // Seq of the file's first frame
	next   uint64 // Seq of the next frame
	size   int64  // the end of the file's sound frames
	full   int64  // size at which to rotate the file
	torn   bool   // a part of a failed write may follow the sound frames
	begun  string // path of a next file to remove, whose creation failed; or ""

	syncing sync.Mutex // held while file is replaced, or synced in the background
	file    logFile
	dirty   atomic.Bool   // something was written since the last sync
	suspect atomic.Bool   // a sync failed, so what the device has is not known
	reached atomic.Uint64 // next after the last group that was written
}

// keptGroup is the most bytes of memory that are kept for further groups.
const keptGroup = 4 << 20

func (l *log) init() {
	l.written.L, l.longest = &l.mu, math.MaxUint32
	l.group, l.spare = make([]byte, frameHeader), make([]byte, frameHeader)
}

// append adds a batch to the next group.
func (l *log) append(b []byte) (ticket uint64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.group = append(l.group, b...)
	l.appended++
	return l.appended
}

// tickets returns how many batches were appended.
func (l *log) tickets() uint64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.appended
}

// wait returns nil when the batch with a ticket is durable, or the error that keeps it from
// becoming durable.
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

// failing returns the error that stops writing, for now or for good. The caller holds mu.
func (l *log) failing() error {
	if l.err != nil {
		return l.err
	}
	return l.trouble
}

// lead writes the next group, and rotates the file if it is full. The caller holds mu, which lead
// releases meanwhile.
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
		err = l.repair() // this stops writing if it fails; tryRotate itself has noted its error
	}
	l.mu.Lock()
	l.writing = false
	if written {
		l.durable = last
		l.recycle(group)
	} else { // the group is written again, before newer batches
		l.group, l.spare = append(group, l.group[frameHeader:]...), l.group
	}
	l.settle(err)
	l.written.Broadcast()
}

// recycle keeps the memory of a written group. The caller holds mu.
func (l *log) recycle(group []byte) {
	if cap(group) > keptGroup {
		group = make([]byte, frameHeader)
	}
	l.spare = group
}

// settle notes the result of a write. The caller holds mu.
func (l *log) settle(err error) {
	var damage *DamagedError
	switch {
	case errors.Is(err, errTooLong) || errors.As(err, &damage):
		l.giveUp(err)
	case err != nil || !l.suspect.Load(): // otherwise the error of a sync stays
		l.trouble = err
	}
	l.stalled.set(l.trouble)
}

// giveUp ends all writing with an error. The caller holds mu.
func (l *log) giveUp(err error) {
	l.err = cmp.Or(l.err, err)
	l.broken.set(l.err)
}

// retry writes a group whose write has failed.
func (l *log) retry() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.trouble != nil && l.err == nil && !l.writing {
		l.lead()
	}
}

// errTooLong is the error of a group that is longer than a frame can be. It is not written, because
// it could not be read again.
var errTooLong = errors.New("one write is larger than a log can take")

// errUnsynced is the error of a file after a failed sync.
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

// acknowledge marks the last group as acknowledged. A mark that cannot be written is too low, which
// does no harm, so the error is dropped.
func (l *log) acknowledge() {
	if l.strict {
		l.marks.set(onDevice, l.next)
		return
	}
	l.reached.Store(l.next)
	l.marks.set(answered, l.next)
}

// put appends to the file. A part of b may stay in the file if it fails, and torn says so.
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

// tryRotate rotates the file. If that fails, the file grows for a while before the next attempt.
func (l *log) tryRotate() error {
	err := l.rotate()
	if err != nil {
		l.full = l.size + l.most/8
	}
	l.growing.set(err)
	return err
}

// rotate creates the next file and ends the present one, in this order. So an ended file always has
// a next one beside it. Nothing is written to the next file before the device has all of the
// present one, because otherwise a power cut could leave a gap. After an error the present file may
// be used again once it is repaired.
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

// end writes the last frame of the file and syncs it.
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

// open creates a file. The file is durable before anything is written to it.
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
	return l.entries.sync()
}

// replace closes the present file and continues with a new one. An error of the close does not
// matter, because the device has all of the file.
func (l *log) replace(f logFile, number, first uint64) {
	l.syncing.Lock()
	defer l.syncing.Unlock()
	if l.file != nil {
		l.file.Close()
	}
	l.file, l.number, l.first, l.next, l.size, l.full = f, number, first, first, int64(
		logHeader), l.most
}

// sync has the device store what the operating system has, for the level Relaxed.
func (l *log) sync() {
	if err := l.syncFile(); err != nil {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.trouble = cmp.Or(l.trouble, err)
		l.stalled.set(l.trouble)
	}
}

// syncFile syncs the file if something was written since the last sync. After a failed sync it
// returns errUnsynced until the file is rewritten, even if a later sync succeeds: the operating
// system may have dropped what it could not write.
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

// close closes the file. No other method may be called any more.
func (l *log) close() error { return errors.Join(l.file.Sync(), l.file.Close()) }

// fail makes every further write fail.
func (l *log) fail(err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.giveUp(err)
	l.written.Broadcast()
}

// failure is failing for callers that do not hold mu.
func (l *log) failure() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.failing()
}

// stop writes what is left, once more if there is trouble, and makes every further write fail. It
// returns an error if not everything was written.
func (l *log) stop() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	for last := false; l.writing || l.err == nil && !last &&
		(l.durable < l.appended || l.trouble != nil); {
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
