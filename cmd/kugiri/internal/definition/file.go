package definition

import (
	"context"
	"fmt"
	"io"
	"os"
)

// tooLargeError is the error of a file that is larger than the limit.
type tooLargeError struct{ name string }

func (e *tooLargeError) Error() string {
	return fmt.Sprintf("%s is larger than %d bytes", e.name, maxBytes)
}

// readFile reads a file within the limit. It also reads from a pipe, which may have no end. If the
// file is too large it returns what fits, and an error.
func readFile(ctx context.Context, name string) ([]byte, error) {
	type result struct {
		text []byte
		err  error
	}
	done := make(chan result, 1)
	go func() {
		f, err := os.Open(name)
		if err != nil {
			done <- result{err: err}
			return
		}
		defer f.Close()
		text, err := io.ReadAll(io.LimitReader(f, maxBytes+1))
		if err == nil && len(text) > maxBytes {
			err = &tooLargeError{name}
		}
		done <- result{text, err}
	}()
	select {
	case r := <-done:
		return r.text, r.err
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}
