package sqlite

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"iter"
	"math"
	"os"
	"strings"
)

// Magic is the beginning of each database.
const Magic = "SQLite format 3\x00"

// errDamaged is the error of a file that does not follow the format.
var errDamaged = errors.New("the database is damaged")

// maxRow is the largest size of a row in bytes.
const maxRow = 64 << 20

// File is a database.
type File struct {
	in     io.ReaderAt
	close  func() error
	page   int // bytes of a page
	usable int // bytes of a page without the reserved ones
}

// Table is a table of a database.
type Table struct {
	Name    string
	Columns []string
	root    uint32
}

// Open opens a database that no program is writing to.
func Open(name string) (*File, error) {
	for _, unfinished := range []string{name + "-journal", name + "-wal"} {
		if info, err := os.Stat(unfinished); err == nil && info.Size() > 0 {
			return nil, fmt.Errorf(
				"%s holds changes that are not yet in %s: stop what has the database open, or start it once more and stop it", unfinished, name)
		}
	}
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	f, err := Read(file)
	if err != nil {
		file.Close()
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	f.close = file.Close
	return f, nil
}

// Read reads a database.
func Read(in io.ReaderAt) (*File, error) {
	var header [100]byte
	if _, err := in.ReadAt(header[:], 0); err != nil || string(header[:len(Magic)]) != Magic {
		return nil, errors.New("this is not an SQLite database")
	}
	f := &File{in: in, page: int(binary.BigEndian.Uint16(header[16:]))}
	if f.page == 1 {
		f.page = 64 << 10
	}
	f.usable = f.page - int(header[20])
	if f.page < 512 || f.page&(f.page-1) != 0 || f.usable < 480 {
		return nil, errDamaged
	}
	if encoding := binary.BigEndian.Uint32(header[56:]); encoding > 1 {
		return nil, errors.New("the database's text is not UTF-8")
	}
	return f, nil
}

// Close closes the file.
func (f *File) Close() error { return f.close() }

// Tables lists the tables except those of SQLite itself.
func (f *File) Tables() (tables []Table, err error) {
	schema := Table{Columns: []string{"type", "name", "tbl_name", "rootpage", "sql"}, root: 1}
	for row, err := range f.Rows(schema) {
		if err != nil {
			return nil, err
		}
		name, _ := row[1].(string)
		root, _ := row[3].(int64)
		text, _ := row[4].(string)
		if row[0] != "table" || strings.HasPrefix(name, "sqlite_") {
			continue
		}
		if root < 1 || root > math.MaxUint32 {
			return nil, errDamaged
		}
		tables = append(tables, Table{name, columnsOf(text), uint32(root)})
	}
	return tables, nil
}

// columnsOf returns the names of the columns in a CREATE TABLE without nested commas.
func columnsOf(create string) (names []string) {
	_, list, _ := strings.Cut(create, "(")
	for declaration := range strings.SplitSeq(list, ",") {
		words := strings.Fields(declaration)
		if len(words) == 0 || words[0] == "PRIMARY" {
			break
		}
		names = append(names, strings.Trim(words[0], "\"`[]"))
	}
	return names
}

// Row has a value for each column: an int64, float64, string, []byte or nil.
type Row []any

// Rows reads the rows of a table in their order. If there is an error, it is in the last pair.
func (f *File) Rows(t Table) iter.Seq2[Row, error] {
	return func(yield func(Row, error) bool) {
		w := walk{File: f, seen: map[uint32]bool{}, visit: func(payload []byte) (bool, error) {
			row, err := decodeRow(payload, len(t.Columns))
			return err == nil && yield(row, nil), err
		}}
		if _, err := w.below(t.root); err != nil {
			yield(nil, err)
		}
	}
}

// Count returns how many rows a table has. It reads the pages of the table's tree, but no row.
func (f *File) Count(t Table) (rows int64, err error) {
	w := walk{File: f, seen: map[uint32]bool{}, leaf: func(cells int) { rows += int64(cells) }}
	_, err = w.below(t.root)
	return rows, err
}

// Kinds of pages.
const (
	interiorPage = 0x05
	leafPage     = 0x0d
)

// walk visits the leaves of a table's tree, or their rows. It stops when visit returns false.
type walk struct {
	*File
	seen  map[uint32]bool // visited pages; none may occur twice
	visit func(payload []byte) (more bool, err error)
	leaf  func(rows int) // takes the place of visit
}

// below visits the rows below a page.
func (w *walk) below(number uint32) (more bool, err error) {
	page, err := w.read(number)
	if err != nil {
		return false, err
	}
	if w.seen[number] {
		return false, errDamaged
	}
	w.seen[number] = true
	header := 0
	if number == 1 {
		header = 100
	}
	kind, cells := page[header], int(binary.BigEndian.Uint16(page[header+3:]))
	pointers := header + 8
	if kind == interiorPage {
		pointers += 4
	}
	if kind != interiorPage && kind != leafPage || pointers+2*cells > w.usable {
		return false, errDamaged
	}
	if kind == leafPage && w.leaf != nil {
		w.leaf(cells)
		return true, nil
	}
	for i := range cells {
		at := int(binary.BigEndian.Uint16(page[pointers+2*i:]))
		if at < pointers || at+4 > w.usable {
			return false, errDamaged
		}
		if kind == interiorPage {
			more, err = w.below(binary.BigEndian.Uint32(page[at:]))
		} else if payload, failed := w.payload(page[at:w.usable]); failed != nil {
			err = failed
		} else {
			more, err = w.visit(payload)
		}
		if err != nil || !more {
			return false, err
		}
	}
	if kind == interiorPage {
		return w.below(binary.BigEndian.Uint32(page[header+8:]))
	}
	return true, nil
}

// read reads a page. Pages are counted from 1.
func (f *File) read(number uint32) ([]byte, error) {
	if number == 0 {
		return nil, errDamaged
	}
	page := make([]byte, f.page)
	if _, err := f.in.ReadAt(page, int64(number-1)*int64(f.page)); err != nil {
		if errors.Is(err, io.EOF) {
			err = errDamaged
		}
		return nil, err
	}
	return page, nil
}

// payload returns the payload of a cell in a leaf. The cell begins with the payload's length and
// the row's number. A chain of overflow pages has the part that does not fit into the page.
func (f *File) payload(cell []byte) ([]byte, error) {
	length, n := varint(cell)
	_, m := varint(cell[n:])
	cell = cell[n+m:]
	if n == 0 || m == 0 || length > maxRow {
		return nil, errDamaged
	}
	size := int(length)
	local := f.local(size)
	if local == size && size <= len(cell) {
		return cell[:size], nil
	}
	if local+4 > len(cell) {
		return nil, errDamaged
	}
	payload := append([]byte(nil), cell[:local]...)
	next := binary.BigEndian.Uint32(cell[local:])
	for len(payload) < size {
		page, err := f.read(next)
		if err != nil {
			return nil, err
		}
		next = binary.BigEndian.Uint32(page)
		payload = append(payload, page[4:min(f.usable, 4+size-len(payload))]...)
	}
	return payload, nil
}

// local returns how many bytes of a payload are in its cell.
func (f *File) local(size int) int {
	most := f.usable - 35
	if size <= most {
		return size
	}
	least := (f.usable-12)*32/255 - 23
	if k := least + (size-least)%(f.usable-4); k <= most {
		return k
	}
	return least
}

// varint reads a number of up to nine bytes. n is 0 without one.
func varint(b []byte) (v uint64, n int) {
	for i := range min(len(b), 9) {
		if i == 8 {
			return v<<8 | uint64(b[8]), 9
		}
		v = v<<7 | uint64(b[i]&0x7f)
		if b[i] < 0x80 {
			return v, i + 1
		}
	}
	return 0, 0
}

// decodeRow reads a record: the types of its values and then the values. A column that was added to
// the table after the row is nil.
func decodeRow(payload []byte, columns int) (Row, error) {
	length, n := varint(payload)
	if n == 0 || length < uint64(n) || length > uint64(len(payload)) {
		return nil, errDamaged
	}
	types, values := payload[n:length], payload[length:]
	row := make(Row, columns)
	for i := 0; i < columns && len(types) > 0; i++ {
		kind, n := varint(types)
		size := sizeOf(kind)
		if n == 0 || size > uint64(len(values)) {
			return nil, errDamaged
		}
		row[i] = decode(kind, values[:size])
		types, values = types[n:], values[size:]
	}
	return row, nil
}

// sizeOf returns the size of a value of a type in bytes.
func sizeOf(kind uint64) uint64 {
	if kind < 12 {
		return [12]uint64{1: 1, 2: 2, 3: 3, 4: 4, 5: 6, 6: 8, 7: 8}[kind]
	}
	return (kind - 12) / 2
}

func decode(kind uint64, value []byte) any {
	switch {
	case kind >= 12 && kind%2 == 0:
		return value
	case kind >= 12:
		return string(value)
	case kind == 0, kind > 9:
		return nil
	case kind == 7:
		return math.Float64frombits(binary.BigEndian.Uint64(value))
	case kind >= 8:
		return int64(kind - 8)
	}
	n := int64(int8(value[0]))
	for _, b := range value[1:] {
		n = n<<8 | int64(b)
	}
	return n
}
