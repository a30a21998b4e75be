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
