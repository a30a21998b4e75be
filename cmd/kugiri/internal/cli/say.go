package cli

import (
	"fmt"
	"io"
	"time"
)

// OutputWait is how long a process that ends, or begins, waits for the reader of its output.
const OutputWait = time.Second

// Say prints a line, and goes on after OutputWait if nobody reads it.
func Say(to io.Writer, line ...any) {
	said := make(chan struct{})
	go func() {
		defer close(said)
		fmt.Fprintln(to, line...)
	}()
	select {
	case <-said:
	case <-time.After(OutputWait):
	}
}
