package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/cli"
)

// commandsPage returns the reference of all commands and flags in Markdown.
func commandsPage(root *cobra.Command) string {
	var b strings.Builder
	b.WriteString("# Commands and flags\n\n" +
		"A flag comes from the command line, else from its variable of the environment, else from the file that `--config` names, " +
		"else it has its default. `kugiri COMMAND --help` prints the same.\n")
	for _, g := range root.Groups() {
		fmt.Fprintf(&b, "\n## %s\n", g.Title)
		for _, c := range root.Commands() {
			if c.GroupID == g.ID && c.IsAvailableCommand() {
				writeCommand(&b, c)
			}
		}
	}
	return b.String()
}

// writeCommand describes a command and the commands below it.
func writeCommand(b *strings.Builder, c *cobra.Command) {
	long := c.Long
	if long == "" {
		long = c.Short + "."
	}
	fmt.Fprintf(b, "\n### %s\n\n", c.CommandPath())
	fence(b, c.UseLine())
	for paragraph := range strings.SplitSeq(long, "\n\n") {
		writeHelp(b, paragraph)
	}
	if c.HasExample() {
		b.WriteString("Examples:\n\n")
		fence(b, strings.ReplaceAll(strings.TrimPrefix(c.Example, "  "), "\n  ", "\n"))
	}
	for _, g := range cli.FlagGroups(c.LocalFlags()) {
		writeFlagTable(b, g)
	}
	for _, sub := range c.Commands() {
		if sub.IsAvailableCommand() {
			writeCommand(b, sub)
		}
	}
}

// writeHelp writes a paragraph of the help. One whose lines are indented is a table for terminals.
func writeHelp(b *strings.Builder, paragraph string) {
	if strings.Contains("\n"+paragraph, "\n ") {
		fence(b, paragraph)
		return
	}
	fmt.Fprintf(b, "%s\n\n", cell(paragraph))
}

// fence writes a text as it is.
func fence(b *strings.Builder, text string) {
	fmt.Fprintf(b, "```\n%s\n```\n\n", text)
}

func writeFlagTable(b *strings.Builder, g cli.FlagGroup) {
	fmt.Fprintf(b, "| %s | Default | Variable | |\n|---|---|---|---|\n", g.Name)
	g.Flags.VisitAll(func(f *pflag.Flag) {
		if f.Hidden || f.Name == "help" {
			return
		}
		kind, usage := pflag.UnquoteUsage(f)
		name := strings.TrimSpace("--" + f.Name + " " + kind)
		if f.Shorthand != "" {
			name = "-" + f.Shorthand + ", " + name
		}
		usage, variable, _ := strings.Cut(strings.TrimSuffix(usage, "]"), " [$")
		fmt.Fprintf(b, "| `%s` | %s | %s | %s |\n", name, codeCell(f.DefValue), codeCell(variable),
			cell(usage))
	})
	b.WriteString("\n")
}

// cell returns a text in which Markdown sees no marks.
func cell(text string) string {
	return strings.NewReplacer("|", `\|`, "<", "&lt;", "*", `\*`, "_", `\_`).Replace(text)
}

// codeCell returns a value for the cell of a table, "" for none.
func codeCell(value string) string {
	switch value {
	case "", "[]", "0", "false", "0s":
		return ""
	}
	return "`" + strings.ReplaceAll(value, "|", `\|`) + "`"
}
