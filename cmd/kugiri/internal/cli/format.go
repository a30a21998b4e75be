package cli

import (
	"encoding/json"
	"io"

	"github.com/spf13/cobra"

	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/terminal"
)

// ResultFormat is how a command prints its result: as text for people, or as JSON.
type ResultFormat struct{ Choice }

// Register makes the flag.
func (f *ResultFormat) Register(c *cobra.Command) {
	f.Choice.Register(c.Flags(), "format", "text", "`format` of the result", "text", "json")
}

// Print prints a result, by text unless JSON is asked for.
func (f *ResultFormat) Print(c *cobra.Command, result any, text func(io.Writer) error) error {
	if f.Value == "text" {
		return text(c.OutOrStdout())
	}
	return WriteJSON(c.OutOrStdout(), result)
}

// WriteJSON writes a result as JSON on one line.
func WriteJSON(out io.Writer, result any) error {
	e := json.NewEncoder(out)
	e.SetEscapeHTML(false)
	return e.Encode(result)
}

// Items returns a number of items as text.
func Items(n int64) string { return terminal.Count(n, "item") }

// WriteIndented writes a result as JSON on several lines, for people.
func WriteIndented(out io.Writer, v any) error {
	e := json.NewEncoder(out)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(v)
}
