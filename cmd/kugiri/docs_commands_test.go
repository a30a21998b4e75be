package main

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/cli"
	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/docsite"
	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/docsite/markdown"
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

// renderedDir has a file for each page of the site.
const renderedDir = "internal/docsite/rendered"

// TestDocsAreRendered compares the pages that the program has with the documents, the commands and
// the admin API of the repository. KUGIRI_UPDATE=1 writes those that differ.
func TestDocsAreRendered(t *testing.T) {
	texts, err := markdown.Pages("../..")
	require.NoError(t, err)
	root := rootCommand()
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd()
	commands := markdown.Page{Path: docsite.CommandsPath, Text: commandsPage(root)}
	want, err := markdown.Render(append(texts, commands))
	require.NoError(t, err)
	have, err := docsite.Rendered()
	require.NoError(t, err)
	rendered := map[string]*docsite.Page{}
	for _, p := range have {
		rendered[p.Path] = p
	}
	for _, p := range want {
		// What gzip makes of a page depends on Go's release: the pages count.
		if !reflect.DeepEqual(p, rendered[p.Path]) {
			renderAgain(t, p)
		}
		delete(rendered, p.Path)
	}
	for path := range rendered {
		if os.Getenv("KUGIRI_UPDATE") == "1" {
			require.NoError(t, os.Remove(renderedFile(path)))
			continue
		}
		t.Errorf("%s is no page any more: KUGIRI_UPDATE=1 removes it", path)
	}
}

func renderedFile(path string) string {
	return filepath.Join(renderedDir, filepath.FromSlash(path)+".gz")
}

// renderAgain writes a page, or fails.
func renderAgain(t *testing.T, p *docsite.Page) {
	if os.Getenv("KUGIRI_UPDATE") != "1" {
		t.Errorf("%s is not rendered from its text: "+
			"KUGIRI_UPDATE=1 go test ./cmd/kugiri -run TestDocsAreRendered writes it", p.Path)
		return
	}
	data, err := markdown.Pack(p)
	require.NoError(t, err)
	file := renderedFile(p.Path)
	require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o755))
	require.NoError(t, os.WriteFile(file, data, 0o644))
}
