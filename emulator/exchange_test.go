package emulator

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestHTTPClientIsCutOff(t *testing.T) {
	for _, c := range []struct {
		name  string
		serve func(http.ResponseWriter)
		err   error
	}{
		{"by the end of the connection", func(http.ResponseWriter) { panic(http.ErrAbortHandler) },
			io.EOF},
		{"by the same in the middle of the answer", func(w http.ResponseWriter) {
			w.Write([]byte("half"))
			panic(http.ErrAbortHandler)
		}, io.EOF},
		{"by nothing", func(http.ResponseWriter) {}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			e := New()
			e.handler = http.HandlerFunc(
				func(w http.ResponseWriter, _ *http.Request) { c.serve(w) })
			res, err := e.HTTPClient("key",
				"us-east-1").Do(httptest.NewRequest(http.MethodPost, "http://host/", nil))
			require.ErrorIs(t, err, c.err)
			if c.err == nil {
				assert.Equal(t, http.StatusOK, res.StatusCode)
			}
		})
	}
}

// TestHTTPClientPanics: a panic outside of operations is a bug, and the caller's to see.
func TestHTTPClientPanics(t *testing.T) {
	e := New()
	bug := errors.New("bug")
	e.handler = http.HandlerFunc(func(http.ResponseWriter, *http.Request) { panic(bug) })
	assert.PanicsWithValue(t, bug, func() {
		e.HTTPClient("key",
			"us-east-1").Do(httptest.NewRequest(http.MethodPost, "http://host/", nil))
	})
}
