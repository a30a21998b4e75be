package main

import (
	"encoding/json"
	"io"

	"github.com/spf13/cobra"
)

// resultFormat is how a command prints its result: as text for people, or as JSON.
type resultFormat struct{ choice }

// register makes the flag.
func (f *resultFormat) register(c *cobra.Command) {
	f.choice.register(c.Flags(), "format", "text", "`format` of the result", "text", "json")
}

// print prints a result, by text unless JSON is asked for.
func (f *resultFormat) print(c *cobra.Command, result any, text func(io.Writer) error) error {
	if f.value == "text" {
		return text(c.OutOrStdout())
	}
	e := json.NewEncoder(c.OutOrStdout())
	e.SetEscapeHTML(false)
	return e.Encode(result)
}
