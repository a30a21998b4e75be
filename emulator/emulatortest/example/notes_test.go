package notes

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/kugiri-db/kugiri/emulator"
	"github.com/kugiri-db/kugiri/emulator/emulatortest"
)

// start is when the clock of all tests begins to show.
var start = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

// seed is made once. Every test works on a fork of it.
var seed = sync.OnceValue(func() *emulator.Emulator {
	e := emulator.New(emulator.WithHeldClock(emulator.NewClock(start)))
	s, ctx := &Store{emulatortest.NewClient(e)}, context.Background()
	err := s.Create(ctx)
	for _, title := range []string{"shopping", "books", "birthdays", "films"} {
		err = errors.Join(err, s.Add(ctx, "ada", title, "...", start.Add(24*time.Hour)))
	}
	if err != nil {
		panic(err)
	}
	return e
})

func wantTitles(t *testing.T, s *Store, want ...string) {
	t.Helper()
	got, err := s.Titles(t.Context(), "ada")
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("the titles are %q (%v), not %q", got, err, want)
	}
}

func TestAdd(t *testing.T) {
	t.Parallel()
	server := emulatortest.Fork(t, seed())
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
	wantTitles(t, &Store{emulatortest.Fork(t, seed(), small).Client()}, "birthdays", "books", "films", "shopping")
}

// TestNotesEnd lets a day pass.
func TestNotesEnd(t *testing.T) {
	t.Parallel()
	server := emulatortest.Fork(t, seed())
	server.Clock().Advance(24*time.Hour + time.Second)
	wantTitles(t, &Store{server.Client()})
}
