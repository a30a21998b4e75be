//go:build !linux

package serve

// giveBackStartPages does nothing: only on Linux is memory measured with the program's pages.
func giveBackStartPages() error { return nil }
