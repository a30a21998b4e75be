package main

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/transfer"
)

// exportState is how far an export is.
type exportState struct {
	Table    string             `json:"table"`
	At       string             `json:"at"` // the endpoint
	Format   string             `json:"format"`
	Out      string             `json:"out"`
	File     string             `json:"file"`  // what is written so far, beside Out
	Bytes    int64              `json:"bytes"` // bytes of File up to the position
	Position *transfer.Position `json:"position"`
}

// resumed opens a file that an export of another run may have begun, and has e begin where it was.
func (x *exportConfig) resumed(e *transfer.Exporter) (*output, error) {
	if format := transfer.Format(x.format.Value); x.out == "-" || format != transfer.JSONLines &&
		format != transfer.Plain {
		return nil, errors.New(
			"--resume is for the formats jsonl and plain, and a file that --out names")
	}
	out, err := regularFile(x.out)
	if err != nil {
		return nil, err
	}
	begun := exportState{Table: x.table, At: x.At(e.Client), Format: x.format.Value, Out: out}
	state := begun
	found, err := transfer.ReadState(x.resume, &state)
	if err != nil {
		return nil, err
	}
	if err := state.check(&begun, x.resume, found); err != nil {
		return nil, err
	}
	file, err := state.open(x.resume, found)
	if err != nil {
		return nil, err
	}
	lines, err := transfer.NewWriter(transfer.Format(state.Format), file)
	if err != nil {
		return nil, err
	}
	e.Position = state.Position
	e.Reached = func(p *transfer.Position) error {
		state.Position = p
		return state.save(x.resume, file, lines.(transfer.LineWriter))
	}
	return &output{Writer: lines, left: "the same command goes on from " + x.resume,
		discard: file.Close, finish: func() error {
			r := replacement{file, state.Out}
			return errors.Join(r.install(), transfer.RemoveState(x.resume))
		}}, nil
}

// regularFile returns the path of a file that another may replace, and that need not be there.
func regularFile(name string) (string, error) {
	path, err := filepath.Abs(name)
	if err != nil {
		return "", err
	}
	if linked, err := filepath.EvalSymlinks(path); err == nil {
		path = linked
	}
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return "", fmt.Errorf("--resume: %s is not a regular file", name)
	}
	return path, nil
}

// check refuses the state of another export, and one that no export can have written.
func (s *exportState) check(begun *exportState, name string, found bool) error {
	switch {
	case !found:
		return nil
	case s.Position == nil || len(s.Position.Segments) < 1 || len(s.Position.Segments) > 1000 ||
		s.Bytes < 0:
		return fmt.Errorf("%s is not a checkpoint to resume from", name)
	case s.Table != begun.Table || s.At != begun.At || s.Format != begun.Format ||
		s.Out != begun.Out:
		return fmt.Errorf("%s is of an export of %s at %s to %s, as %s: remove it to begin anew",
			name, s.Table, s.At, s.Out, s.Format)
	}
	return nil
}

// open opens the file after what is written of it, or creates it.
func (s *exportState) open(name string, found bool) (*os.File, error) {
	if !found {
		s.File = filepath.Join(filepath.Dir(s.Out),
			"."+filepath.Base(s.Out)+".unfinished-"+rand.Text())
		return os.OpenFile(s.File, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	}
	file, err := os.OpenFile(s.File, os.O_WRONLY, 0)
	if err != nil {
		return nil, fmt.Errorf("what %s goes on with: %w: remove it to begin anew", name, err)
	}
	info, err := file.Stat()
	if err == nil && info.Size() < s.Bytes {
		err = fmt.Errorf("%s has less than %s says: remove both to begin anew", s.File, name)
	}
	if err == nil {
		err = file.Truncate(s.Bytes)
	}
	if err == nil {
		_, err = file.Seek(s.Bytes, io.SeekStart)
	}
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return file, nil
}

// save keeps the state once the file has all that is before the position.
func (s *exportState) save(name string, file *os.File, lines transfer.LineWriter) error {
	err := lines.Flush()
	if err == nil {
		err = file.Sync()
	}
	if err == nil {
		s.Bytes, err = file.Seek(0, io.SeekCurrent)
	}
	if err != nil {
		return err
	}
	return transfer.SaveState(name, s)
}
