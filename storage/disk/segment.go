package disk

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"os"

	"github.com/kugiri-db/kugiri/storage/journal"
)

// A log file is a header and then frames, each a group of batches that were
// written together:
//
//	header: "KUGIRI L", version (4 bytes), number of the file (8), Seq of its first frame (8), CRC-32C of the header so far (4)
//	frame:  "KGR" and its kind, length of the payload (4), Seq (8), CRC-32C of the frame so far and of the payload (4), payload
//
// All numbers are little-endian. Frames are numbered throughout all files by their Seq. The
// last frame of a file that goes on in the next one is an empty one of the kind frameEnd.
// Logs of version 2 have marks beside them; those of version 1 are otherwise the same.
const (
	logMagic    = "KUGIRI L"
	logVersion  = 2
	markVersion = 2 // of the first logs that have marks
	logHeader   = len(logMagic) + 4 + 8 + 8 + 4
	frameMagic  = "KGR"
	frameHeader = len(frameMagic) + 1 + 4 + 8 + 4
	frameGroup  = 'G'
	frameEnd    = 'E'
)

// sector is the least that a storage device writes at once.
const sector = 512

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// DamagedError says that a file is not as it was written. Nothing is read from a directory that has such a file.
type DamagedError struct {
	File   string
	Offset int64 // of what is damaged; -1 if that is not known
	Reason string
}

func (e *DamagedError) Error() string {
	if e.Offset < 0 {
		return fmt.Sprintf("%s is damaged: %s", e.File, e.Reason)
	}
	return fmt.Sprintf("%s is damaged at byte %d: %s", e.File, e.Offset, e.Reason)
}

// laterVersion is the error of a file that a later program wrote. In all versions the checksum is where it is now.
func laterVersion(path string, version, known uint32) error {
	return fmt.Errorf("%s is in version %d of the format; this program knows versions up to %d", path, version, known)
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

// sealFrame fills in the header of a frame, for which the first bytes of frame are left free.
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

// segment is what a log file holds.
type segment struct {
	groups [][]byte
	next   uint64 // Seq after that of the last frame
	end    int64  // of what is sound; from there on the file is torn
	torn   int64  // bytes that are
	closed bool   // it goes on in the next file
	marked bool   // marks say how far it was acknowledged
}

// readSegment reads a log file, whose number and first Seq are known.
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

// nowhere is a journal.Target for verifying that something can be decoded.
type nowhere struct{}

func (nowhere) Put(_, _, _ []byte) {}
func (nowhere) Delete(_, _ []byte) {}
func (nowhere) Drop([]byte)        {}

// checkLogHeader verifies the header of a log file, and returns the version of its format.
func checkLogHeader(path string, content []byte, number, first uint64) (version uint32, err error) {
	bad := func(reason string, args ...any) (uint32, error) {
		return 0, &DamagedError{path, 0, fmt.Sprintf(reason, args...)}
	}
	if len(content) < logHeader || string(content[:len(logMagic)]) != logMagic {
		return bad("it does not begin as a log does")
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
		return bad("it begins with group %d, not %d: a log or the tables are of another time", groupNumber(got), groupNumber(first))
	}
	return version, nil
}

// frameAt returns the frame at the start of b, nil if there is none that is whole and sound.
func frameAt(b []byte) []byte {
	if len(b) < frameHeader || string(b[:len(frameMagic)]) != frameMagic || b[3] != frameGroup && b[3] != frameEnd {
		return nil
	}
	n := uint64(binary.LittleEndian.Uint32(b[4:])) + uint64(frameHeader)
	if n > uint64(len(b)) || binary.LittleEndian.Uint32(b[16:]) != frameSum(b[:n]) {
		return nil
	}
	return b[:n]
}

// tornTail judges the rest of a file, which begins with no sound frame. A write
// that was cut off leaves a frame without its end, or after a power cut sectors
// that were never written and are zero; nothing follows it, as the next write
// waits for it. Such a write was never acknowledged, and the segment ends before it.
// Everything else is damage.
func tornTail(path string, rest []byte, s *segment) error {
	for at := 1; ; at++ {
		next := bytes.Index(rest[at:], []byte(frameMagic))
		if next < 0 {
			break
		}
		at += next
		if f := frameAt(rest[at:]); f != nil && binary.LittleEndian.Uint64(f[8:]) > s.next {
			return &DamagedError{path, s.end, fmt.Sprintf("a group of writes is unreadable, and there are more from byte %d on", s.end+int64(at))}
		}
	}
	if !cutOff(rest, s.end) {
		return &DamagedError{path, s.end, "the last group of writes is unreadable"}
	}
	s.torn = int64(len(rest))
	return nil
}

// cutOff reports whether a last frame, which is not sound, was not written to its end.
func cutOff(rest []byte, offset int64) bool {
	if len(rest) < frameHeader {
		return true
	}
	if string(rest[:len(frameMagic)]) == frameMagic && uint64(len(rest)) < uint64(binary.LittleEndian.Uint32(rest[4:]))+uint64(frameHeader) {
		return true
	}
	from, to := 0, sector-int(offset%sector) // in the first sector there is something else before it
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
