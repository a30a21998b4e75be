package sqlite

import (
	"bytes"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// typesFile was made by SQLite with pages of 512 bytes. It has rows of every type, interior pages,
// and a column that was added after the rows. Most rows are longer than a page.
const typesFile = "testdata/types.db"

func TestRows(t *testing.T) {
	f, err := Open(typesFile)
	require.NoError(t, err)
	defer f.Close()
	tables, err := f.Tables()
	require.NoError(t, err)
	require.Len(t, tables, 2)
	assert.Equal(t, "the.rows", tables[0].Name)
	assert.Equal(t, []string{"i", "r", "s", "b", "n", "later"}, tables[0].Columns)
	integers := []int64{0, 1, -1, 127, -128, 128, 32767, -32768, 8388607, -8388608, math.MaxInt32,
		math.MinInt32, 1<<47 - 1, -1 << 47, math.MaxInt64, math.MinInt64}
	k := 0
	for row, err := range f.Rows(tables[0]) {
		require.NoError(t, err)
		want := Row{integers[k%len(integers)], float64(k) + 0.5, strings.Repeat("é", k*7%600),
			bytes.Repeat([]byte{byte(k)}, k%50), nil, nil}
		require.Equal(t, want, row, k)
		k++
	}
	assert.Equal(t, 120, k)
	for i, want := range []int64{120, 0} {
		rows, err := f.Count(tables[i])
		require.NoError(t, err)
		assert.Equal(t, want, rows, tables[i].Name)
	}
	for range f.Rows(tables[0]) {
		break // the reader ends in the middle
	}
	for range f.Rows(tables[1]) {
		t.Fatal("a row of a table without rows")
	}
}

func TestOpenErrors(t *testing.T) {
	text, err := os.ReadFile(typesFile)
	require.NoError(t, err)
	for _, c := range []struct {
		name  string
		files map[string]string
		says  string
	}{
		{"no file", nil, "no such file"},
		{"an empty file", map[string]string{"x.db": ""}, "this is not an SQLite database"},
		{"another file", map[string]string{"x.db": strings.Repeat("x", 200)},
			"this is not an SQLite database"},
		{"a page size that is none",
			map[string]string{"x.db": string(text[:16]) + "\x00\x07" + string(text[18:])},
			"x.db: the database is damaged"},
		{"a journal of a program that was killed",
			map[string]string{"x.db": string(text), "x.db-journal": "x"},
			"x.db-journal holds changes that are not yet in"},
		{"a log ahead", map[string]string{"x.db": string(text), "x.db-wal": "x"},
			"x.db-wal holds changes"},
		{"a journal of nothing", map[string]string{"x.db": string(text), "x.db-journal": ""}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			for name, text := range c.files {
				require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666))
			}
			f, err := Open(filepath.Join(dir, "x.db"))
			if c.says == "" {
				require.NoError(t, err)
				require.NoError(t, f.Close())
				return
			}
			assert.ErrorContains(t, err, c.says)
		})
	}
}

// readAll reads all rows of all tables.
func readAll(text []byte) (rows int, err error) {
	f, err := Read(bytes.NewReader(text))
	if err != nil {
		return 0, err
	}
	tables, err := f.Tables()
	if err != nil {
		return 0, err
	}
	for _, table := range tables {
		if _, err := f.Count(table); err != nil {
			return rows, err
		}
		for _, err := range f.Rows(table) {
			if err != nil {
				return rows, err
			}
			rows++
		}
	}
	return rows, nil
}

// TestCutOff: reading a truncated file returns an error or all of its rows.
func TestCutOff(t *testing.T) {
	text, err := os.ReadFile(typesFile)
	require.NoError(t, err)
	for length := 0; length < len(text); length += 512 {
		if rows, err := readAll(text[:length]); err == nil {
			assert.Equal(t, 120, rows, length) // the missing part belongs to an index
		}
	}
}

// FuzzRead: reading any bytes ends, with rows or an error.
func FuzzRead(f *testing.F) {
	text, err := os.ReadFile(typesFile)
	require.NoError(f, err)
	f.Add(0, byte(0), 0, byte(0))
	f.Add(100, byte(2), 105, byte(9))
	f.Fuzz(func(t *testing.T, at int, b byte, other int, c byte) {
		damaged := bytes.Clone(text)
		damaged[uint(at)%uint(len(text))] = b
		damaged[uint(other)%uint(len(text))] = c
		readAll(damaged)
	})
}
