package budget

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestReadFile(t *testing.T) {
	name := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(name, []byte("12345"), 0o600))
	text, err := ReadFile(name, 5)
	require.NoError(t, err)
	assert.Equal(t, "12345", string(text))
	_, err = ReadFile(name, 4)
	require.ErrorIs(t, err, ErrTooLarge)
	assert.EqualError(t, err, name+" is larger than 4 bytes")
	_, err = ReadFile(name+"x", 4)
	require.ErrorIs(t, err, os.ErrNotExist)
}

// endless is a reader without end.
type endless struct{ read int }

func (e *endless) Read(b []byte) (int, error) {
	e.read += len(b)
	return len(b), nil
}

func TestReadAllEnds(t *testing.T) {
	e := new(endless)
	_, err := ReadAll(e, "the answer", 1<<20)
	require.EqualError(t, err, "the answer is larger than 1048576 bytes")
	assert.LessOrEqual(t, e.read, 2<<20)
	text, err := ReadAll(bytes.NewReader(nil), "", 0)
	require.NoError(t, err)
	assert.Empty(t, text)
	_, err = ReadAll(strings.NewReader("x"), "", 0)
	require.ErrorIs(t, err, ErrTooLarge)
}
