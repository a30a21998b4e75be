package disk

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"os"

	"github.com/kugiri-db/kugiri/storage/journal"
)

// A log file is a header, followed by frames. Each frame is a group of batches that were written
// together:
//
//	header  "KUGIRI L", version (4 bytes), number of the file (8), Seq of its first frame (8),
//	        CRC-32C of the bytes before (4)
//	frame   "KGR" and its kind, length of the payload (4), Seq (8), CRC-32C of the bytes before and
//	        of the payload (4), payload
//
// All numbers are little-endian. The Seq numbers the frames throughout all files. A file that
// continues in the next one ends with an empty frame of the kind frameEnd. Logs of version 2 have
// marks beside them. Logs of version 1 have none, and are otherwise the same.
const (
	logMagic    = "KUGIRI L"
	logVersion  = 2
	markVersion = 2 // the first version with marks
	logHeader   = len(logMagic) + 4 + 8 + 8 + 4
	frameMagic  = "KGR"
	frameHeader = len(frameMagic) + 1 + 4 + 8 + 4
	frameGroup  = 'G'
	frameEnd    = 'E'
)

// sector is the smallest unit that a storage device writes.
const sector = 512

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// DamagedError says that a file is not as it was written. A directory with such a file is not
// opened.
type DamagedError struct {
	File   string
	Offset int64 // the offset of the damage; -1 if it is not known
	Reason string
}

func (e *DamagedError) Error() string {
	if e.Offset < 0 {
		return fmt.Sprintf("%s is damaged: %s", e.File, e.Reason)
	}
	return fmt.Sprintf("%s is damaged at byte %d: %s", e.File, e.Offset, e.Reason)
}

// laterVersion returns the error of a file that a later program wrote. All versions have the
// checksum in the same place.
func laterVersion(path string, version, known uint32) error {
	return fmt.Errorf("%s is in version %d of the format; this program knows versions up to %d",
		path, version, known)
}

// appendLogHeader appends the header of a log file.
func appendLogHeader(dst []byte, number, first uint64) []byte {
	start := len(dst)
	dst = append(dst, logMagic...)
	dst = binary.LittleEndian.AppendUint32(dst, logVersion)
	dst = binary.LittleEndian.AppendUint64(dst, number)
	dst = binary.LittleEndian.AppendUint64(dst, first)
	return binary.LittleEndian.AppendUint32(dst, crc32.Checksum(dst[start:], castagnoli))
}

// sealFrame fills in the header of a frame, which is the first bytes of frame.
func sealFrame(frame []byte, kind byte, seq uint64) {
	copy(frame, frameMagic)
	frame[3] = kind
	binary.LittleEndian.PutUint32(frame[4:], uint32(len(frame)-frameHeader))
	binary.LittleEndian.PutUint64(frame[8:], seq)
	binary.LittleEndian.PutUint32(frame[16:], frameSum(frame))
}

func frameSum(frame []byte) uint32 {
	return crc32.Update(crc32.Checksum(frame[:16], castagnoli), castagnoli, frame[frameHeader:])
}

// segment is the content of a log file.
type segment struct {
	groups [][]byte
	next   uint64 // the Seq after the last frame
	end    int64  // the offset where the sound frames end
	torn   int64  // the bytes of an incomplete write behind end
	closed bool   // the next file continues it
	marked bool   // there are marks for it
}

// readSegment reads the log file with a number, whose first frame has the Seq first.
func readSegment(path string, number, first uint64) (*segment, error) {
	content, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	return parseSegment(path, content, number, first)
}

func parseSegment(path string, content []byte, number, first uint64) (*segment, error) {
	version, err := checkLogHeader(path, content, number, first)
	if err != nil {
		return nil, err
	}
	s := &segment{next: first, end: int64(logHeader), marked: version >= markVersion}
	for int(s.end) < len(content) && !s.closed {
		rest := content[s.end:]
		frame := frameAt(rest)
		if frame == nil || binary.LittleEndian.Uint64(frame[8:]) != s.next {
			if err := tornTail(path, rest, s); err != nil {
				return nil, err
			}
			return s, nil
		}
		s.closed = frame[3] == frameEnd
		if !s.closed {
			if err := journal.Decode(frame[frameHeader:], nowhere{}); err != nil {
				return nil, &DamagedError{path, s.end, err.Error()}
			}
			s.groups = append(s.groups, frame[frameHeader:])
		}
		s.next++
		s.end += int64(len(frame))
	}
	if int(s.end) < len(content) {
		return nil, &DamagedError{path, s.end, "something follows the end of the log"}
	}
	return s, nil
}

