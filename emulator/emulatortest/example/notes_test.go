package notes

import (
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/kugiri-db/kugiri/emulator"
	"github.com/kugiri-db/kugiri/emulator/emulatortest"
)

// start is when the clock of all tests begins to show.
var start = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

// newServer gives a test a fork of a server that is made once.
var newServer = emulatortest.Template(func(t *testing.T, server *emulatortest.Server) {
	s := &Store{server.Client()}
	err := s.Create(t.Context())
	for _, title := range []string{"shopping", "books", "birthdays", "films"} {
		err = errors.Join(err, s.Add(t.Context(), "ada", title, "...", start.Add(24*time.Hour)))
	}
	if err != nil {
		t.Fatal(err)
	}
}, emulatortest.WithClockAt(start))

func wantTitles(t *testing.T, s *Store, want ...string) {
	t.Helper()
	got, err := s.Titles(t.Context(), "ada")
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("the titles are %q (%v), not %q", got, err, want)
	}
}

func TestAdd(t *testing.T) {
	t.Parallel()
	server := newServer(t)
	s := &Store{server.Client()}
	if err := s.Add(t.Context(), "ada", "letters", "to Charles", start.Add(time.Hour)); err != nil {
		t.Fatal(err)
	}
	if err := s.Add(t.Context(), "ada", "books", "again", start); err != ErrExists {
		t.Errorf("a second note of the same title: %v", err)
	}
	server.Golden(t, "testdata/added.golden")
}

// TestTitlesOfManyPages needs no megabyte of notes for a second page.
func TestTitlesOfManyPages(t *testing.T) {
	t.Parallel()
	small := emulatortest.WithEmulator(emulator.WithLimits(emulator.Limits{PageBytes: 50}))
	wantTitles(t, &Store{newServer(t, small).Client()}, "birthdays", "books", "films", "shopping")
}

// TestNotesEnd lets a day pass.
func TestNotesEnd(t *testing.T) {
	t.Parallel()
	server := newServer(t)
	server.Clock().Advance(24*time.Hour + time.Second)
	wantTitles(t, &Store{server.Client()})
}
