//go:build !linux

package httpd

import "runtime"

// yield lets other goroutines go first.
func yield() { runtime.Gosched() }
