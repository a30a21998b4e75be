// Command playground makes the playground: a static page with a Kugiri and its console in the
// browser.
//
//	go run ./conformance/cmd/playground -out site/playground
//
// It runs in the root of the repository. Any server of files serves the directory.
package main

import (
	"bytes"
	"compress/gzip"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

const (
	program = "./cmd/kugiri/internal/playground"
	bundle  = "cmd/kugiri/internal/console/bundle"
)

func main() {
	out := flag.String("out", "playground", "directory to write")
	flag.Parse()
	if err := write(*out); err != nil {
		fmt.Fprintln(os.Stderr, "playground:", err)
		os.Exit(1)
	}
}

// write writes all files of the page.
func write(dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	return errors.Join(writeBundle(dir), writePage(dir), writeRuntime(dir), writeProgram(dir))
}

// writeBundle writes the files of the console but its page.
func writeBundle(dir string) error {
	paths, err := filepath.Glob(filepath.Join(bundle, "*"))
	if err != nil || paths == nil {
		return errors.Join(err,
			fmt.Errorf("there is no %s: run in the root of the repository", bundle))
	}
	for _, path := range paths {
		name := filepath.Base(path)
		if name == "index.html" {
			continue
		}
		if err := copyFile(filepath.Join(dir, name), path); err != nil {
			return err
		}
	}
	return nil
}

// writePage writes the page around the console.
func writePage(dir string) error {
	page := filepath.Join(program, "page")
	entries, err := os.ReadDir(page)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if err := copyFile(filepath.Join(dir, e.Name()),
			filepath.Join(page, e.Name())); err != nil {
			return err
		}
	}
	return nil
}

// writeRuntime writes Go's part of the page.
func writeRuntime(dir string) error {
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return err
	}
	const name = "wasm_exec.js"
	return copyFile(filepath.Join(dir, name),
		filepath.Join(strings.TrimSpace(string(root)), "lib", "wasm", name))
}

// writeProgram builds the program and compresses it, because not every server of files does.
func writeProgram(dir string) (err error) {
	temporary, err := os.MkdirTemp("", "kugiri-playground-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(temporary)
	path := filepath.Join(temporary, "kugiri.wasm")
	build := exec.Command("go", "build", "-trimpath", "-ldflags=-s -w", "-o", path, program)
	build.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm")
	if out, err := build.CombinedOutput(); err != nil {
		return fmt.Errorf("go build: %w\n%s", err, out)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	var packed bytes.Buffer
	w, err := gzip.NewWriterLevel(&packed, gzip.BestCompression)
	if err != nil {
		return err
	}
	if _, err := w.Write(text); err != nil {
		return err
	}
	if err := w.Close(); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "kugiri.wasm.gz"), packed.Bytes(), 0o644)
}

func copyFile(to, from string) error {
	text, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	return os.WriteFile(to, text, 0o644)
}
