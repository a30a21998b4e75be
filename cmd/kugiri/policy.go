package main

import (
	"fmt"

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
	return &cobra.Command{
		Use:   "check FILE",
		Short: "Check a policy file: what is wrong, by line and field",
		Args: func(c *cobra.Command, args []string) error {
			if len(args) != 1 {
				return withHelp(c, fmt.Errorf("want one policy file, not %d arguments", len(args)))
			}
			return nil
		},
		RunE: abandoned("nothing was checked", func(c *cobra.Command, args []string) error {
			if _, err := policyfile.CompileFile(args[0]); err != nil {
				return err
			}
			_, err := fmt.Fprintf(c.OutOrStdout(), "%s: ok\n", args[0])
			return err
		}),
	}
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
