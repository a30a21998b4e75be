package budget

import (
	"errors"
	"fmt"
	"io"
	"os"
)

// Limits of files for ReadFile.
const (
	SettingBytes = 16 << 20  // what a person writes: settings, rights, prices, definitions
	StateBytes   = 256 << 20 // what a program writes: checkpoints, manifests, files of a design
)

// ErrTooLarge is the error of an input that has more bytes than its reader allows.
var ErrTooLarge = errors.New("too large")

// sizeError names the limit.
type sizeError struct {
	what string
	most int64
}

func (e *sizeError) Error() string {
	return fmt.Sprintf("%s is larger than %d bytes", e.what, e.most)
}

func (e *sizeError) Is(target error) bool { return target == ErrTooLarge }

// ReadFile reads a file of at most most bytes. What is larger, or has no end, is ErrTooLarge, whose
// text names the file.
func ReadFile(name string, most int64) ([]byte, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return ReadAll(file, name, most)
}

// ReadAll reads all of r, which has at most most bytes. What is larger, or has no end, is
// ErrTooLarge, whose text says what it is.
func ReadAll(r io.Reader, what string, most int64) ([]byte, error) {
	text, err := io.ReadAll(io.LimitReader(r, most+1))
	if err == nil && int64(len(text)) > most {
		return nil, &sizeError{what, most}
	}
	return text, err
}
