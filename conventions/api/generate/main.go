// Command generate writes the shapes of the operations and their constraints as Go. It reads the
// service's API model from model/ and writes shapes.go and constraints.go. All paths are relative
// to the working directory: go generate runs the command in the directory of package api.
package main

import (
	"fmt"
	"os"
	"path/filepath"
)

// models are the services whose operations have shapes.
var models = []string{"dynamodb-2012-08-10.json", "dynamodbstreams-2012-08-10.json"}

func main() {
	if err := run("."); err != nil {
		fmt.Fprintln(os.Stderr, "generate:", err)
		os.Exit(1)
	}
}

// run writes the generated files of the package in a directory.
func run(dir string) error {
	files, err := generate(filepath.Join(dir, "model"))
	if err != nil {
		return err
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// generate returns the text of each generated file by its name.
func generate(dir string) (map[string][]byte, error) {
	m := newModel()
	for _, name := range models {
		if err := m.read(filepath.Join(dir, name)); err != nil {
			return nil, err
		}
	}
	m.relax()
	m.extend()
	types, err := resolve(m)
	if err != nil {
		return nil, err
	}
	files := map[string][]byte{}
	for name, print := range map[string]func([]goType) ([]byte, error){
		"shapes.go":      printShapes,
		"constraints.go": printConstraints,
	} {
		if files[name], err = print(types); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	return files, nil
}
