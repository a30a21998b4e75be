package emulatortest

import "github.com/kugiri-db/kugiri/emulator/seed"

// Seed loads files and directories of seeds into the tables that Client sees. Seeds are the JSON
// that the AWS CLI reads and prints, and models of NoSQL Workbench (see package seed). The test
// fails if a seed is invalid or refused.
func (s *Server) Seed(t TB, paths ...string) {
	t.Helper()
	d, err := seed.ReadFiles(paths...)
	if err != nil {
		t.Fatalf("emulatortest: %v", err)
		return
	}
	if l, ok := t.(interface {
		Logf(format string, args ...any)
	}); ok {
		for _, w := range d.Warnings() {
			l.Logf("emulatortest: %v", w)
		}
	}
	s.Load(t, d)
}

// SeedTables loads tables given as Go values.
func (s *Server) SeedTables(t TB, tables ...seed.Table) {
	t.Helper()
	d, err := seed.Of(tables...)
	if err != nil {
		t.Fatalf("emulatortest: %v", err)
		return
	}
	s.Load(t, d)
}

// Load loads seeds that were read before, for many tests or from an embed.FS.
func (s *Server) Load(t TB, d *seed.Data) {
	t.Helper()
	if err := d.Load(s.http.client); err != nil {
		t.Fatalf("emulatortest: %v", err)
	}
}
