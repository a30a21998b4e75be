package designs

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/kugiri-db/kugiri/conventions/design"
	"github.com/kugiri-db/kugiri/conventions/design/designfile"
	"github.com/kugiri-db/kugiri/conventions/design/migrate"
	"github.com/kugiri-db/kugiri/conventions/design/source"
)

// writeLock writes the table of a draft as the lock from which its design is planned. A warning
// says what its plan does not keep.
func (x *designFrom) writeLock(draft *source.Draft) error {
	if x.lock == "" {
		return nil
	}
	plan, err := draft.Existing()
	if err != nil {
		return fmt.Errorf("no lock can say what the keys hold; without --lock the design alone is written: %w",
			err)
	}
	if draft.Design.From, err = x.lockFrom(); err != nil {
		return err
	}
	text, err := designfile.Lock(plan)
	if err != nil {
		return err
	}
	draft.Warnings = append(draft.Warnings, moved(&draft.Design, plan)...)
	return create(x.lock, text)
}

// lockFrom returns the name of the lock as the design has it: from where the design is.
func (x *designFrom) lockFrom() (string, error) {
	if x.out == "-" {
		return x.lock, nil
	}
	dir, err := filepath.Abs(filepath.Dir(x.out))
	if err != nil {
		return "", err
	}
	lock, err := filepath.Abs(x.lock)
	if err != nil {
		return "", err
	}
	name, err := filepath.Rel(dir, lock)
	return filepath.ToSlash(name), err
}

// moved warns of what the plan of a design does not keep of the table that is there.
func moved(d *design.Design, old *design.Plan) []string {
	m, err := migrate.Make(d, old)
	switch {
	case err != nil:
		return []string{"no plan serves the design: " + strings.ReplaceAll(err.Error(), "\n", "; ")}
	case m.NewTable:
		return []string{"the plan of the design is a new table: " + m.Because}
	case m.Change() != migrate.Nothing:
		return []string{fmt.Sprintf("the plan of the design differs from the table: %s", m.Change())}
	}
	return nil
}

// create writes a file that is not there yet.
func create(name string, text []byte) error {
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	return errors.Join(err, f.Close())
}
