package emulatortest_test

import (
	"syscall"
	"time"
)

// cpuTime returns the CPU time of the process, from an arbitrary beginning.
func cpuTime() time.Duration {
	process, _ := syscall.GetCurrentProcess()
	var created, ended, kernel, user syscall.Filetime
	syscall.GetProcessTimes(process, &created, &ended, &kernel, &user)
	return time.Duration(kernel.Nanoseconds() + user.Nanoseconds())
}
