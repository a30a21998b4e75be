package transfer

import (
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// blanks is a reader of a text again and again.
type blanks struct {
	text string
	at   int
}

func (b *blanks) Read(p []byte) (int, error) {
	n := copy(p, b.text[b.at:])
	b.at = (b.at + n) % len(b.text)
	return n, nil
}

// TestBlankFiles: a file of more blanks than 64 MB, as a short compressed one may be, is refused in
// words before its end. As many blanks as the limit allows are no error.
func TestBlankFiles(t *testing.T) {
	const item = `{"pk":{"S":"a"}}`
	line := strings.Repeat(" ", 1<<20-1) + "\n"
	for _, c := range []struct {
		name       string
		format     Format
		begin, end string
	}{
		{"lines", JSONLines, "", item},
		{"lines after an item", JSONLines, item + "\n", item},
		{"plain lines", Plain, "", `{"pk":"a"}`},
		{"in a list", JSONLines, "[", item + "]"},
		{"in a scan", ScanJSON, `{"Items":[`, item + "]}"},
	} {
		t.Run(c.name, func(t *testing.T) {
			read := func(size int64) (items int, left int64, err error) {
				blank := &io.LimitedReader{R: &blanks{text: line}, N: size}
				in, err := Decompressed(io.MultiReader(strings.NewReader(c.begin), blank,
					strings.NewReader(c.end)))
				require.NoError(t, err)
				r, err := NewReader(c.format, "f", in, nil)
				for err == nil {
					if _, err = r.Next(); err == nil {
						items++
					}
				}
				return items, blank.N, err
			}
			items, _, err := read(maxBlank)
			assert.Equal(t, io.EOF, err)
			assert.NotZero(t, items)
			_, left, err := read(1 << 40)
			assert.ErrorIs(t, err, errBlank)
			assert.Greater(t, left, int64(1<<39), "it was read to its end")
		})
	}
}

// TestEmptyLines: lines without anything count, too.
func TestEmptyLines(t *testing.T) {
	r := newLines("f", &blanks{text: strings.Repeat("\n", 1<<16)}, lineItem)
	_, err := r.Next()
	assert.EqualError(t, err,
		"f:67108865: more than 67108864 bytes of blank lines or spaces: this is no file of items")
}

// TestFilesWithoutItems: valid JSON that has no items is refused in words before its end, too.
func TestFilesWithoutItems(t *testing.T) {
	token := `"NextToken":"` + strings.Repeat("x", 4<<10) + `"`
	blank := strings.Repeat(" ", 4<<10)
	for _, c := range []struct {
		name        string
		format      Format
		text, begin string
	}{
		{"answers of a scan", ScanJSON, `{"Items":[],` + token + `}`, ""},
		{"answers after an item", ScanJSON, `{"Items":[],` + token + `}`,
			`{"Items":[{"pk":{"S":"a"}}]}`},
		{"answers without items", ScanJSON, `{` + token + `}`, ""},
		{"empty answers", ScanJSON, "{" + blank + "}", ""},
		{"members of an answer", ScanJSON, `,` + token, `{"Count":0`},
		{"lists", JSONLines, "[" + blank + "]", "[]"},
	} {
		t.Run(c.name, func(t *testing.T) {
			left := &io.LimitedReader{R: &blanks{text: c.text}, N: 1 << 40}
			in, err := Decompressed(io.MultiReader(strings.NewReader(c.begin), left))
			require.NoError(t, err)
			r, err := NewReader(c.format, "f", in, nil)
			require.NoError(t, err)
			for err == nil {
				_, err = r.Next()
			}
			assert.ErrorIs(t, err, errIdle)
			assert.Greater(t, left.N, int64(1<<39), "it was read to its end")
		})
	}
}
