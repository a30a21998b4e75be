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
	return await(ctx, func() ([]byte, error) {
		f, err := os.Open(name)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		text, err := io.ReadAll(io.LimitReader(f, maxBytes+1))
		if err == nil && len(text) > maxBytes {
			err = &tooLargeError{name}
		}
		return text, err
	})
}

// await returns what read returns, or the cause of ctx's end when that is before. read then goes on
// by itself: a pipe may have it wait for ever.
func await[T any](ctx context.Context, read func() (T, error)) (value T, err error) {
	done := make(chan struct{})
	var found T
	var failed error
	go func() {
		defer close(done)
		found, failed = read()
	}()
	select {
	case <-done:
		return found, failed
	case <-ctx.Done():
		return value, context.Cause(ctx)
	}
}
