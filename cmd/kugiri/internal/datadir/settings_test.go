package datadir

import (
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestLoading(t *testing.T) {
	var out strings.Builder
	logger := slog.New(slog.NewTextHandler(&out, nil))
	var p loading
	p.log(logger)
	p.set(1, 4)
	p.log(logger)
	assert.Contains(t, out.String(), "verifying the data")
	assert.Contains(t, out.String(), `msg="loading the data" entries=1 of=4 percent=25`)
}

func TestNotAllowed(t *testing.T) {
	denied := &fs.PathError{Op: "open", Path: "data/lock", Err: fs.ErrPermission}
	assert.EqualError(t, notAllowed(denied),
		fmt.Sprintf(
			"open data/lock: permission denied: the user who runs kugiri, %d, must be able to read and write data-dir", os.Getuid()))
	assert.Equal(t, io.EOF, notAllowed(io.EOF))
}
