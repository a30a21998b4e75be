package main

import (
	"encoding/json"
	"fmt"
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
	return encodeResult(c.OutOrStdout(), result)
}

// encodeResult writes a result as JSON on one line.
func encodeResult(out io.Writer, result any) error {
	e := json.NewEncoder(out)
	e.SetEscapeHTML(false)
	return e.Encode(result)
}

// summaryFormat is the flag --summary of import and export. Both write the summary to the standard
// error, because export may write items to the standard output.
type summaryFormat struct{ choice }

// transferSummary is the JSON form of the summary of an import or export.
type transferSummary struct {
	Table string `json:"table"`
	Items int64  `json:"items"`
}

// register makes the flag.
func (f *summaryFormat) register(c *cobra.Command) {
	f.choice.register(c.Flags(), "summary", "text", "`format` of the summary on the standard error", "text", "json")
}

// print prints a summary, as JSON or as a text. The text is made from form, such as "exported %s of
// %s", with the number of items and the table.
func (f *summaryFormat) print(c *cobra.Command, s transferSummary, form string) error {
	if f.value == "json" {
		return encodeResult(c.ErrOrStderr(), s)
	}
	_, err := fmt.Fprintf(c.ErrOrStderr(), form+"\n", items(s.Items), s.Table)
	return err
}
