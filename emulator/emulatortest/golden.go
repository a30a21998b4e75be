package emulatortest

import (
	"errors"
	"flag"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/aymanbagabas/go-udiff"
)

// Dump returns the items of a table as text: see emulator.Emulator.Dump. The test fails if the
// table does not exist.
func (s *Server) Dump(t TB, table string) string {
	t.Helper()
	var b strings.Builder
	if err := s.Emulator.Dump(&b, s.options.accessKey, s.options.region, table); err != nil {
		t.Fatalf("emulatortest: %v", err)
	}
	return b.String()
}

// updateVariable names the environment variable that makes Golden write files.
const updateVariable = "KUGIRI_UPDATE"

// Golden compares tables with a file. Without names it compares all tables. For each table the file
// has the line "=== " with the table's name, followed by the result of Dump. If there are
// differences, or no file, the test fails and prints them.
//
// Golden writes the file instead if the environment variable KUGIRI_UPDATE is true (1, t, true), or
// if the test binary has a flag -update of its own that is set. It makes the directory if
// necessary.
func (s *Server) Golden(t TB, path string, tables ...string) {
	t.Helper()
	got := s.dumpAll(t, tables)
	if updating(t) {
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatalf("emulatortest: %v", err)
		}
		if err := os.WriteFile(path, []byte(got), 0o666); err != nil {
			t.Fatalf("emulatortest: %v", err)
		}
		return
	}
	file, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatalf("emulatortest: %v", err)
	}
	// version control may have changed line ends
	want := strings.ReplaceAll(string(file), "\r\n", "\n")
	if diff := udiff.Unified(path, "tables", want, got); diff != "" || err != nil {
		t.Fatalf("emulatortest: the tables are not those of %s; %s=1 accepts them:\n%s", path,
			updateVariable, diff)
	}
}

func (s *Server) dumpAll(t TB, tables []string) string {
	t.Helper()
	if len(tables) == 0 {
		tables = s.TableNames(s.options.accessKey, s.options.region)
	}
	var b strings.Builder
	for _, table := range tables {
		b.WriteString("=== " + table + "\n" + s.Dump(t, table))
	}
	return b.String()
}

// updating reports whether Golden writes files.
func updating(t TB) bool {
	t.Helper()
	if f := flag.Lookup("update"); f != nil && f.Value.String() == "true" {
		return true
	}
	text := os.Getenv(updateVariable)
	if text == "" {
		return false
	}
	update, err := strconv.ParseBool(text)
	if err != nil {
		t.Fatalf("emulatortest: %s=%s is neither true nor false", updateVariable, text)
	}
	return update
}
