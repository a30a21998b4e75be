// Command console makes the bundle of the console from its TypeScript, and the script of the search
// of the documents. It installs the packages of package-lock.json with npm if they are missing,
// checks the types, and bundles with esbuild.
//
//	console            writes the bundle and the script
//	console -check     reports whether they are those of the source
//	console -no-types  does not check the types, for a fast look
//
// It finds the source from any directory of the repository.
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/evanw/esbuild/pkg/api"

	"github.com/kugiri-db/kugiri/expr/partiql"
)

// home is the directory of the console in the repository.
const home = "cmd/kugiri/internal/console"

func main() {
	check := flag.Bool("check", false, "report whether the bundle is that of the source")
	noTypes := flag.Bool("no-types", false, "do not check the types")
	flag.Parse()
	if err := run(*check, !*noTypes); err != nil {
		fmt.Fprintln(os.Stderr, "console:", err)
		os.Exit(1)
	}
}

func run(check, types bool) error {
	root, err := repository()
	if err != nil {
		return err
	}
	web := filepath.Join(root, home, "web")
	if err := install(web); err != nil {
		return err
	}
	if types {
		if err := command(web, filepath.Join("node_modules", ".bin", "tsc"), "-p",
			"."); err != nil {
			return fmt.Errorf("types: %w", err)
		}
	}
	files, err := build(web)
	if err != nil {
		return err
	}
	search, err := buildSearch(web)
	if err != nil {
		return err
	}
	bundle, script := filepath.Join(root, home, "bundle"), filepath.Join(root, searchScript)
	if !check {
		return errors.Join(write(bundle, files), os.WriteFile(script, search, 0o644))
	}
	present, err := os.ReadFile(script)
	if err == nil && !bytes.Equal(present, search) {
		err = fmt.Errorf("%s is not that of the source: run go generate ./%s", searchScript, home)
	}
	return errors.Join(err, compare(bundle, files))
}

// searchScript is the script of the search of the documents.
const searchScript = "cmd/kugiri/internal/docsite/library.js"

// buildSearch returns the script of the search of the documents.
func buildSearch(web string) ([]byte, error) {
	result := api.Build(api.BuildOptions{
		AbsWorkingDir: web, EntryPoints: []string{"docs/search.ts"}, Outdir: "out",
		Bundle: true, Format: api.FormatIIFE, Target: api.ES2022, Platform: api.PlatformBrowser,
		MinifyWhitespace: true, MinifyIdentifiers: true, MinifySyntax: true,
		Charset: api.CharsetUTF8, LegalComments: api.LegalCommentsNone,
	})
	for _, m := range append(result.Errors, result.Warnings...) {
		return nil, fmt.Errorf("%+v: %s", m.Location, m.Text)
	}
	return result.OutputFiles[0].Contents, nil
}

// repository returns the directory that has go.work.
func repository() (string, error) {
	dir, err := os.Getwd()
	for err == nil {
		if _, missing := os.Stat(filepath.Join(dir, "go.work")); missing == nil {
			return dir, nil
		}
		if dir == filepath.Dir(dir) {
			return "", errors.New("no directory above this one has go.work")
		}
		dir = filepath.Dir(dir)
	}
	return "", err
}

// install installs the packages, unless those of package-lock.json are there.
func install(web string) error {
	lock, err := os.Stat(filepath.Join(web, "package-lock.json"))
	if err != nil {
		return err
	}
	installed, err := os.Stat(filepath.Join(web, "node_modules", ".package-lock.json"))
	if err == nil && !lock.ModTime().After(installed.ModTime()) {
		return nil
	}
	return command(web, "npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund",
		"--loglevel=error")
}

// command runs a command in a directory. Its output is this program's.
func command(dir, name string, args ...string) error {
	c := exec.Command(name, args...)
	c.Dir, c.Stdout, c.Stderr = dir, os.Stderr, os.Stderr
	if strings.Contains(name, string(filepath.Separator)) {
		c.Path = filepath.Join(dir, name)
	}
	return c.Run()
}

