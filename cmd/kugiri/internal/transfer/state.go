package transfer

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/kugiri-db/kugiri/storage/budget"
)

// SaveState writes the state of a run, with which another run can go on, as JSON. A kill leaves the
// file as it was or as it is to be.
func SaveState(file string, state any) error {
	var b bytes.Buffer
	if err := json.NewEncoder(&b).Encode(state); err != nil {
		return fmt.Errorf("saving the checkpoint: %w", err)
	}
	f, err := os.CreateTemp(filepath.Dir(file), ".kugiri-resume-*")
	if err != nil {
		return fmt.Errorf("saving the checkpoint: %w", err)
	}
	_, err = f.Write(b.Bytes())
	err = errors.Join(err, f.Close())
	if err == nil {
		err = os.Rename(f.Name(), file)
	}
	if err != nil {
		return errors.Join(fmt.Errorf("saving the checkpoint: %w", err), os.Remove(f.Name()))
	}
	return nil
}

// ReadState reads what SaveState wrote, and reports whether there is such a file.
func ReadState(file string, state any) (found bool, err error) {
	text, err := budget.ReadFile(file, budget.StateBytes)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return false, nil
	case err != nil:
		return false, fmt.Errorf("reading the checkpoint: %w", err)
	}
	if err := json.Unmarshal(text, state); err != nil {
		return false, fmt.Errorf("%s is not a checkpoint to resume from: %w", file, err)
	}
	return true, nil
}

// schedule says when a run is to save its state: after a number of steps, or after some time.
type schedule struct {
	steps int
	saved time.Time
}

const (
	pagesBetweenSaves = 32 // pages of up to 1 MB
	itemsBetweenSaves = 2_000
	timeBetweenSaves  = 5 * time.Second
)

func newSchedule() schedule { return schedule{saved: time.Now()} }

// due counts a step, and reports whether the state is to be saved after it.
func (s *schedule) due(steps int) bool {
	if s.steps++; s.steps < steps && time.Since(s.saved) < timeBetweenSaves {
		return false
	}
	*s = newSchedule()
	return true
}

// RemoveState removes the file, if there is one.
func RemoveState(file string) error {
	if err := os.Remove(file); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}
