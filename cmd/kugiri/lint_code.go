package main

import (
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/cli"
	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/codelint"
	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/terminal"
	"github.com/kugiri-db/kugiri/conventions/policy/policyfile"
)

// runCode is "kugiri lint --code": it looks at source code in place of tables.
func (x *lintConfig) runCode(c *cobra.Command, roots []string) error {
	var other string
	c.Flags().Visit(func(f *pflag.Flag) {
		if !slices.Contains([]string{"code", "policy", "format"}, f.Name) {
			other = f.Name
		}
	})
	if other != "" {
		return cli.WithHelp(c,
			fmt.Errorf("--%s is for items of tables, and --code looks at source code", other))
	}
	var names codelint.Names
	if x.policy != "" {
		p, err := policyfile.ParseFile(x.policy)
		if err != nil {
			return err
		}
		names = codelint.NamesOf(&p)
	}
	if len(roots) == 0 {
		roots = []string{"."}
	}
	report, err := codelint.Run(c.Context(), names, roots)
	if err != nil {
		return err
	}
	if x.format.Value != "text" {
		for _, n := range report.Notes {
			cli.Say(c.ErrOrStderr(), n)
		}
	}
	if err := report.Write(c.OutOrStdout(), x.format.Value); err != nil {
		return err
	}
	if n := len(report.Findings); n > 0 {
		return cli.Findings(errors.New(terminal.Count(int64(n), "finding")))
	}
	return nil
}
