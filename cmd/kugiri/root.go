package main

import (
	"github.com/spf13/cobra"

	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/cli"
	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/designs"
	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/servecmd"
)

// commands lists the commands of kugiri in groups. Each has a file of its own, or a package of its
// own if it is large.
var commands = []struct {
	group string
	make  []func() *cobra.Command
}{
	{"Serve", []func() *cobra.Command{servecmd.Command, healthcheckCommand}},
	{"Work with the tables of an endpoint",
		[]func() *cobra.Command{consoleCommand, tablesCommand, applyCommand, importCommand,
			exportCommand, cloneCommand, compareCommand, costCommand, mcpCommand}},
	{"Hold tables and requests to conventions",
		[]func() *cobra.Command{policyCommand, gatewayCommand, lintCommand, racesCommand,
			exploreCommand, keysCommand, designs.Command}},
	{"Look after a data directory",
		[]func() *cobra.Command{checkCommand, repairCommand, compactCommand}},
	// cobra adds "completion" and "help"
	{"Others", []func() *cobra.Command{docsCommand, versionCommand}},
}

// rootCommand is kugiri itself, which serves if no other command is named.
func rootCommand() *cobra.Command {
	root := servecmd.Command()
	root.Use = "kugiri"
	root.Short = "An in-memory DynamoDB: serve one, and tools around it"
	root.Long =
		"Kugiri speaks DynamoDB's protocol, in memory. Without a command it serves, like \"kugiri serve\"."
	printVersion := root.Flags().Bool("version", false, "print the version")
	run := root.RunE
	root.RunE = func(c *cobra.Command, args []string) error {
		if *printVersion {
			return sayVersion(c)
		}
		return run(c, args)
	}
	root.SilenceErrors, root.SilenceUsage = true, true // main says what is wrong
	root.SetFlagErrorFunc(cli.FlagError)
	root.SetUsageFunc(cli.Usage)
	for _, g := range commands {
		root.AddGroup(&cobra.Group{ID: g.group, Title: g.group})
		for _, makeCommand := range g.make {
			c := makeCommand()
			c.GroupID = g.group
			root.AddCommand(c)
		}
	}
	root.AddCommand(servecmd.LocalHelp()) // a topic of the help
	root.SetHelpCommand(cli.HelpCommand())
	last := commands[len(commands)-1].group
	root.SetHelpCommandGroupID(last)
	root.SetCompletionCommandGroupID(last)
	return root
}
