package main

import (
	"fmt"

	"github.com/spf13/cobra"
)

// commands lists the commands of kugiri in groups. Each has a file of its own.
var commands = []struct {
	group string
	make  []func() *cobra.Command
}{
	{"Serve", []func() *cobra.Command{serveCommand, healthcheckCommand}},
	{"Work with the tables of an endpoint", []func() *cobra.Command{consoleCommand, tablesCommand, applyCommand, importCommand, exportCommand, cloneCommand, compareCommand, costCommand, mcpCommand}},
	{"Hold tables and requests to conventions", []func() *cobra.Command{policyCommand, gatewayCommand, lintCommand, keysCommand, designCommand}},
	{"Look after a data directory", []func() *cobra.Command{checkCommand, repairCommand, compactCommand}},
	{"Others", []func() *cobra.Command{docsCommand, versionCommand}}, // cobra adds "completion" and "help"
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
	root.SetUsageFunc(usage)
	for _, g := range commands {
		root.AddGroup(&cobra.Group{ID: g.group, Title: g.group})
		for _, makeCommand := range g.make {
			c := makeCommand()
			c.GroupID = g.group
			root.AddCommand(c)
		}
	}
	root.AddCommand(localHelp()) // a topic of the help
	last := commands[len(commands)-1].group
	root.SetHelpCommandGroupID(last)
	root.SetCompletionCommandGroupID(last)
	if err := completeValues(root); err != nil {
		panic(err) // only if a flag has a completion already
	}
	return root
}

// withHelp adds to an error of the command line where to look.
func withHelp(c *cobra.Command, err error) error {
	return fmt.Errorf("%w (see %q)", err, c.CommandPath()+" --help")
}

// noArguments is for commands that take only flags, or one of the commands below them.
func noArguments(c *cobra.Command, args []string) error {
	switch {
	case len(args) == 0:
		return nil
	case c.Flags().Lookup("table") != nil:
		return withHelp(c, fmt.Errorf("unknown argument %q: did you mean --table %s?", args[0], args[0]))
	case !c.HasAvailableSubCommands():
		return withHelp(c, fmt.Errorf("unknown argument %q", args[0]))
	}
	var names []string
	for _, sub := range c.Commands() {
		names = append(names, sub.Name())
	}
	return withHelp(c, didYouMean(fmt.Errorf("unknown command %q", args[0]), "", args[0], names))
}
