package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/spf13/cobra"

	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/cli"
	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/endpoint"
	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/progress"
	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/transfer"
)

// exportConfig holds the flags of export.
type exportConfig struct {
	endpoint.Endpoint
	table      string
	allTables  bool
	format     cli.Choice
	out        string
	definition string
	summary    summaryFormat
	segments   int
	rate       float64
	resume     string
}

func exportCommand() *cobra.Command {
	var x exportConfig
	c := &cobra.Command{
		Use:   "export --table NAME|--all-tables",
		Short: "Write the items of tables to a file, a directory or a pipe",
		Long: `Writes all items of a table, at any DynamoDB endpoint. The formats:

  jsonl  an item of DynamoDB JSON a line: {"pk":{"S":"a"}}
  plain  an item of JSON without types a line: {"pk":"a"}; sets become lists and binaries base64 text
  scan   what "aws dynamodb scan" prints
  csv    a header that names attributes and their types (pk:S,price:N), and a line an item; cells of
         columns headed :JSON are DynamoDB JSON; an empty cell is no attribute
  s3     the directory that an export to S3 has: AWSDynamoDB/ID/manifest-summary.json, data/*.json.gz;
         beside them the table's definition and time to live, for import --create

With --all-tables and --format s3 each table has a directory of its name in that of --out, as import --all-tables reads it.
With --resume, an export that is broken off goes on where it was when it is started again. Items that are written
meanwhile may be there as they were at either time.`,
		Example: "  kugiri export --table orders > orders.jsonl\n  kugiri export --table orders --format s3 --out backup\n" +
			"  kugiri export --all-tables --format s3 --out backup",
		Args: cli.NoArguments,
		RunE: func(c *cobra.Command, _ []string) error { return x.run(c) },
	}
	x.Endpoint.Flags(c)
	c.Flags().StringVar(&x.table, "table", "", "`name` of the table (required, or --all-tables)")
	c.Flags().BoolVar(&x.allTables, "all-tables", false,
		"export all tables of the access key and region, with --format s3")
	x.format.Register(c.Flags(), "format", "jsonl", "`format` of the items", formatNames()...)
	c.Flags().StringVar(&x.out, "out", "-",
		"`file` to write, for s3 a directory; - is the standard output")
	c.Flags().StringVar(&x.definition, "definition", "",
		"`file` to write the table's definition to, for import --create")
	x.summary.register(c)
	c.Flags().IntVar(&x.segments, "segments", 4, "`number` of segments that are scanned at once")
	c.Flags().Float64Var(&x.rate, "rate", 0,
		"read at most so many capacity `units` a second (default no limit)")
	c.Flags().StringVar(&x.resume, "resume", "",
		"`file` to keep how far the export is, and to go on from; removed at the end; for jsonl and plain")
	return c
}

func (x *exportConfig) run(c *cobra.Command) error {
	if err := x.check(c); err != nil {
		return cli.Failure(err)
	}
	ctx := c.Context()
	client, err := x.Client(ctx)
	if err != nil {
		return err
	}
	if !x.allTables {
		return x.exportTable(c, client)
	}
	names, err := allTables(ctx, client)
	if err != nil {
		return endpoint.NoServer(err, client)
	}
	for _, name := range names {
		one := *x
		one.table, one.out = name, filepath.Join(x.out, name)
		if err := one.exportTable(c, client); err != nil {
			return fmt.Errorf("table %s: %w", name, err)
		}
	}
	return nil
}

// check finds what is wrong with the command line.
func (x *exportConfig) check(c *cobra.Command) error {
	switch {
	case x.table == "" && !x.allTables:
		return cli.WithHelp(c, errors.New("--table or --all-tables is needed"))
	case x.table != "" && x.allTables:
		return cli.WithHelp(c, errors.New("--table and --all-tables do not go together"))
	case x.allTables && (transfer.Format(x.format.Value) != transfer.S3 || x.out == "-"):
		return cli.WithHelp(c, errors.New(
			"--all-tables is for --format s3 --out DIRECTORY, which keeps the definitions too"))
	case x.allTables && x.definition != "":
		return cli.WithHelp(c, errors.New("--definition is for a single table"))
	}
	if x.segments < 1 || x.segments > 1000 {
		return fmt.Errorf("--segments %d: between 1 and 1000", x.segments)
	}
	return nil
}

// exportTable exports the table.
func (x *exportConfig) exportTable(c *cobra.Command, client *dynamodb.Client) error {
	ctx := c.Context()
	table, err := endpoint.DescribeTable(ctx, client, x.table)
	if err != nil {
		return err
	}
	set, err := x.settings(c, client, table.Table)
	if err != nil {
		return err
	}
	e := transfer.Exporter{Client: client, Table: x.table, Segments: x.segments, Units: x.rate}
	out, err := x.output(ctx, &e, table, set, c.OutOrStdout())
	if err != nil {
		return err
	}
	bar := progress.New(c.ErrOrStderr(), "exporting "+x.table, aws.ToInt64(table.Table.ItemCount))
	e.Progress = bar.Add
	n, err := e.Run(ctx, out)
	bar.Done()
	if err != nil {
		err = errors.Join(err, out.discard())
		return cli.Unfinished(err, "read "+cli.Items(n)+"; "+out.left, out.next)
	}
	if err := out.complete(); err != nil {
		return err
	}
	return x.summary.print(c, transferSummary{Table: x.table, Items: n}, "exported %s of %s")
}

// settings returns the definition of the table, and writes it for --definition. It returns nil if
// nothing needs it.
func (x *exportConfig) settings(c *cobra.Command, client *dynamodb.Client,
	table *types.TableDescription) (*transfer.Settings, error) {
	if x.definition == "" && transfer.Format(x.format.Value) != transfer.S3 {
		return nil, nil
	}
	set, err := settingsOf(c.Context(), client, table)
	if err != nil || x.definition == "" {
		return set, err
	}
	if set.TimeToLive != "" {
		cli.Say(c.ErrOrStderr(), fmt.Sprintf("%s: the input of create-table has no time to live: "+
			"turn it on for the attribute %s, or export with --format s3, which keeps it",
			x.definition, set.TimeToLive))
	}
	return set, writeDefinition(x.definition, set.Create)
}

func writeDefinition(name string, in *dynamodb.CreateTableInput) error {
	file, err := newReplacement(name)
	if err != nil {
		return err
	}
	if err := transfer.WriteDefinition(file, in); err != nil {
		return errors.Join(err, file.discard())
	}
	return file.install()
}

// output opens the destination of the items.
func (x *exportConfig) output(
	ctx context.Context, e *transfer.Exporter, table *dynamodb.DescribeTableOutput,
	set *transfer.Settings, stdout io.Writer,
) (*output, error) {
	format := transfer.Format(x.format.Value)
	switch {
	case x.resume != "":
		return x.resumed(e)
	case format == transfer.S3 && x.out == "-":
		return nil, errors.New("the format s3 is a directory: name it with --out")
	case format == transfer.S3:
		return exportDirectory(x.out, table, set)
	case x.out == "-":
		return streamOutput(ctx, format, stdout)
	}
	return fileOutput(ctx, format, x.out)
}
