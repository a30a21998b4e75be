package disk

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/kugiri-db/kugiri/storage/journal"
)

// Report says what a directory holds and what is wrong with it.
type Report struct {
	Dir     string
	Problem error // why a start would fail; nil if the directory is sound
	Files   []FileReport
	Lost    []Lost
	Entries int64  // the number of readable entries in the tables
	Aside   string // the directory where a repair has saved the old files
}

// FileReport describes one file.
type FileReport struct {
	Name   string
	Bytes  int64
	Holds  string   // the contents, in words
	Damage []string // each with its offset
}

// Lost describes something that can no longer be read.
type Lost struct {
	What    string // "" if Bucket is set
	Bucket  []byte
	Entries int64       // the number of lost entries; -1 if it is not known
	Ranges  []LostRange // the ranges that they are in; none if they are not known
}

// LostRange is a range of keys: From <= key < To. A nil To is no limit.
type LostRange struct{ From, To []byte }

// scan reads what is readable of a directory, damaged or not.
type scan struct {
	dir    string
	to     journal.Target // gets all sound entries
	report *Report
	tables *tablesReader
	losses map[string][]loss // the losses by bucket of the tables
	last   uint64            // the number of the last log
	next   uint64            // the Seq after the last known group; 0 if none is known
}

// scanDir reads a directory. It fails only if files cannot be read at all.
func scanDir(dir string, to journal.Target) (*scan, error) {
	s := &scan{dir: dir, to: to, report: &Report{Dir: dir}, losses: map[string][]loss{}}
	if err := s.readTables(); err != nil {
		return nil, err
	}
	s.countLost()
	if err := s.readLogs(); err != nil {
		return nil, err
	}
	if err := s.readMarks(); err != nil {
		return nil, err
	}
	if s.next == 0 {
		s.next = firstSeq()
	}
	return s, nil
}

// file starts the report of a file.
func (s *scan) file(path string) (*FileReport, error) {
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		s.report.Files = append(s.report.Files,
			FileReport{Name: filepath.Base(path), Damage: []string{"it is missing"}})
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	s.report.Files = append(s.report.Files,
		FileReport{Name: filepath.Base(path), Bytes: info.Size()})
	return &s.report.Files[len(s.report.Files)-1], nil
}

// found adds damage to the report. It returns other errors.
func (f *FileReport) found(err error) error {
	var d *DamagedError
	if !errors.As(err, &d) {
		return err
	}
	text := d.Reason
	if d.Offset >= 0 {
		text = fmt.Sprintf("byte %d: %s", d.Offset, d.Reason)
	}
	f.Damage = append(f.Damage, text)
	return nil
}

func (s *scan) readTables() error {
	path := tablesPath(s.dir)
	f, err := s.file(path)
	if f == nil {
		return err
	}
	each := func(bucket string, key, value []byte) error {
		s.report.Entries++
		s.to.Put([]byte(bucket[len(bucketPrefix):]), bytes.Clone(key), bytes.Clone(value))
		return nil
	}
	s.tables, err = readTables(path, each, func(r *tablesReader, l loss) error {
		if l.keys != nil {
			s.losses[r.name] = append(s.losses[r.name],
				loss{l.damaged, &keyRange{bytes.Clone(l.keys.from), bytes.Clone(l.keys.to)}})
		}
		return f.found(l.damaged)
	})
	if err == nil && s.tables.oldRoot != nil {
		err = s.tables.oldRoot
	}
	if err := f.found(err); err != nil {
		return err
	}
	f.Holds = fmt.Sprintf("%d entries, the logs up to %d", s.report.Entries, s.tables.at.applied)
	s.last, s.next = s.tables.at.applied, s.tables.at.next
	return nil
}

// countLost lists the buckets of the tables that have lost entries.
func (s *scan) countLost() {
	if s.tables == nil || len(s.tables.buckets)+len(s.tables.digests)+len(s.tables.found) == 0 {
		if len(s.report.Files[0].Damage) > 0 {
			s.report.Lost = append(s.report.Lost,
				Lost{What: "everything in " + tablesName, Entries: -1})
		}
		return
	}
	if len(s.losses[""]) > 0 && len(s.tables.digests) == 0 { // else the digests show it
		s.report.Lost = append(s.report.Lost,
			Lost{What: "whatever the unreadable pages of " + tablesName + " had", Entries: -1})
	}
	names := maps.Clone(s.tables.found)
	maps.Copy(names, s.tables.digests)
	for _, name := range slices.Sorted(maps.Keys(names)) {
		l := Lost{Bucket: []byte(name[len(bucketPrefix):]), Entries: -1}
		if want, known := s.tables.digests[name]; known {
			l.Entries = int64(want.count - s.tables.found[name].count)
		}
		for _, lost := range s.losses[name] {
			l.Ranges = append(l.Ranges, LostRange{lost.keys.from, lost.keys.to})
		}
		if l.Entries > 0 || l.Entries < 0 && len(l.Ranges) > 0 {
			s.report.Lost = append(s.report.Lost, l)
		}
	}
}

