package emulatortest

import "github.com/kugiri-db/kugiri/emulator/seed"

// Seed loads files and directories of seeds into the tables that Client sees: what
// the AWS CLI prints and takes, and models of NoSQL Workbench (see package seed).
// The test fails if one is not right, or is refused.
func (s *Server) Seed(t TB, paths ...string) {
	t.Helper()
	d, err := seed.ReadFiles(paths...)
	if err != nil {
		t.Fatalf("emulatortest: %v", err)
		return
	}
	s.Load(t, d)
}

// SeedTables is Seed of Go values.
func (s *Server) SeedTables(t TB, tables ...seed.Table) {
	t.Helper()
	d, err := seed.Of(tables...)
	if err != nil {
		t.Fatalf("emulatortest: %v", err)
		return
	}
	s.Load(t, d)
}

// Load is Seed of seeds that have been read before, for many tests or from an embed.FS.
func (s *Server) Load(t TB, d *seed.Data) {
	t.Helper()
	if err := d.Load(s.http.client); err != nil {
		t.Fatalf("emulatortest: %v", err)
	}
}
