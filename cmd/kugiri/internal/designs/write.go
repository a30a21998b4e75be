package designs

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/cli"
	"github.com/kugiri-db/kugiri/conventions/design/designfile"
	"github.com/kugiri-db/kugiri/conventions/design/render"
	"github.com/kugiri-db/kugiri/storage/budget"
)

// designWrite holds the flags of "design write".
type designWrite struct {
	out   string
	force bool
}

func designWriteCommand() *cobra.Command {
	var w designWrite
	c := &cobra.Command{
		Use:   "write FILE",
		Short: "Write the plan of a design file as files: pages, templates, samples, and Go with a test",
		Long: "Write the plan of a design file into a directory: pages with the reasons, the table for CloudFormation\n" +
			"and Terraform, access patterns, a policy, sample items, and a Go package with a test of all patterns.\n" +
			"A file that you edited is left as it is, and then nothing is written, unless you say --force.",
		Example: "  kugiri design write design.yaml --out design\n  kugiri serve --seed design/seed",
		Args:    oneDesign,
		RunE: cli.Abandoned("nothing was written", func(c *cobra.Command, args []string) error {
			plans, err := designfile.TablesFile(args[0])
			if err != nil {
				return err
			}
			files, err := render.Files(plans...)
			if err != nil {
				return err
			}
			changed, err := w.write(files)
			if err != nil {
				return err
			}
			for _, name := range changed {
				if _, err := fmt.Fprintf(c.OutOrStdout(), "wrote %s\n",
					filepath.Join(w.out, name)); err != nil {
					return err
				}
			}
			_, err = fmt.Fprintf(c.OutOrStdout(), "%d of %d files changed\n", len(changed),
				len(files))
			return err
		}),
	}
	c.Flags().StringVarP(&w.out, "out", "o", "design", "`directory` to write into")
	c.Flags().BoolVar(&w.force, "force", false, "also write over files that were edited")
	return c
}

// sumsFile is the file with the checksums of what was written, by which edited files show.
const sumsFile = ".kugiri-design.json"

// write writes files, and returns the names of those that changed. It writes none if one was
// edited.
func (w *designWrite) write(files []render.File) (changed []string, err error) {
	sums, err := w.sums()
	if err != nil {
		return nil, err
	}
	written := map[string]string{}
	var edited []string
	for _, f := range files {
		there, err := budget.ReadFile(w.path(f.Name), budget.StateBytes)
		switch {
		case err != nil && !errors.Is(err, fs.ErrNotExist):
			return nil, err
		case err == nil && bytes.Equal(there, f.Content):
		case err == nil && sums[f.Name] != sum(there) && !w.force:
			edited = append(edited, w.path(f.Name))
		default:
			changed = append(changed, f.Name)
		}
		written[f.Name] = sum(f.Content)
	}
	if edited != nil {
		return nil, fmt.Errorf(
			"these files were edited, or are not from here: %s; --force writes over them",
			strings.Join(edited, ", "))
	}
	for _, f := range files {
		if err := w.writeFile(f.Name, f.Content); err != nil {
			return nil, err
		}
	}
	text, err := json.MarshalIndent(written, "", "  ")
	if err != nil {
		return nil, err
	}
	return changed, w.writeFile(sumsFile, append(text, '\n'))
}

// sums returns the checksums of the files that were written before.
func (w *designWrite) sums() (sums map[string]string, err error) {
	text, err := budget.ReadFile(w.path(sumsFile), budget.StateBytes)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err == nil {
		err = json.Unmarshal(text, &sums)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", w.path(sumsFile), err)
	}
	return sums, nil
}

func (w *designWrite) path(name string) string {
	return filepath.Join(w.out, filepath.FromSlash(name))
}

func (w *designWrite) writeFile(name string, content []byte) error {
	if err := os.MkdirAll(filepath.Dir(w.path(name)), 0o755); err != nil {
		return err
	}
	return os.WriteFile(w.path(name), content, 0o644)
}

func sum(content []byte) string {
	hash := sha256.Sum256(content)
	return hex.EncodeToString(hash[:])
}
