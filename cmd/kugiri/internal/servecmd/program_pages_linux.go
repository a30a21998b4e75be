package servecmd

import (
	"bufio"
	"fmt"
	"os"
	"runtime/debug"
	"strings"

	"golang.org/x/sys/unix"
)

// giveBackStartPages gives the memory back that only the start needed: garbage, and the pages of
// the program's code and constants, which the kernel maps again when they are used.
func giveBackStartPages() error {
	debug.FreeOSMemory()
	program, err := os.Executable()
	if err != nil {
		return err
	}
	maps, err := os.Open("/proc/self/maps")
	if err != nil {
		return err
	}
	defer func() { _ = maps.Close() }()
	lines := bufio.NewScanner(maps)
	for lines.Scan() {
		if from, to, ok := unchangedPages(lines.Text(), program); ok {
			if err := dropPages(from, to); err != nil {
				return err
			}
		}
	}
	return lines.Err()
}

// unchangedPages returns the addresses of a line of /proc/self/maps if they are pages of a program
// that cannot be written: the kernel has them in its cache of files.
func unchangedPages(line, program string) (from, to uintptr, ok bool) {
	if !strings.HasSuffix(line, " "+program) {
		return 0, 0, false
	}
	var access string
	if _, err := fmt.Sscanf(line, "%x-%x %s", &from, &to, &access); err != nil ||
		strings.Contains(access, "w") {
		return 0, 0, false
	}
	return from, to, true
}

// dropPages tells the kernel that pages are not needed now.
func dropPages(from, to uintptr) error {
	_, _, err := unix.Syscall(unix.SYS_MADVISE, from, to-from, unix.MADV_DONTNEED)
	if err != 0 {
		return fmt.Errorf("madvise: %w", err)
	}
	return nil
}
