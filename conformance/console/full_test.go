package console

import (
	"os"
	"testing"
)

// full has tests run that are slow by their nature, and those that install packages.
const full = "TEST_FULL"

// isFull reports whether every case runs. Who wants pictures wants them of every page.
func isFull() bool { return os.Getenv(full) != "" || os.Getenv("KUGIRI_PICTURES") != "" }

func onlyInFull(t *testing.T) {
	if !isFull() {
		withoutFull.Add(1)
		t.Skip("it is slow: run it with " + full + "=true")
	}
}

// sample skips a case of a test that has many alike, unless all are run: of n cases the first runs.
func sample(t *testing.T, i, n int) {
	t.Helper()
	if i%n > 0 {
		onlyInFull(t)
	}
}
