// Package fields reads YAML documents field by field.
//
// Reading is strict. Unknown and repeated fields, values of a wrong type, merge keys (<<) and a
// second document are errors. Errors name the line and the field. An alias stands for the value
// with its anchor.
package fields

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/kugiri-db/kugiri/conventions"
	"github.com/kugiri-db/kugiri/storage/budget"
)

// MaxBytes is the largest size of a file.
const MaxBytes = 1 << 20

// Open parses the one document of a text, and returns a Decoder with the field that is all of it.
func Open(text []byte) (*Decoder, Field, error) {
	if len(text) > MaxBytes {
		return nil, Field{}, &conventions.FileError{
			Message: fmt.Sprintf("the file is larger than %d bytes", MaxBytes),
		}
	}
	if err := budget.CheckMarks(text); err != nil {
		return nil, Field{}, &conventions.FileError{Message: err.Error()}
	}
	root, err := document(text)
	if err != nil {
		return nil, Field{}, err
	}
	return &Decoder{at: map[string]*yaml.Node{}}, Field{root, ""}, nil
}

// document parses the one document of a file.
func document(text []byte) (*yaml.Node, error) {
	y := yaml.NewDecoder(bytes.NewReader(text))
	var doc, second yaml.Node
	if err := y.Decode(&doc); err != nil {
		if errors.Is(err, io.EOF) {
			return nil, &conventions.FileError{Message: "the file is empty"}
		}
		return nil, syntaxError(text, err)
	}
	if err := y.Decode(&second); !errors.Is(err, io.EOF) {
		if err != nil {
			return nil, syntaxError(text, err)
		}
		return nil, &conventions.FileError{
			Line: second.Line, Column: second.Column, Message: "the file has a second document",
		}
	}
	return doc.Content[0], nil
}

// syntaxError returns an error of the parser in plain words.
func syntaxError(text []byte, err error) error {
	message, line := strings.TrimPrefix(err.Error(), "yaml: "), 0
	if _, err := fmt.Sscanf(message, "line %d: found character that cannot start any token",
		&line); err == nil {
		lines := bytes.Split(text, []byte("\n"))
		if line <= len(lines) && bytes.HasPrefix(bytes.TrimLeft(lines[line-1], " "), []byte("\t")) {
			message = fmt.Sprintf("line %d: YAML indents with spaces, and here is a tab", line)
		}
	}
	return &conventions.FileError{Message: message}
}

// OfFile reads a file, and applies a function to its text. Errors of the function begin with the
// file's name.
func OfFile[T any](name string, read func([]byte) (T, error)) (result T, err error) {
	f, err := os.Open(name)
	if err != nil {
		return result, err
	}
	defer func() { _ = f.Close() }()
	text, err := io.ReadAll(io.LimitReader(f, MaxBytes+1))
	if err != nil {
		return result, err
	}
	if result, err = read(text); err != nil {
		return result, fmt.Errorf("%s: %w", name, err)
	}
	return result, nil
}
