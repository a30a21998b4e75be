package jobs

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/kugiri-db/kugiri/emulator/internal/serve"
	"github.com/kugiri-db/kugiri/emulator/transfers"
)

// TestFailuresHaveNoPaths: who asks for a job does not learn where the server has its files.
func TestFailuresHaveNoPaths(t *testing.T) {
	for name, c := range map[string]struct {
		err  error
		want jobFailure
	}{
		"a file": {&fs.PathError{Op: "read", Path: "/srv/buckets/b/o",
			Err: errors.New("is a directory")},
			jobFailure{"UNKNOWN", "read: is a directory"}},
		"a file, within": {fmt.Errorf("object o: %w",
			&fs.PathError{Op: "open", Path: "/srv/o", Err: fs.ErrPermission}),
			jobFailure{"UNKNOWN", "open: permission denied"}},
		"two files": {&os.LinkError{Op: "rename", Old: "/srv/a", New: "/srv/b", Err: fs.ErrExist},
			jobFailure{"UNKNOWN", "rename: file already exists"}},
		"of S3": {&transfers.Error{Code: "NoSuchKey", Message: "no"},
			jobFailure{"S3NoSuchKey", "no"}},
		"of a job": {errJobTable, *errJobTable},
		"another":  {serve.ErrPanic, jobFailure{"UNKNOWN", "panic"}},
	} {
		assert.Equal(t, c.want, *failureOf(c.err), name)
	}
}
