package main

import (
	"context"
	"errors"
	"fmt"
	"io"

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
		Use:   "export --table NAME",
		Short: "Write the items of a table to a file, a directory or a pipe",
		Long: `Writes all items of a table, at any DynamoDB endpoint. The formats:

  jsonl  an item of DynamoDB JSON a line: {"pk":{"S":"a"}}
  plain  an item of JSON without types a line: {"pk":"a"}; sets become lists and binaries base64 text
  scan   what "aws dynamodb scan" prints
  csv    a header that names attributes and their types (pk:S,price:N), and a line an item; cells of
         columns headed :JSON are DynamoDB JSON; an empty cell is no attribute
  s3     the directory that an export to S3 has: AWSDynamoDB/ID/manifest-summary.json, data/*.json.gz

With --resume, an export that is broken off goes on where it was when it is started again. Items that are written
meanwhile may be there as they were at either time.`,
		Example: "  kugiri export --table orders > orders.jsonl\n  kugiri export --table orders --format s3 --out backup",
		Args:    cli.NoArguments,
		RunE:    func(c *cobra.Command, _ []string) error { return x.run(c) },
	}
	x.Endpoint.Flags(c)
	c.Flags().StringVar(&x.table, "table", "", "`name` of the table (required)")
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
	if x.table == "" {
		return cli.WithHelp(c, errors.New("--table is needed"))
	}
	if x.segments < 1 || x.segments > 1000 {
		return fmt.Errorf("--segments %d: between 1 and 1000", x.segments)
	}
	ctx := c.Context()
	client, err := x.Client(ctx)
	if err != nil {
		return err
	}
	table, err := endpoint.DescribeTable(ctx, client, x.table)
	if err != nil {
		return err
	}
	if x.definition != "" {
		if err := writeDefinition(x.definition, table.Table); err != nil {
			return err
		}
	}
	e := transfer.Exporter{Client: client, Table: x.table, Segments: x.segments, Units: x.rate}
	out, err := x.output(ctx, &e, table, c.OutOrStdout())
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

func writeDefinition(name string, table *types.TableDescription) error {
	file, err := newReplacement(name)
	if err != nil {
		return err
	}
	if err := transfer.WriteDefinition(file, transfer.Definition(table)); err != nil {
		return errors.Join(err, file.discard())
	}
	return file.install()
}

// output opens the destination of the items.
func (x *exportConfig) output(
	ctx context.Context, e *transfer.Exporter, table *dynamodb.DescribeTableOutput,
	stdout io.Writer,
) (*output, error) {
	format := transfer.Format(x.format.Value)
	switch {
	case x.resume != "":
		return x.resumed(e)
	case format == transfer.S3 && x.out == "-":
		return nil, errors.New("the format s3 is a directory: name it with --out")
	case format == transfer.S3:
		return exportDirectory(x.out, table)
	case x.out == "-":
		return streamOutput(ctx, format, stdout)
	}
	return fileOutput(ctx, format, x.out)
}
