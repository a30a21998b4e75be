package seed

import (
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// Data holds tables and items to load. It does not change. Any number of emulators may load it,
// also concurrently.
type Data struct {
	tables []definition
	ttls   []timeToLive
	writes writes

	warnings []Warning
}

// Warning says what is left out of what was read.
type Warning struct {
	Place   string // file and line
	Message string
}

func (w Warning) String() string { return w.Place + ": " + w.Message }

// Warnings returns a warning for each member of a model of NoSQL Workbench that this package does
// not know.
func (d *Data) Warnings() []Warning { return slices.Clone(d.warnings) }

// timeToLive is a TimeToLiveSpecification.
type timeToLive struct {
	place
	table string
	spec  []byte
}

// Read reads seeds from r. Errors contain name. Items that name no table belong to the table that
// name is derived from.
func Read(name string, r io.Reader) (*Data, error) {
	text, err := io.ReadAll(r)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	d := new(Data)
	return d, d.read(name, text)
}

// ReadFiles reads files, and all files of directories in the order of their names. In a directory
// it skips files whose names begin with a dot. All others must end in .json, .jsonl or .ndjson. A
// directory within a directory is an error.
func ReadFiles(paths ...string) (*Data, error) {
	d := new(Data)
	for _, p := range paths {
		info, err := os.Stat(p)
		if err != nil {
			return nil, err
		}
		if !info.IsDir() {
			if err := d.readFile(readLimited, p, p); err != nil {
				return nil, err
			}
			continue
		}
		if err := d.readDir(os.DirFS(p), ".",
			func(name string) string { return filepath.Join(p, name) }); err != nil {
			return nil, err
		}
	}
	return d, nil
}

// maxFile is the largest file of seeds, whose values are all in memory at once. A larger one is for
// an import.
const maxFile = 1 << 30

// readLimited reads a file within the limit. A device may have no end.
func readLimited(name string) ([]byte, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	switch {
	case err != nil:
		return nil, err
	case info.Mode()&os.ModeDevice != 0:
		return nil, fmt.Errorf("%s: is a device, not a file", name)
	case info.Size() > maxFile:
		return nil, tooLarge(name)
	}
	text, err := io.ReadAll(io.LimitReader(f, maxFile+1))
	if err == nil && len(text) > maxFile {
		return nil, tooLarge(name)
	}
	return text, err
}

func tooLarge(name string) error {
	return fmt.Errorf("%s: is larger than %d bytes: \"kugiri import\" writes larger files", name,
		maxFile)
}

// ReadFS reads a directory of fsys, such as an embed.FS, as ReadFiles does. "." is its root.
func ReadFS(fsys fs.FS, dir string) (*Data, error) {
	d := new(Data)
	return d, d.readDir(fsys, dir, func(name string) string { return path.Join(dir, name) })
}

// readDir reads a directory. as returns the name of a file in errors.
func (d *Data) readDir(fsys fs.FS, dir string, as func(name string) string) error {
	entries, err := fs.ReadDir(fsys, dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), ".") {
			continue
		}
		if e.IsDir() || !slices.Contains(extensions, path.Ext(e.Name())) {
			return fmt.Errorf("%s: a directory of seeds has nothing but files that end in %s",
				as(e.Name()), strings.Join(extensions, ", "))
		}
		read := func(name string) ([]byte, error) { return fs.ReadFile(fsys, name) }
		if err := d.readFile(read, path.Join(dir, e.Name()), as(e.Name())); err != nil {
			return err
		}
	}
	return nil
}

func (d *Data) readFile(read func(string) ([]byte, error), file, name string) error {
	text, err := read(file)
	if err != nil {
		return err
	}
	return d.read(name, text)
}

func (d *Data) read(name string, text []byte) error {
	return (&source{name: name, text: text}).values(d.add)
}
