package cbor

import (
	"bufio"
	"bytes"
	"encoding/hex"
	"io"
	"math"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func unhex(t testing.TB, text string) []byte {
	data, err := hex.DecodeString(text)
	require.NoError(t, err)
	return data
}

func always(int) bool { return true }

func source(data []byte) *Source {
	return NewSource(bufio.NewReader(bytes.NewReader(data)), always)
}

// TestNumbers has the examples of RFC 8949, appendix A, and numbers of DynamoDB.
func TestNumbers(t *testing.T) {
	for _, c := range []struct{ name, data, want string }{
		{"zero", "00", "0"},
		{"a byte", "1864", "100"},
		{"8 bytes", "1bffffffffffffffff", "18446744073709551615"},
		{"a big integer", "c249010000000000000000", "18446744073709551616"},
		{"the least one of 8 bytes", "3bffffffffffffffff", "-18446744073709551616"},
		{"a negative big integer", "c349010000000000000000", "-18446744073709551617"},
		{"minus one", "20", "-1"},
		{"a float of 16 bits", "f93e00", "1.5"},
		{"the least float of 16 bits", "f90001", "5.960464477539063e-08"},
		{"a negative float", "f9c400", "-4"},
		{"a float of 32 bits", "fa47c35000", "100000"},
		{"a float of 64 bits", "fb3ff199999999999a", "1.1"},
		{"infinity", "f97c00", "Infinity"},
		{"minus infinity", "fbfff0000000000000", "-Infinity"},
		{"no number", "f97e00", "NaN"},
		{"a decimal fraction", "c48221196ab3", "27315E-2"},
		{"a decimal fraction without an exponent", "c4820001", "1"},
		{"a decimal fraction of a big integer", "c48220c24101", "1E-1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := NewReader(unhex(t, c.data))
			got, err := r.Number()
			require.NoError(t, err)
			assert.Equal(t, c.want, got)
			assert.True(t, r.Done())
		})
	}
}

func TestAppendNumber(t *testing.T) {
	for text, want := range map[string]string{
		"0": "00", "-1": "20", "42": "182a", "0.5": "c4822005", "-0.5": "c4822024",
		"273.15": "c48221196ab3", "18446744073709551616": "c249010000000000000000",
		"-18446744073709551617": "c349010000000000000000",
		"1.8446744073709551616": "c48232c249010000000000000000",
	} {
		t.Run(text, func(t *testing.T) {
			assert.Equal(t, want, hex.EncodeToString(AppendNumber(nil, text)))
		})
	}
}

// TestMalformed: what is no data item, or another one than asked for.
func TestMalformed(t *testing.T) {
	number := func(r *Reader) error { _, err := r.Number(); return err }
	text := func(r *Reader) error { _, err := r.Text(); return err }
	item := func(r *Reader) error { _, err := r.Item(); return err }
	integer := func(r *Reader) error { _, err := r.Int(); return err }
	for _, c := range []struct {
		name, data string
		read       func(*Reader) error
	}{
		{"nothing", "", number},
		{"half a number", "19ff", number},
		{"a reserved head", "1c", number},
		{"a text", "6161", number},
		{"an integer beyond 64 bits", "1bffffffffffffffff", integer},
		{"a big integer beyond the limit", "c25841" + strings.Repeat("ff", 65), number},
		{"a decimal of a decimal", "c48200c4820001", number},
		{"a decimal of one element", "c48101", number},
		{"a decimal of three elements", "c483010203", number},
		{"a text beyond the end", "6261", text},
		{"a text that is not UTF-8", "61ff", text},
		{"bytes", "4161", text},
		{"a text of parts with another one within", "7f7f6161ffff", text},
		{"a text of parts without an end", "7f6161", text},
		{"an array beyond the end", "9bffffffffffffffff", item},
		{"a map beyond the end", "a100", item},
		{"a break", "ff", item},
		{"a tag of nothing", "c2", item},
		{"too many levels", strings.Repeat("81", MaxDepth+1) + "00", item},
		{"too many tags", strings.Repeat("c1", MaxDepth+1) + "00", item},
	} {
		t.Run(c.name, func(t *testing.T) {
			assert.ErrorIs(t, c.read(NewReader(unhex(t, c.data))), ErrMalformed)
		})
	}
}

func TestStrings(t *testing.T) {
	r := NewReader(unhex(t, "7f61616162ff"+"5f4101ff"+"6163"+"4164"))
	text, err := r.Text()
	require.NoError(t, err)
	assert.Equal(t, "ab", string(text))
	data, err := r.Bytes()
	require.NoError(t, err)
	assert.Equal(t, []byte{1}, data)
	for _, want := range []string{"c", "d"} {
		name, err := r.Name()
		require.NoError(t, err)
		assert.Equal(t, want, name)
	}
}

