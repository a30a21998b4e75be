//go:build !unix

package growth

import "time"

var begun = time.Now()

// CPU returns how long the process has run, in place of how long it has computed.
func CPU() time.Duration { return time.Since(begun) }
