package conventions

import (
	"fmt"
	"strings"

	"github.com/kugiri-db/kugiri/storage/budget"
)

// FileError is an error in a policy or design file. Line and Column count from 1. Both are 0 if the
// file is not YAML and the parser does not report a place.
type FileError struct {
	Line, Column int
	Field        string // tables[0].entities[2].sort; "" for the whole file
	Message      string
}

func (e *FileError) Error() string {
	var b strings.Builder
	if e.Line > 0 {
		fmt.Fprintf(&b, "line %d: ", e.Line)
	}
	if e.Field != "" {
		b.WriteString(e.Field + ": ")
	}
	return budget.Excerpt(b.String() + e.Message)
}

// FieldError is an error of one field of a policy or a design. Field is the path to it, in the
// names of the file, such as tables[0].entities[2].sort or patterns[2].equal.
type FieldError struct {
	Field   string
	Message string
}

// FieldErrorf returns an error of a field with a message as fmt.Sprintf writes it.
func FieldErrorf(field, format string, args ...any) *FieldError {
	return &FieldError{field, fmt.Sprintf(format, args...)}
}

func (e *FieldError) Error() string { return budget.Excerpt(e.Field + ": " + e.Message) }

// FieldMessage returns the field and the message.
func (e *FieldError) FieldMessage() (field, message string) { return e.Field, e.Message }