// build returns the files of the bundle by their names.
func build(web string) (map[string][]byte, error) {
	result := api.Build(api.BuildOptions{
		AbsWorkingDir: web, EntryPoints: []string{"src/main.tsx"}, Outdir: "out",
		Bundle: true, Splitting: true, Format: api.FormatESModule, Target: api.ES2022,
		Platform:         api.PlatformBrowser,
		MinifyWhitespace: true, MinifyIdentifiers: true, MinifySyntax: true,
		Charset:    api.CharsetUTF8,
		ChunkNames: "[name]-[hash]", LegalComments: api.LegalCommentsNone,
		JSX: api.JSXAutomatic, JSXImportSource: "preact", Metafile: true,
		Define: map[string]string{ // see partiql_words.ts
			"PARTIQL_FUNCTIONS": strconv.Quote(strings.Join(partiql.Functions(), " ")),
		},
	})
	for _, m := range append(result.Errors, result.Warnings...) {
		return nil, fmt.Errorf("%+v: %s", m.Location, m.Text)
	}
	files := map[string][]byte{}
	for _, f := range result.OutputFiles {
		files[filepath.Base(f.Path)] = f.Contents
	}
	for _, name := range []string{"index.html", "icon.svg"} {
		text, err := os.ReadFile(filepath.Join(web, name))
		if err != nil {
			return nil, err
		}
		files[name] = text
	}
	links, err := preloads(result.Metafile)
	files["index.html"] = bytes.Replace(files["index.html"], []byte("</head>"),
		[]byte(links+"</head>"), 1)
	return files, err
}

// preloads returns links to the chunks of main.js, which the browser then loads at once: without
// them it finds each when it has read the one that imports it.
func preloads(metafile string) (string, error) {
	var meta struct {
		Outputs map[string]struct {
			Imports []struct{ Path, Kind string }
		}
	}
	if err := json.Unmarshal([]byte(metafile), &meta); err != nil {
		return "", err
	}
	found := map[string]bool{}
	var add func(path string)
	add = func(path string) {
		if found[path] {
			return
		}
		found[path] = true
		for _, i := range meta.Outputs[path].Imports {
			if i.Kind == "import-statement" {
				add(i.Path)
			}
		}
	}
	const script = "out/main.js"
	add(script)
	delete(found, script) // the page has it
	var links strings.Builder
	for _, path := range slices.Sorted(maps.Keys(found)) {
		fmt.Fprintf(&links, "<link rel=\"modulepreload\" href=\"%s\">\n", filepath.Base(path))
	}
	return links.String(), nil
}

// write writes the bundle in place of the one that is there.
func write(bundle string, files map[string][]byte) error {
	if err := os.RemoveAll(bundle); err != nil {
		return err
	}
	if err := os.MkdirAll(bundle, 0o755); err != nil {
		return err
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(bundle, name), text, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// read returns the contents of the committed bundle by name.
func read(bundle string) (map[string][]byte, error) {
	entries, err := os.ReadDir(bundle)
	if err != nil {
		return nil, err
	}
	files := map[string][]byte{}
	for _, e := range entries {
		text, err := os.ReadFile(filepath.Join(bundle, e.Name()))
		if err != nil {
			return nil, err
		}
		files[e.Name()] = text
	}
	return files, nil
}

// compare returns an error if the committed bundle is not that of the source.
func compare(bundle string, files map[string][]byte) error {
	present, err := read(bundle)
	if err != nil {
		return err
	}
	for name, text := range files {
		if !bytes.Equal(present[name], text) {
			return fmt.Errorf("%s is not that of the source: run go generate ./%s", name, home)
		}
	}
	for name := range present {
		if _, known := files[name]; !known {
			return fmt.Errorf("%s is not of the source: run go generate ./%s", name, home)
		}
	}
	return nil
}
