package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
)

// HelpCommand returns "help", which fails for what is no command. That of cobra prints the help of
// the program then, and succeeds.
func HelpCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "help [command]",
		Short: "Help about any command",
		ValidArgsFunction: func(c *cobra.Command, args []string, _ string) ([]string,
			cobra.ShellCompDirective) {
			of, _, err := c.Root().Find(args)
			if err != nil {
				return nil, cobra.ShellCompDirectiveNoFileComp
			}
			var names []string
			for _, sub := range of.Commands() {
				if sub.IsAvailableCommand() {
					names = append(names, sub.Name()+"\t"+sub.Short)
				}
			}
			return names, cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(c *cobra.Command, args []string) error {
			of, rest, err := c.Root().Find(args)
			if err != nil || len(rest) > 0 {
				return WithHelp(c.Root(), DidYouMean(
					fmt.Errorf("there is no help for %q", strings.Join(args, " ")), "",
					strings.Join(args, " "), commandNames(c.Root())))
			}
			of.InitDefaultHelpFlag()
			return of.Help()
		},
	}
}

// commandNames are the names of the commands below a command.
func commandNames(c *cobra.Command) (names []string) {
	for _, sub := range c.Commands() {
		names = append(names, sub.Name())
	}
	return names
}
