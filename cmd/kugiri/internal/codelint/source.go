package codelint

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// source is a file that is looked at.
type source struct {
	name string
	root string // directory or file that was named, by which it was found
	text []byte // the text of a Go file
}

// The most that is read of a tree.
const (
	maxFiles     = 100_000
	maxFileBytes = 8 << 20
)

// sources returns the files of Go, TypeScript and JavaScript in directories, or named as such, in
// order, each once. It leaves out directories whose files the project did not write: hidden ones,
// those that begin with "_", node_modules, vendor, testdata and, of JavaScript, dist, build and
// coverage.
func sources(roots []string) (goFiles, typescript []source, err error) {
	w := walk{seen: map[string]bool{}}
	for _, named := range roots {
		root := named
		// a link that is named is followed, those in a directory are not
		if info, err := os.Stat(root); err == nil && info.Mode().IsRegular() {
			if err := w.file(root, root, fs.FileInfoToDirEntry(info)); err != nil {
				return nil, nil, err
			}
			continue
		}
		if info, err := os.Lstat(root); err == nil && info.Mode()&fs.ModeSymlink != 0 {
			root += string(filepath.Separator) + "."
		}
		err := filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return err
			case d.IsDir() && name != root && isForeign(d.Name()):
				return fs.SkipDir
			case isBuilt(root, name):
				return nil
			case !d.Type().IsRegular():
				return nil
			}
			return w.file(name, named, d)
		})
		if err != nil {
			return nil, nil, err
		}
	}
	return w.goFiles, w.typescript, nil
}

// walk collects the files of directories.
type walk struct {
	goFiles, typescript []source
	seen                map[string]bool // absolute names
}

// file looks at a file, which a root leads to.
func (w *walk) file(name, root string, d fs.DirEntry) error {
	isGo, isTypeScript := languages(d.Name())
	if !isGo && !isTypeScript {
		return nil
	}
	full, err := filepath.Abs(name)
	if err != nil || w.seen[full] {
		return err
	}
	if len(w.seen) == maxFiles {
		return fmt.Errorf("%s: there are more than %d files", name, maxFiles)
	}
	w.seen[full] = true
	info, err := d.Info()
	switch {
	case err != nil:
		return err
	case info.Size() > maxFileBytes:
		return fmt.Errorf("%s has more than %d bytes", name, maxFileBytes)
	case isTypeScript:
		w.typescript = append(w.typescript, source{name: name, root: root})
		return nil
	}
	text, err := os.ReadFile(name)
	w.goFiles = append(w.goFiles, source{name, root, text})
	return err
}

func isForeign(directory string) bool {
	return strings.HasPrefix(directory, ".") || strings.HasPrefix(directory, "_") ||
		slices.Contains([]string{"node_modules", "vendor", "testdata"}, directory)
}

// isBuilt reports whether a file is JavaScript in a directory for what tools make.
func isBuilt(root, name string) bool {
	if !strings.HasPrefix(strings.TrimLeft(filepath.Ext(name), ".mc"), "js") {
		return false
	}
	below, err := filepath.Rel(root, filepath.Dir(name))
	if err != nil {
		return false
	}
	return slices.ContainsFunc(strings.Split(filepath.ToSlash(below), "/"), func(d string) bool {
		return d == "dist" || d == "build" || d == "coverage"
	})
}

func languages(name string) (isGo, isTypeScript bool) {
	switch filepath.Ext(name) {
	case ".go":
		return true, false
	case ".ts":
		return false, !strings.HasSuffix(name, ".d.ts")
	case ".js", ".jsx", ".mjs", ".cjs":
		return false, !strings.HasSuffix(name, ".min.js")
	case ".tsx", ".mts", ".cts":
		return false, !strings.HasSuffix(name, ".d.mts") && !strings.HasSuffix(name, ".d.cts")
	}
	return false, false
}
