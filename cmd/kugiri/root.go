package main

import (
	"fmt"

	"github.com/spf13/cobra"
)

// commands are what kugiri can do, a file each. cobra adds "completion" and "help".
var commands = []func() *cobra.Command{
	serveCommand,
	importCommand,
	exportCommand,
	tablesCommand,
	healthcheckCommand,
	keysCommand,
	policyCommand,
	lintCommand,
	compactCommand,
	gatewayCommand,
	checkCommand,
	repairCommand,
	versionCommand,
}

// rootCommand is kugiri itself, which serves if no other command is named.
func rootCommand() *cobra.Command {
	root := serveCommand()
	root.Use = "kugiri"
	root.Short = "An in-memory DynamoDB: serve one, and tools around it"
	root.Long = "Kugiri is an in-memory server that speaks DynamoDB's protocol.\nWithout a command it serves, like \"kugiri serve\"."
	printVersion := root.Flags().Bool("version", false, "print the version")
	serve := root.RunE
	root.RunE = func(c *cobra.Command, args []string) error {
		if *printVersion {
			return sayVersion(c)
		}
		return serve(c, args)
	}
	root.SilenceErrors, root.SilenceUsage = true, true // main says what is wrong
	root.SetFlagErrorFunc(flagError)
	for _, c := range commands {
		root.AddCommand(c())
	}
	return root
}

// withHelp adds to an error of the command line where to look.
func withHelp(c *cobra.Command, err error) error {
	return fmt.Errorf("%w (see %q)", err, c.CommandPath()+" --help")
}

// noArguments is for commands that take only flags.
func noArguments(c *cobra.Command, args []string) error {
	if len(args) > 0 {
		return withHelp(c, fmt.Errorf("unknown argument %q", args[0]))
	}
	return nil
}
