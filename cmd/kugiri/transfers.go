package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/cli"
	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/transfer"
)

// summaryFormat is the flag --summary of import and export. Both write the summary to the standard
// error, because export may write items to the standard output.
type summaryFormat struct{ cli.Choice }

// transferSummary is the JSON form of the summary of an import or export.
type transferSummary struct {
	Table string `json:"table"`
	Items int64  `json:"items"`
}

// register makes the flag.
func (f *summaryFormat) register(c *cobra.Command) {
	f.Choice.Register(c.Flags(), "summary", "text", "`format` of the summary on the standard error",
		"text", "json")
}

// print prints a summary, as JSON or as a text. The text is made from form, such as "exported %s of
// %s", with the number of items and the table.
func (f *summaryFormat) print(c *cobra.Command, s transferSummary, form string) error {
	if f.Value == "json" {
		return cli.WriteJSON(c.ErrOrStderr(), s)
	}
	_, err := fmt.Fprintf(c.ErrOrStderr(), form+"\n", cli.Items(s.Items), s.Table)
	return err
}

// formatNames are the formats of items.
func formatNames() (names []string) {
	for _, f := range transfer.Formats {
		names = append(names, string(f))
	}
	return names
}
