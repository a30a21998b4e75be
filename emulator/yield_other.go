//go:build !linux

package emulator

import "runtime"

// yield lets other goroutines go first.
func yield() { runtime.Gosched() }
