package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/transfer"
)

// importState is how far an import is.
type importState struct {
	Table  string         `json:"table"`
	At     string         `json:"at"` // the endpoint
	Files  []importedFile `json:"files"`
	Source int            `json:"source"` // the one that is read
	Items  int64          `json:"items"`  // items of that source that are in the table
	Before int64          `json:"before"` // items of the sources before it
}

// importedFile is a source of an import. A file that changes is another source.
type importedFile struct {
	Name     string `json:"name"`
	Bytes    int64  `json:"bytes"`
	Modified int64  `json:"modified"` // nanoseconds
}

// readState reads the state with which --resume goes on, and reports whether there is one.
func (x *importConfig) readState(client *dynamodb.Client, sources []string) (found bool,
	err error) {
	if x.resume == "" {
		return false, nil
	}
	begun := importState{Table: x.table, At: x.At(client)}
	for _, source := range sources {
		if source == "-" {
			return false, errors.New(
				"--resume is for files and directories: the standard input cannot be read again")
		}
		file, err := importedFrom(source)
		if err != nil {
			return false, err
		}
		begun.Files = append(begun.Files, file)
	}
	x.state = begun
	if found, err = transfer.ReadState(x.resume, &x.state); err != nil || !found {
		return false, err
	}
	switch s := &x.state; {
	case s.Table != begun.Table || s.At != begun.At:
		return false, fmt.Errorf("%s is of an import into %s at %s: remove it to begin anew",
			x.resume, s.Table, s.At)
	case !slices.Equal(s.Files, begun.Files):
		return false, fmt.Errorf(
			"%s is of an import of other files, or they have changed: remove it to begin anew",
			x.resume)
	case s.Source < 0 || s.Source > len(s.Files) || s.Items < 0 || s.Before < 0:
		return false, fmt.Errorf("%s is not a checkpoint to resume from", x.resume)
	}
	return true, nil
}

// importedFrom describes a source.
func importedFrom(source string) (importedFile, error) {
	name, err := filepath.Abs(source)
	if err != nil {
		return importedFile{}, err
	}
	info, err := os.Stat(name)
	if err != nil {
		return importedFile{}, err
	}
	return importedFile{name, info.Size(), info.ModTime().UnixNano()}, nil
}

// putSource puts the items of a source, from where the state is, and keeps the state from time to
// time. It returns how many of its items are in the table.
func (x *importConfig) putSource(ctx context.Context, i *transfer.Importer,
	in transfer.Reader) (items int64, err error) {
	if x.resume != "" {
		i.Skip = x.state.Items
		i.Reached = func(n int64) error {
			x.state.Items = n
			return transfer.SaveState(x.resume, &x.state)
		}
		if err := i.Reached(i.Skip); err != nil {
			return i.Skip, err
		}
	}
	more, err := i.Run(ctx, in)
	return i.Skip + more, err
}
