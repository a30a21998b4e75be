package disk

import (
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"hash/crc32"
	"os"
	"path/filepath"
	"strings"
)

// marks is the file named acknowledged. It says how far the logs were acknowledged, in two records
// of one sector each:
//
//	"KUGIRI M"  8 bytes
//	version     4
//	Seq         8   the Seq after the last group
//	boot       16   the boot ID of the operating system
//	CRC-32C     4   of the bytes before
//
// The first record is for groups that were acknowledged at the level Relaxed, which the operating
// system has. The second is for groups that the device has. A mark is written after its group and
// before anybody is told. So a log that ends before a mark was cut off later, with one exception:
// after a power cut the device may have the first mark and not its group. That requires that the
// operating system was started since, which the boot ID shows.
//
// The device writes a sector as a whole or not at all. The marks are not synced with each group: a
// mark that is too low protects less, and is never wrong.
type marks struct {
	file     *os.File
	boot     bootID
	unsynced bool             // tests do not sync the file
	record   [2][markLen]byte // memory for set
}

// The records of the file.
const (
	answered = iota // Relaxed
	onDevice        // Strict
)

const (
	marksName    = "acknowledged"
	marksMagic   = "KUGIRI M"
	marksVersion = 1
	markLen      = len(marksMagic) + 4 + 8 + len(bootID{}) + 4
	marksLen     = 2 * sector
)

// bootID identifies a run of the operating system. It is zero if it is not known.
type bootID [16]byte

func marksPath(dir string) string { return filepath.Join(dir, marksName) }

// createMarks creates the file durably. Its marks say that nothing was acknowledged.
func createMarks(dir string, unsynced bool, in *entries) error {
	fresh := unfinished(marksPath(dir))
	f, err := os.OpenFile(fresh, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	m := marks{file: f, unsynced: unsynced}
	_, err = f.WriteAt(make([]byte, marksLen), 0)
	if err := errors.Join(err, m.begin(0), f.Close()); err != nil {
		return err
	}
	if err := in.rename(fresh, marksPath(dir)); err != nil {
		return err
	}
	return in.sync()
}

// openMarks opens the file for writing.
func openMarks(dir string, boot bootID, unsynced bool) (*marks, error) {
	f, err := os.OpenFile(marksPath(dir), os.O_WRONLY, 0)
	if err != nil {
		return nil, err
	}
	return &marks{file: f, boot: boot, unsynced: unsynced}, nil
}

// set writes a mark. Calls for the same mark must not be concurrent.
func (m *marks) set(which int, next uint64) error {
	r := m.record[which][:]
	copy(r, marksMagic)
	b := r[len(marksMagic):]
	binary.LittleEndian.PutUint32(b, marksVersion)
	binary.LittleEndian.PutUint64(b[4:], next)
	copy(b[12:], m.boot[:])
	binary.LittleEndian.PutUint32(r[markLen-4:], crc32.Checksum(r[:markLen-4], castagnoli))
	_, err := m.file.WriteAt(r, int64(which)*sector)
	return err
}

// begin writes both marks and syncs them.
func (m *marks) begin(next uint64) error {
	if err := errors.Join(m.set(answered, next), m.set(onDevice, next)); err != nil || m.unsynced {
		return err
	}
	return m.file.Sync()
}

func (m *marks) close() error { return m.file.Close() }

// mark is a record of the file.
type mark struct {
	next uint64
	boot bootID
}

// readMarks reads the file. It returns no marks if the file is missing.
func readMarks(dir string) (found []mark, err error) {
	path := marksPath(dir)
	content, err := os.ReadFile(path)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return parseMarks(path, content)
}

func parseMarks(path string, content []byte) (found []mark, err error) {
	for which := range 2 {
		at := which * sector
		m, err := parseMark(path, content[min(at, len(content)):], int64(at))
		if err != nil {
			return nil, err
		}
		found = append(found, m)
	}
	if len(content) != marksLen {
		return nil, &DamagedError{path, int64(min(len(content), marksLen)),
			fmt.Sprintf("it should have %d bytes", marksLen)}
	}
	return found, nil
}

func parseMark(path string, b []byte, at int64) (mark, error) {
	if len(b) < markLen || string(b[:len(marksMagic)]) != marksMagic {
		return mark{}, &DamagedError{path, at, "it does not say how far writes were acknowledged"}
	}
	fields := b[len(marksMagic):]
	if binary.LittleEndian.Uint32(b[markLen-4:]) != crc32.Checksum(b[:markLen-4], castagnoli) {
		return mark{}, &DamagedError{path, at, "the checksum of a mark is wrong"}
	}
	if version := binary.LittleEndian.Uint32(fields); version > marksVersion {
		return mark{}, laterVersion(path, version, marksVersion)
	}
	m := mark{next: binary.LittleEndian.Uint64(fields[4:])}
	copy(m.boot[:], fields[12:])
	return m, nil
}

// ownMarks fails if the marks belong to another directory than a group.
func ownMarks(dir string, marks []mark, seq uint64) error {
	for which, m := range marks {
		if m.next != 0 && !sameDirectory(m.next, seq) {
			return &DamagedError{marksPath(dir), int64(which) * sector, ofAnother}
		}
	}
	return nil
}

// readBootID returns the boot ID, which only Linux has in a file.
func readBootID() bootID {
	var id bootID
	text, err := os.ReadFile("/proc/sys/kernel/random/boot_id")
	if err != nil {
		return id
	}
	b, err := hex.DecodeString(strings.ReplaceAll(strings.TrimSpace(string(text)), "-", ""))
	if err != nil {
		return id
	}
	copy(id[:], b)
	return id
}
