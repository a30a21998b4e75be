package explore

import (
	"flag"
	"os"
	"sync"
	"testing"
)

// AsTest runs f once as a test, in an example or a benchmark: these have no *testing.T. What
// package testing prints about the test is not part of the output.
func AsTest(name string, f func(t *testing.T)) {
	stdout := os.Stdout
	silent, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if err != nil {
		panic(err)
	}
	defer silent.Close()
	os.Stdout = silent
	defer func() { os.Stdout = stdout }()
	skip := flag.Lookup("test.skip").Value.String()
	var once sync.Once // package testing runs it for each value of -cpu and -count
	testing.RunTests(func(pattern, _ string) (bool, error) { return pattern != skip, nil },
		[]testing.InternalTest{{Name: name, F: func(t *testing.T) {
			os.Stdout = stdout
			defer func() { os.Stdout = silent }()
			once.Do(func() { f(t) })
		}}})
}
