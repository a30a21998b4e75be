package bucket

import (
	"bytes"
	"errors"
	"io"
	"runtime"
	"strings"
	"testing"

	"github.com/amazon-ion/ion-go/ion"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// readIon reads records up to the end or the first error.
func readIon(file []byte) (records []string, err error) {
	r := newIonRecords(&limitedReader{in: bytes.NewReader(file)})
	for {
		record, err := r.next()
		if errors.Is(err, io.EOF) {
			return records, nil
		}
		if err != nil {
			return records, err
		}
		records = append(records, record)
	}
}

// binaryIon returns records in Ion's binary form. The second record has long values.
func binaryIon(t *testing.T) []byte {
	var file bytes.Buffer
	w := ion.NewBinaryWriter(&file)
	for _, text := range []string{"a", string(bytes.Repeat([]byte("b"), 5000))} {
		require.NoError(t, w.BeginStruct())
		require.NoError(t, w.FieldName(ion.NewSymbolTokenFromString("Item")))
		require.NoError(t, w.BeginStruct())
		require.NoError(t, w.FieldName(ion.NewSymbolTokenFromString("pk")))
		require.NoError(t, w.WriteString(text))
		require.NoError(t, w.EndStruct())
		require.NoError(t, w.EndStruct())
	}
	require.NoError(t, w.Finish())
	return file.Bytes()
}

var ionBombs = []struct {
	name string
	file string
}{
	{"a string of 34 GB", "\xE0\x01\x00\xEA\x8E\x7F\x7F\x7F\x7F\xFFabc"},
	{"a struct of 34 GB", "\xE0\x01\x00\xEA\xDE\x7F\x7F\x7F\x7F\xFFabc"},
	{"an ordered struct of 34 GB", "\xE0\x01\x00\xEA\xD1\x7F\x7F\x7F\x7F\xFFabc"},
	{"an annotation of 34 GB",
		"\xE0\x01\x00\xEA\xEE\x7F\x7F\x7F\x7F\xFF\x81\x84\x8E\x7F\x7F\x7F\x7F\xFF"},
	{"a string of 34 GB in a struct", "\xE0\x01\x00\xEA\xD7\x84\x8E\x7F\x7F\x7F\x7F\xFF"},
	{"padding of 34 GB", "\xE0\x01\x00\xEA\x0E\x7F\x7F\x7F\x7F\xFF"},
	{"after another value", "\xE0\x01\x00\xEA\x21\x01\x8E\x7F\x7F\x7F\x7F\xFF"},
	{"after another marker", "\xE0\x01\x00\xEA\xE0\x01\x00\xEA\x8E\x7F\x7F\x7F\x7F\xFF"},
	{"a length without an end",
		"\xE0\x01\x00\xEA\x8E\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"},
}

// TestIonBombs: a value that claims more than its file has is an error, and takes no memory.
func TestIonBombs(t *testing.T) {
	for _, c := range ionBombs {
		t.Run(c.name, func(t *testing.T) {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			_, err := readIon([]byte(c.file))
			runtime.ReadMemStats(&after)
			require.Error(t, err)
			assert.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(64<<20))
		})
	}
}

func TestIonFramesPassRecordsOn(t *testing.T) {
	records, err := readIon(binaryIon(t))
	require.NoError(t, err)
	require.Len(t, records, 2)
	assert.Equal(t, `{"Item":{"pk":{"S":"a"}}}`, records[0])
	assert.Len(t, records[1], len(records[0])+4999)
}

// FuzzIonRecords: no file ends the process, none is read without an end, and none takes memory that
// its length does not explain.
func FuzzIonRecords(f *testing.F) {
	for _, c := range ionBombs {
		f.Add([]byte(c.file))
	}
	f.Add([]byte(`$ion_1_0 {Item:{pk:"a"}}`))
	for _, open := range []string{"{a:", "[", "(", "a::", "{{", "\x27\x27\x27", "/*"} {
		f.Add([]byte(`$ion_1_0 {Item:{pk:` + strings.Repeat(open, 5000)))
	}
	f.Add([]byte(`$ion_1_0 {Item:{pk:"a",n:1d999999999}}`))
	f.Add(append([]byte("\xE0\x01\x00\xEA"), bytes.Repeat([]byte{0xBE}, 5000)...))
	f.Fuzz(func(t *testing.T, file []byte) {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		records, _ := readIon(file)
		runtime.ReadMemStats(&after)
		assert.LessOrEqual(t, len(records), len(file))
		assert.Less(t, after.TotalAlloc-before.TotalAlloc, 64<<20+10_000*uint64(len(file)))
	})
}
