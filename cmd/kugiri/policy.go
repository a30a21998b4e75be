package main

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/kugiri-db/kugiri/conventions/policy"
	"github.com/kugiri-db/kugiri/conventions/policy/policyfile"
)

func policyCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "policy",
		Short: "Help with policy files, which hold requests and items to the conventions",
		Args:  noArguments,
		RunE:  func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	c.AddCommand(policyCheckCommand(), policySchemaCommand(), policyRulesCommand())
	return c
}

func policyCheckCommand() *cobra.Command {
	var failOn string
	c := &cobra.Command{
		Use:   "check FILE",
		Short: "Check a policy file: what is wrong, and what the guides advise against, by line and field",
		Args: func(c *cobra.Command, args []string) error {
			if len(args) != 1 {
				return withHelp(c, fmt.Errorf("want one policy file, not %d arguments", len(args)))
			}
			return nil
		},
		RunE: abandoned("nothing was checked", func(c *cobra.Command, args []string) error {
			advice, err := policyfile.AdviseFile(args[0])
			if err != nil {
				return err
			}
			return tellAdvice(c.OutOrStdout(), args[0], advice, failOn)
		}),
	}
	c.Flags().StringVar(&failOn, "fail-on", "error", "what to fail on: error, or advice for what the guides advise against, too")
	return c
}

// tellAdvice writes the advice on a policy file that is right.
func tellAdvice(out io.Writer, file string, advice []policyfile.Advice, failOn string) error {
	if failOn != "error" && failOn != "advice" {
		return fmt.Errorf("--fail-on: %.100q is none of error, advice", failOn)
	}
	for i := range advice {
		if _, err := fmt.Fprintf(out, "%s: advice: %s\n", file, advice[i].Error()); err != nil {
			return err
		}
	}
	if len(advice) > 0 && failOn == "advice" {
		return fmt.Errorf("%s: the guides advise against %d of its declarations", file, len(advice))
	}
	_, err := fmt.Fprintf(out, "%s: ok\n", file)
	return err
}

func policySchemaCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "schema",
		Short: "Print the JSON schema of policy files, for editors",
		Args:  noArguments,
		RunE: func(c *cobra.Command, _ []string) error {
			_, err := c.OutOrStdout().Write(policyfile.Schema())
			return err
		},
	}
}

func policyRulesCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "rules",
		Short: "List the rules, with their severities and where they come from",
		Args:  noArguments,
		RunE: func(c *cobra.Command, _ []string) error {
			for _, r := range policy.Rules() {
				if _, err := fmt.Fprintf(c.OutOrStdout(), "%-22s %-8s %s\n%31s %s\n", r.ID, r.Default, r.Title, "", r.Passage); err != nil {
					return err
				}
			}
			return nil
		},
	}
}