func (s *scan) readLogs() error {
	numbers, err := listLogs(s.dir)
	if err != nil {
		return err
	}
	for _, number := range numbers {
		s.last = max(s.last, number)
		path := logPath(s.dir, number)
		f, err := s.file(path)
		if err != nil {
			return err
		}
		content, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		old := s.tables != nil && number <= s.tables.at.applied
		l := salvageLog(path, content, number)
		for _, damage := range l.damage {
			if old {
				break // nobody needs the log any more
			}
			if err := f.found(damage); err != nil {
				return err
			}
		}
		f.Holds = fmt.Sprintf("%d groups of writes", len(l.groups))
		if old {
			f.Holds += ", which the tables have"
			continue
		}
		if l.first == 0 {
			continue // nothing of it is readable
		}
		if s.next == 0 {
			s.next = firstBeside(l.first)
		}
		if !sameDirectory(l.first, s.next) {
			s.foreign(f, path, l)
			continue
		}
		s.takeGroups(l)
	}
	return nil
}

// foreign reports a log that belongs to another directory. Its writes are not taken.
func (s *scan) foreign(f *FileReport, path string, l *salvagedLog) {
	f.found(&DamagedError{path, 0, ofAnother})
	if len(l.groups) > 0 {
		s.report.Lost = append(s.report.Lost,
			Lost{What: "the writes that " + f.Name + " should have", Entries: -1})
	}
}

// takeGroups passes the writes of a log on, and reports the groups that are missing before or among
// them.
func (s *scan) takeGroups(l *salvagedLog) {
	if l.first > s.next {
		s.lostGroups(s.next, l.first-1)
	}
	s.next = max(s.next, l.first)
	for _, g := range l.groups {
		if g.seq < s.next {
			continue
		}
		if g.seq > s.next {
			s.lostGroups(s.next, g.seq-1)
		}
		journal.Decode(g.payload, s.to) // cannot fail: salvageLog has decoded it
		s.next = g.seq + 1
	}
	s.next = max(s.next, l.next)
}

// lostGroups reports groups as lost.
func (s *scan) lostGroups(from, to uint64) {
	s.report.Lost = append(s.report.Lost,
		Lost{What: fmt.Sprintf("the writes of groups %d to %d", groupNumber(from), groupNumber(to)),
			Entries: -1})
}

func (s *scan) readMarks() error {
	f, err := s.file(marksPath(s.dir))
	if f == nil {
		return err
	}
	marks, err := readMarks(s.dir)
	if err := f.found(err); err != nil {
		return err
	}
	if marks == nil {
		return nil
	}
	next := max(marks[answered].next, marks[onDevice].next)
	if s.next == 0 && next != 0 {
		s.next = firstBeside(next)
	}
	if err := ownMarks(s.dir, marks, s.next); err != nil {
		return f.found(err)
	}
	f.Holds = fmt.Sprintf("writes were acknowledged up to group %d", groupNumber(max(next, 1)-1))
	if next > s.next {
		s.lostGroups(s.next, next-1)
		s.next = next
	}
	return nil
}

// salvagedLog is the readable part of a log.
type salvagedLog struct {
	first  uint64 // the Seq of the first group; 0 if it is not known
	next   uint64 // the Seq after the last readable frame
	groups []salvagedGroup
	damage []error
}

type salvagedGroup struct {
	seq     uint64
	payload []byte
}

// salvageLog reads all sound frames of a log, and skips whatever is between them.
func salvageLog(path string, content []byte, number uint64) *salvagedLog {
	l := &salvagedLog{}
	at := 0
	if len(content) >= logHeader {
		first := binary.LittleEndian.Uint64(content[len(logMagic)+12:])
		if _, err := checkLogHeader(path, content, number, first); err != nil {
			l.damage = append(l.damage, err)
		} else {
			l.first, l.next = first, first
		}
		at = logHeader
	} else {
		l.damage = append(l.damage, &DamagedError{path, 0, "it does not begin like a log"})
	}
	for at < len(content) {
		frame := frameAt(content[at:])
		if frame == nil {
			at = l.skip(path, content, at)
			continue
		}
		l.take(path, frame, int64(at))
		at += len(frame)
	}
	return l
}

// skip returns the offset of the next sound frame, or of the end.
func (l *salvagedLog) skip(path string, content []byte, at int) int {
	next := at + 1
	for next < len(content) {
		found := bytes.Index(content[next:], []byte(frameMagic))
		if found < 0 {
			next = len(content)
			break
		}
		next += found
		if frameAt(content[next:]) != nil {
			break
		}
		next++
	}
	l.damage = append(l.damage,
		&DamagedError{path, int64(at), fmt.Sprintf("%d bytes are unreadable", next-at)})
	return next
}

// take adds a frame.
func (l *salvagedLog) take(path string, frame []byte, at int64) {
	seq := binary.LittleEndian.Uint64(frame[8:])
	if l.first != 0 && !sameDirectory(seq, l.first) {
		l.damage = append(l.damage, &DamagedError{path, at, "a group of another directory"})
		return
	}
	if frame[3] == frameGroup {
		if err := journal.Decode(frame[frameHeader:], nowhere{}); err != nil {
			l.damage = append(l.damage, &DamagedError{path, at, err.Error()})
			return
		}
		l.groups = append(l.groups, salvagedGroup{seq, frame[frameHeader:]})
	}
	if l.first == 0 && l.next == 0 {
		l.first = seq
	}
	l.next = max(l.next, seq+1)
}
