//go:build !linux

package servecmd

// giveBackStartPages does nothing: only on Linux is memory measured with the program's pages.
func giveBackStartPages() error { return nil }
