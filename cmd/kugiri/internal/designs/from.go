package designs

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/spf13/cobra"

	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/cli"
	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/endpoint"
	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/terminal"
	"github.com/kugiri-db/kugiri/conventions/design/designfile"
	"github.com/kugiri-db/kugiri/conventions/design/source"
)

// designFrom holds the flags of "design from".
type designFrom struct {
	endpoint.Endpoint
	format    cli.Choice
	table     string
	fromTable string
	sample    int
	traffic   string
	out       string
	lock      string
}

func designFromCommand() *cobra.Command {
	var x designFrom
	c := &cobra.Command{
		Use:   "from [FILE]",
		Short: "Write a design file for what there is: schemas, models, policies, tables",
		Long: "Write a design file for what there is: a schema of OneTable, schemas of ElectroDB, a model of NoSQL\n" +
			"Workbench, a data model of AWS's agent skill for DynamoDB, a policy, or a table with items.\n" +
			"Comments in the file say what to check, and warnings what the design has not.\n\n" +
			"The patterns of a table come from the requests that its server has recorded (POST /_kugiri/traffic of\n" +
			"a server with --admin), or else from its keys. With --lock the design is planned from that table: models\n" +
			"keep the keys that their items have.",
		Example: "  kugiri design from schema.json\n  kugiri design from datamodel.json --table Orders -o orders.yaml\n" +
			"  kugiri design from --from-table orders --endpoint http://localhost:8000\n" +
			"  kugiri design from --from-table orders --lock plan.lock -o orders.yaml",
		Args: x.arguments,
		RunE: cli.Abandoned("no design was written", x.run),
	}
	x.Endpoint.Flags(c)
	x.format.Register(c.Flags(), "format", "", "`format` of the file (default what it looks like)",
		sourceFormats()...)
	c.Flags().StringVar(&x.table, "table", "",
		"`name` of the table; of a file with several tables, the one to take (default the file's)")
	c.Flags().StringVar(&x.fromTable, "from-table", "",
		"`name` of a table to read in place of a file")
	c.Flags().IntVar(&x.sample, "sample", 10_000, "`number` of items of the table to read at most")
	c.Flags().StringVar(&x.traffic, "traffic", "",
		"`file` with the recorded requests (default what the server has recorded)")
	c.Flags().StringVarP(&x.out, "out", "o", "design.yaml",
		"`file` to write; - is the standard output")
	c.Flags().StringVar(&x.lock, "lock", "",
		"`file` to write as well: the keys of the table, from which the design is planned then")
	return c
}

// arguments refuses a command line that names no source, or two.
func (x *designFrom) arguments(c *cobra.Command, args []string) error {
	switch {
	case x.fromTable != "" && len(args) > 0:
		return cli.WithHelp(c, errors.New("want a file or --from-table, not both"))
	case x.fromTable == "" && x.lock != "":
		return cli.WithHelp(c, errors.New("--lock wants --from-table: a file has no items"))
	case x.fromTable == "" && len(args) != 1:
		return cli.WithHelp(c, fmt.Errorf("want one source, not %d arguments", len(args)))
	}
	return nil
}

func (x *designFrom) run(c *cobra.Command, args []string) error {
	if x.fromTable != "" {
		draft, err := x.readTable(c)
		if err != nil {
			return err
		}
		if err := x.writeLock(draft); err != nil {
			return err
		}
		err = x.write(c, "the table "+x.fromTable, draft)
		if err != nil && x.lock != "" {
			err = errors.Join(err, os.Remove(x.lock)) // no design is planned from it
		}
		return err
	}
	draft, err := source.ReadFile(args[0],
		source.Options{Format: source.Format(x.format.Value), Table: x.table})
	if err != nil {
		return err
	}
	return x.write(c, args[0], draft)
}

func sourceFormats() []string {
	var names []string
	for _, format := range source.Formats {
		names = append(names, string(format))
	}
	return names
}

// write writes a draft as a design file, and says what is in it.
func (x *designFrom) write(c *cobra.Command, from string, draft *source.Draft) error {
	draft.Comments[""] = cmp.Or(draft.Comments[""],
		"Made from "+from+
			" by \"kugiri design from\". Check the fields with comments, and add items, rates and sizes.")
	text := designfile.Write(&draft.Design, draft.Comments)
	if x.out == "-" {
		if _, err := c.OutOrStdout().Write(text); err != nil {
			return err
		}
		return x.summary(c.ErrOrStderr(), draft)
	}
	if err := create(x.out, text); err != nil {
		return err
	}
	out := c.OutOrStdout()
	if err := x.summary(out, draft); err != nil {
		return err
	}
	_, err := fmt.Fprintf(out, "wrote %s; next: kugiri design plan %s\n", x.out, x.out)
	return err
}

// summary says what a draft has, and what it has not.
func (x *designFrom) summary(out io.Writer, draft *source.Draft) error {
	style := terminal.StyleOf(out)
	for _, warning := range slices.Sorted(slices.Values(draft.Warnings)) {
		if _, err := fmt.Fprintf(out, "%s: %s\n", style.Yellow("warning"), warning); err != nil {
			return err
		}
	}
	_, err := fmt.Fprintf(out, "%d models, %d patterns, %d places to check\n",
		len(draft.Design.Models), len(draft.Design.Patterns), len(draft.Comments)-1)
	return err
}
