//go:build linux || darwin

package disk

import "syscall"

// hasRoom reports whether the device of a directory has a number of free bytes, as far as it says.
func hasRoom(dir string, bytes int64) bool {
	var s syscall.Statfs_t
	return syscall.Statfs(dir, &s) != nil || s.Bavail*uint64(s.Bsize) >= uint64(bytes)
}
