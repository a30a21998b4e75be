package console

import (
	"io/fs"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestImportsOfThePageAreNoCircles reads the imports of the page's TypeScript, also those of types
// and those at run time. A file that leads back to itself cannot be read, or changed, alone.
func TestImportsOfThePageAreNoCircles(t *testing.T) {
	imports := readImports(t, os.DirFS("web/src"))
	require.Contains(t, imports["state/identity.ts"], "api/caller.ts", "imports are found")
	require.Contains(t, imports["registry.ts"], "rest.ts", "imports at run time are found")
	require.Empty(t, circle(imports))
}

// TestLowerFilesOfThePageDoNotImportHigherOnes holds what a circle of files alone would not show.
func TestLowerFilesOfThePageDoNotImportHigherOnes(t *testing.T) {
	for _, tt := range []struct{ name, lower, higher string }{
		{"clients know no state of the page", "api/", "state/"},
		{"views do not know the list of views", "views/", "registry.ts"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for file, imported := range readImports(t, os.DirFS("web/src")) {
				if !strings.HasPrefix(file, tt.lower) {
					continue
				}
				for _, to := range imported {
					require.False(t, strings.HasPrefix(to, tt.higher), "%s imports %s", file, to)
				}
			}
		})
	}
}

func TestCirclesOfImportsAreFound(t *testing.T) {
	for _, tt := range []struct {
		name    string
		imports map[string][]string
		want    []string
	}{
		{"none", map[string][]string{"a": {"b", "c"}, "b": {"c"}, "c": nil}, nil},
		{"two files", map[string][]string{"a": {"b"}, "b": {"a"}}, []string{"a", "b", "a"}},
		{"further down", map[string][]string{"a": {"b"}, "b": {"c"}, "c": {"b"}},
			[]string{"b", "c", "b"}},
		{"itself", map[string][]string{"a": {"a"}}, []string{"a", "a"}},
	} {
		t.Run(tt.name, func(t *testing.T) { require.Equal(t, tt.want, circle(tt.imports)) })
	}
}

// importOf finds what follows from, import and import( in a file, if it is a file of the page.
var importOf = regexp.MustCompile(`(?m)(?:\bfrom|\bimport\(|^import)\s*"(\.[^"]+)"`)

// readImports returns which files each file imports.
func readImports(t *testing.T, src fs.FS) map[string][]string {
	t.Helper()
	imports := map[string][]string{}
	require.NoError(t, fs.WalkDir(src, ".", func(file string, _ fs.DirEntry, err error) error {
		if ext := path.Ext(file); err != nil || ext != ".ts" && ext != ".tsx" {
			return err
		}
		text, err := fs.ReadFile(src, file)
		imports[file] = nil
		for _, m := range importOf.FindAllSubmatch(text, -1) {
			if to := path.Join(path.Dir(file), string(m[1])); path.Ext(to) != ".css" {
				imports[file] = append(imports[file], source(t, src, to))
			}
		}
		return err
	}))
	return imports
}

// source returns the file that an import without a suffix means.
func source(t *testing.T, src fs.FS, name string) string {
	t.Helper()
	for _, suffix := range []string{".ts", ".tsx", "/index.ts", "/index.tsx"} {
		if _, err := fs.Stat(src, name+suffix); err == nil {
			return name + suffix
		}
	}
	require.Fail(t, "no file", "%s is imported", name)
	return ""
}

// circle returns files that import each other in a circle, or nil. Each file imports the next, and
// the last is the first again.
func circle(imports map[string][]string) []string {
	var trail, found []string
	left := map[string]bool{} // files that are in no circle
	var enter func(file string) bool
	enter = func(file string) bool {
		if at := slices.Index(trail, file); at >= 0 {
			found = append(slices.Clone(trail[at:]), file)
			return true
		}
		if left[file] {
			return false
		}
		trail = append(trail, file)
		if slices.ContainsFunc(imports[file], enter) {
			return true
		}
		trail = trail[:len(trail)-1]
		left[file] = true
		return false
	}
	files := make([]string, 0, len(imports))
	for file := range imports {
		files = append(files, file)
	}
	slices.Sort(files)
	for _, file := range files {
		if enter(file) {
			break
		}
	}
	return found
}
