package explore

import (
	"encoding/json"
	"fmt"
	"os"
	"runtime/debug"
	"strings"
	"sync"
	"testing"
)

// reported counts the reports of tests that run, by the name of the test.
var reported struct {
	sync.Mutex
	byTest map[string]int
}

// addReport adds a report to a file, as a line of JSON. The packages of one "go test" may add to
// one file.
func addReport(t *testing.T, file string, r *Report) error {
	p := r.PartReport()
	p.Name = nameOf(t)
	line, err := json.Marshal(p)
	if err != nil {
		return err
	}
	f, err := os.OpenFile(file, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o666)
	if err != nil {
		return err
	}
	_, err = f.Write(append(line, '\n'))
	if closed := f.Close(); err == nil {
		err = closed
	}
	return err
}

// nameOf names a search: by the package, the test and, if the test has several, the number.
func nameOf(t *testing.T) string {
	name := t.Name()
	if info, ok := debug.ReadBuildInfo(); ok && info.Path != "" {
		name = strings.TrimSuffix(info.Path, ".test") + "." + name
	}
	reported.Lock()
	defer reported.Unlock()
	if reported.byTest == nil {
		reported.byTest = map[string]int{}
	}
	if reported.byTest[name]++; reported.byTest[name] == 1 {
		t.Cleanup(func() {
			reported.Lock()
			defer reported.Unlock()
			delete(reported.byTest, name)
		})
		return name
	}
	return fmt.Sprintf("%s (%d)", name, reported.byTest[name])
}