// TestSourceTakesOneItem: it leaves what follows, and takes memory for what comes, not for what is
// announced.
func TestSourceTakesOneItem(t *testing.T) {
	for name, data := range map[string]string{
		"an integer": "1903e8", "an array": "83010203", "a map of unknown length": "bf0161610203ff",
		"nested": "8281a10102c24101", "an empty array": "80", "a float": "fb3ff199999999999a",
	} {
		t.Run(name, func(t *testing.T) {
			s := source(append(unhex(t, data), 0xf6))
			got, err := s.AppendItem([]byte{7}, 100)
			require.NoError(t, err)
			assert.Equal(t, "07"+data, hex.EncodeToString(got))
			got, err = s.AppendItem(nil, 100)
			require.NoError(t, err)
			assert.Equal(t, []byte{Null}, got)
			_, err = s.AppendItem(nil, 100)
			assert.Equal(t, io.EOF, err)
		})
	}
	for _, c := range []struct {
		name, data string
		want       error
	}{
		{"bytes beyond the limit", "5a00010000", ErrTooLarge},
		{"bytes of 2^64", "5bffffffffffffffff", ErrTooLarge},
		{"an array of 2^64", "9bffffffffffffffff", ErrTooLarge},
		{"a map of 2^63", "bb8000000000000000", ErrTooLarge},
		{"an endless array", "9f" + strings.Repeat("00", 200), ErrTooLarge},
		{"endless parts", "5f" + strings.Repeat("40", 200), ErrTooLarge},
		{"levels", strings.Repeat("81", 600), ErrTooLarge},
		{"a break", "ff", ErrMalformed},
		{"half a pair", "bf01ff", ErrMalformed},
		{"bytes in a text", "7f4161ff", ErrMalformed},
		{"the end in an item", "8201", io.ErrUnexpectedEOF},
		{"the end in a string", "6361", io.ErrUnexpectedEOF},
		{"the end in a head", "19", io.ErrUnexpectedEOF},
	} {
		t.Run(c.name, func(t *testing.T) {
			limit := 100
			if c.name == "levels" {
				limit = 1000
			}
			got, err := source(unhex(t, c.data)).AppendItem(nil, limit)
			assert.ErrorIs(t, err, c.want)
			assert.LessOrEqual(t, cap(got), 2*(limit+maxHead)+64)
		})
	}
}

func TestSourceAsksForMemory(t *testing.T) {
	data := AppendBytes(nil, make([]byte, 3*step))
	asked := 0
	s := NewSource(bufio.NewReader(bytes.NewReader(data)), func(n int) bool {
		asked += n
		return true
	})
	_, err := s.AppendItem(nil, math.MaxInt32)
	require.NoError(t, err)
	assert.Equal(t, 3*step, asked)
	assert.Equal(t, 3*step, s.Release())
	assert.Zero(t, s.Release())
	s = NewSource(bufio.NewReader(bytes.NewReader(data)), func(int) bool { return false })
	_, err = s.AppendItem(nil, math.MaxInt32)
	assert.ErrorIs(t, err, ErrNoMemory)
}

// TestSourceCopiesLittle: a long item of several strings is not copied with each of them.
func TestSourceCopiesLittle(t *testing.T) {
	const n, length = 25, 390_000
	data := AppendHead(nil, Array, n)
	for range n {
		data = AppendBytes(data, make([]byte, length))
	}
	s := source(data)
	var before, since runtime.MemStats
	runtime.ReadMemStats(&before)
	got, err := s.AppendItem(nil, 16<<20)
	runtime.ReadMemStats(&since)
	require.NoError(t, err)
	assert.Equal(t, data, got)
	assert.Less(t, since.TotalAlloc-before.TotalAlloc, uint64(4*len(data)))
	assert.GreaterOrEqual(t, s.Release()+step, cap(got)-maxHead, "all that is held counts")
}

// FuzzSource: a Source takes the same item as a Reader finds, and neither needs more than it got.
func FuzzSource(f *testing.F) {
	for _, data := range []string{
		"83010203", "bf0161610203ff", "c48221196ab3", "7f61616162ff", "9bffffffffffffffff",
		"f97c00",
	} {
		f.Add(unhex(f, data))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		got, err := source(data).AppendItem(nil, 1<<16)
		if err != nil {
			return
		}
		require.True(t, bytes.HasPrefix(data, got))
		r := NewReader(got)
		item, err := r.Item()
		require.NoError(t, err)
		require.Equal(t, got, item)
		require.True(t, r.Done())
		NewReader(got).Number()
		NewReader(got).Name()
		NewReader(got).Bool()
	})
}