// nowhere is a journal.Target that ignores operations, to verify an encoding.
type nowhere struct{}

func (nowhere) Put(_, _, _ []byte) {}
func (nowhere) Delete(_, _ []byte) {}
func (nowhere) Drop([]byte)        {}

// checkLogHeader verifies the header of a log file and returns the version of its format.
func checkLogHeader(path string, content []byte, number, first uint64) (version uint32, err error) {
	bad := func(reason string, args ...any) (uint32, error) {
		return 0, &DamagedError{path, 0, fmt.Sprintf(reason, args...)}
	}
	if len(content) < logHeader || string(content[:len(logMagic)]) != logMagic {
		return bad("it does not begin like a log")
	}
	h := content[len(logMagic):logHeader]
	if binary.LittleEndian.Uint32(h[20:]) != crc32.Checksum(content[:logHeader-4], castagnoli) {
		return bad("the header's checksum is wrong")
	}
	version = binary.LittleEndian.Uint32(h)
	if version > logVersion {
		return 0, laterVersion(path, version, logVersion)
	}
	if got := binary.LittleEndian.Uint64(h[4:]); got != number {
		return bad("it is log %d, not %d", got, number)
	}
	if got := binary.LittleEndian.Uint64(h[12:]); got != first {
		if !sameDirectory(got, first) {
			return bad(ofAnother)
		}
		return bad("it begins with group %d, not %d: a log or the tables are of another time",
			groupNumber(got), groupNumber(first))
	}
	return version, nil
}

// frameAt returns the frame at the start of b, or nil if there is no complete and sound one.
func frameAt(b []byte) []byte {
	if len(b) < frameHeader || string(b[:len(frameMagic)]) != frameMagic || b[3] != frameGroup &&
		b[3] != frameEnd {
		return nil
	}
	n := uint64(binary.LittleEndian.Uint32(b[4:])) + uint64(frameHeader)
	if n > uint64(len(b)) || binary.LittleEndian.Uint32(b[16:]) != frameSum(b[:n]) {
		return nil
	}
	return b[:n]
}

// tornTail examines the rest of a file, which does not begin with a sound frame. An incomplete
// write leaves a frame without its end or, after a power cut, with sectors of zeros. Nothing
// follows it, because the next write waits for it. Nobody was told of such a write, and the segment
// ends before it. Anything else is damage.
func tornTail(path string, rest []byte, s *segment) error {
	for at := 1; ; at++ {
		next := bytes.Index(rest[at:], []byte(frameMagic))
		if next < 0 {
			break
		}
		at += next
		if f := frameAt(rest[at:]); f != nil && binary.LittleEndian.Uint64(f[8:]) > s.next {
			return &DamagedError{path, s.end,
				fmt.Sprintf("a group of writes is unreadable, and there are more from byte %d on",
					s.end+int64(at))}
		}
	}
	if !cutOff(rest, s.end) {
		return &DamagedError{path, s.end, "the last group of writes is unreadable"}
	}
	s.torn = int64(len(rest))
	return nil
}

// cutOff reports whether an unsound last frame is an incomplete write.
func cutOff(rest []byte, offset int64) bool {
	if len(rest) < frameHeader {
		return true
	}
	if string(rest[:len(frameMagic)]) == frameMagic &&
		uint64(len(rest)) < uint64(binary.LittleEndian.Uint32(rest[4:]))+uint64(frameHeader) {
		return true
	}
	from, to := 0, sector-int(offset%sector) // the first sector has other frames before it
	for from < len(rest) {
		to = min(to, len(rest))
		if allZero(rest[from:to]) {
			return true
		}
		from, to = to, to+sector
	}
	return false
}

func allZero(b []byte) bool {
	for _, c := range b {
		if c != 0 {
			return false
		}
	}
	return true
}
