package main

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/cli"
	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/terminal"
	"github.com/kugiri-db/kugiri/conventions/policy"
	"github.com/kugiri-db/kugiri/conventions/policy/policyfile"
)

func policyCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "policy",
		Short: "Help with policy files, which hold requests and items to the conventions",
		Args:  cli.NoArguments,
		RunE:  func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	c.AddCommand(policyCheckCommand(), policyProveCommand(), policySchemaCommand(),
		policyRulesCommand())
	return c
}

func policyCheckCommand() *cobra.Command {
	var failOn cli.Choice
	var format cli.ResultFormat
	c := &cobra.Command{
		Use:   "check FILE",
		Short: "Check a policy file: what is wrong, and what the guides advise against, by line and field",
		Args: func(c *cobra.Command, args []string) error {
			if len(args) != 1 {
				return cli.WithHelp(c,
					fmt.Errorf("want one policy file, not %d arguments", len(args)))
			}
			return nil
		},
		RunE: cli.Abandoned("nothing was checked", func(c *cobra.Command, args []string) error {
			advice, err := policyfile.AdviseFile(args[0])
			if err != nil {
				return err
			}
			result := policyResult{File: args[0], Advice: []string{}}
			for i := range advice {
				result.Advice = append(result.Advice, advice[i].Error())
			}
			if err := format.Print(c, result, result.text); err != nil {
				return err
			}
			if len(advice) > 0 && failOn.Value == "advice" {
				return fmt.Errorf("%s: the guides advise against %d of its declarations", args[0],
					len(advice))
			}
			return nil
		}),
	}
	failOn.Register(c.Flags(), "fail-on", "error",
		"`kind` of finding to fail on, advice for what the guides advise against, too", "error",
		"advice")
	format.Register(c)
	return c
}

// policyResult is the result of "kugiri policy check" for a policy file without errors.
type policyResult struct {
	File   string   `json:"file"`
	Advice []string `json:"advice"` // never null
}

func (r *policyResult) text(out io.Writer) error {
	style := terminal.StyleOf(out)
	for _, advice := range r.Advice {
		if _, err := fmt.Fprintf(out, "%s: %s: %s\n", r.File, style.Yellow("advice"),
			advice); err != nil {
			return err
		}
	}
	_, err := fmt.Fprintf(out, "%s: %s\n", r.File, style.Green("ok"))
	return err
}

func policySchemaCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "schema",
		Short: "Print the JSON schema of policy files, for editors",
		Args:  cli.NoArguments,
		RunE: func(c *cobra.Command, _ []string) error {
			_, err := c.OutOrStdout().Write(policyfile.Schema())
			return err
		},
	}
}

// ruleLine is a line of "kugiri policy rules".
type ruleLine struct {
	ID       string `json:"rule"`
	Severity string `json:"severity"`
	Title    string `json:"title"`
	Passage  string `json:"passage"`
}

func policyRulesCommand() *cobra.Command {
	var format cli.ResultFormat
	c := &cobra.Command{
		Use:   "rules",
		Short: "List the rules, with their severities and where they come from",
		Args:  cli.NoArguments,
		RunE: func(c *cobra.Command, _ []string) error {
			var lines []ruleLine
			for _, r := range policy.Rules() {
				lines = append(lines, ruleLine{r.ID, r.Default.String(), r.Title, r.Passage})
			}
			return format.Print(c, lines,
				func(out io.Writer) error { return printRules(out, lines) })
		},
	}
	format.Register(c)
	return c
}

func printRules(out io.Writer, lines []ruleLine) error {
	t := terminal.Table{Header: []string{"RULE", "SEVERITY", "WHAT HOLDS"}}
	for _, l := range lines {
		t.Add(l.ID, l.Severity, l.Title)
		t.Add("", "", l.Passage)
	}
	return t.Write(out)
}
