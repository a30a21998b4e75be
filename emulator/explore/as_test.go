package explore_test

import (
	"os"
	"testing"
)

// asTest runs f as a test in an example, which has no *testing.T. What package testing prints about
// the test is not part of the output.
func asTest(name string, f func(t *testing.T)) {
	stdout := os.Stdout
	silent, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if err != nil {
		panic(err)
	}
	defer silent.Close()
	os.Stdout = silent
	defer func() { os.Stdout = stdout }()
	testing.RunTests(func(string, string) (bool, error) { return true, nil },
		[]testing.InternalTest{{Name: name, F: func(t *testing.T) {
			os.Stdout = stdout
			defer func() { os.Stdout = silent }()
			f(t)
		}}})
}
