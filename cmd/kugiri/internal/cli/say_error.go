package cli

import (
	"encoding/json"
	"errors"
	"io"

	"github.com/spf13/cobra"

	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/terminal"
)

// jsonError is an error that is printed as JSON.
type jsonError struct{ error }

func (e jsonError) Unwrap() error { return e.error }

// ErrorFor has an error of a command printed as JSON if its result would have been: with --format
// json, or --summary json.
func ErrorFor(c *cobra.Command, err error) error {
	if err == nil || c == nil {
		return err
	}
	for _, name := range [...]string{"format", "summary"} {
		if f := c.Flags().Lookup(name); f != nil && f.Value.String() == "json" {
			return jsonError{err}
		}
	}
	return err
}

// SayError prints the error with which the program ends: {"error":"...","status":2} where the
// result is JSON.
func SayError(to io.Writer, err error) {
	if !errors.As(err, new(jsonError)) {
		Say(to, terminal.StyleOf(to).Red("kugiri:"), err)
		return
	}
	text, failed := json.Marshal(struct {
		Error  string `json:"error"`
		Status int    `json:"status"`
	}{err.Error(), ExitStatus(err)})
	if failed == nil {
		Say(to, string(text))
	}
}
