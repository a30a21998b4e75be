//go:build unix

package growth

import (
	"syscall"
	"time"
)

// CPU returns how long the process has computed. Other processes do not add to it.
func CPU() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
