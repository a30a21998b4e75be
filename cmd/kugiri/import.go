package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/spf13/cobra"

	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/cli"
	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/endpoint"
	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/progress"
	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/transfer"
)

// importConfig holds the flags of import.
type importConfig struct {
	endpoint.Endpoint
	table      string
	allTables  bool
	format     cli.Choice
	create     bool
	definition string
	summary    summaryFormat
	writers    int
	rate       float64
	resume     string

	state importState       // the state of --resume
	keys  transfer.KeyTypes // the types of the table's keys
	bar   *progress.Bar
}

func importCommand() *cobra.Command {
	var x importConfig
	c := &cobra.Command{
		Use:   "import --table NAME|--all-tables [FILE|DIRECTORY|-]...",
		Short: "Put items from files, exports or a pipe into tables",
		Long: `Puts items into a table, at any DynamoDB endpoint. Items with the key of one that is there replace it.
The formats are those of "kugiri export" (see "kugiri export --help"), told apart by the name and
the beginning of a file; JSON may also be in lists, over several lines, in requests of
batch-write-item, or in a model of NoSQL Workbench with the items of one table. Files may be
compressed with gzip or Zstandard. In a CSV file a column without a type is that of the table's key,
or else text.

A database of DynamoDB Local (shared-local-instance.db, ACCESSKEY_REGION.db) gives the table that
--table names, or all of its tables with --all-tables. Such a database, and an export in the format
s3, say how the table is defined: --create makes it so, with its time to live, its tags and its
stream. The records of a stream, and what a recovery to a point in time would need, are in neither.

With --resume, an import that is broken off goes on where it was when the same command is started again.`,
		Example: "  kugiri import --table orders orders.jsonl\n  kugiri import --table orders --create backup\n" +
			"  kugiri import --all-tables --create shared-local-instance.db\n" +
			"  aws dynamodb scan --table-name orders | kugiri import --table orders --format scan",
		RunE: func(c *cobra.Command, args []string) error { return x.run(c, args) },
	}
	x.Endpoint.Flags(c)
	c.Flags().StringVar(&x.table, "table", "", "`name` of the table (required, or --all-tables)")
	c.Flags().BoolVar(&x.allTables, "all-tables", false,
		"import all tables of a database of DynamoDB Local, or of the directory of export --all-tables")
	x.format.Register(c.Flags(), "format", "auto", "`format` of the items",
		append([]string{"auto"}, formatNames()...)...)
	c.Flags().BoolVar(&x.create, "create", false,
		"create the table, from --definition, what is beside an export in the format s3, or DynamoDB Local's database")
	c.Flags().StringVar(&x.definition, "definition", "",
		"`file` with the definition for --create: that of export, the output of aws dynamodb describe-table, or the input of create-table")
	x.summary.register(c)
	c.Flags().IntVar(&x.writers, "writers", 8, "`number` of requests at once")
	c.Flags().Float64Var(&x.rate, "rate", 0,
		"write at most so many capacity `units` a second (default no limit)")
	c.Flags().StringVar(&x.resume, "resume", "",
		"`file` to keep how far the import is, and to go on from; removed at the end; for files and directories")
	return c
}

func (x *importConfig) run(c *cobra.Command, sources []string) error {
	if err := x.check(c); err != nil {
		return cli.Failure(err)
	}
	client, err := x.Client(c.Context())
	if err != nil {
		return err
	}
	if x.allTables {
		return x.importAll(c, client, sources)
	}
	if len(sources) == 0 {
		sources = []string{"-"}
	}
	return x.importTable(c, client, sources)
}

// check finds what is wrong with the command line.
func (x *importConfig) check(c *cobra.Command) error {
	switch {
	case x.table == "" && !x.allTables:
		return cli.WithHelp(c, errors.New("--table or --all-tables is needed"))
	case x.table != "" && x.allTables:
		return cli.WithHelp(c, errors.New("--table and --all-tables do not go together"))
	case x.allTables && (x.definition != "" || x.resume != ""):
		return cli.WithHelp(c, errors.New("--definition and --resume are for a single table"))
	case x.writers < 1 || x.writers > 256:
		return fmt.Errorf("--writers %d: between 1 and 256", x.writers)
	}
	return nil
}

// importTable imports into the table.
func (x *importConfig) importTable(c *cobra.Command, client *dynamodb.Client,
	sources []string) error {
	ctx := c.Context()
	resumed, err := x.readState(client, sources)
	if err != nil {
		return err
	}
	if x.create && !resumed {
		if err := x.createTable(ctx, client, sources[0]); err != nil {
			return err
		}
	}
	table, err := endpoint.DescribeTable(ctx, client, x.table)
	if errors.Is(err, endpoint.ErrNoTable) {
		return fmt.Errorf(
			"%w: --create makes it, from the definition in the source or in --definition FILE", err)
	}
	if err != nil {
		return err
	}
	x.keys = transfer.KeysOf(table.Table)
	x.bar = x.newBar(c.ErrOrStderr(), sources)
	i := transfer.Importer{
		Client: client, Table: x.table, Keys: x.keys, Writers: x.writers, Units: x.rate,
		Progress: x.bar.Add,
	}
	total, err := x.put(ctx, &i, sources, c.InOrStdin())
	x.bar.Done()
	if err == nil && x.resume != "" {
		err = transfer.RemoveState(x.resume)
	}
	if err != nil {
		return err
	}
	return x.summary.print(c, transferSummary{Table: x.table, Items: total}, "imported %s into %s")
}

// put puts the items of all sources, and returns how many there are.
func (x *importConfig) put(ctx context.Context, i *transfer.Importer, sources []string,
	stdin io.Reader) (total int64, err error) {
	total = x.state.Before
	for n, source := range sources[x.state.Source:] {
		in, done, err := x.open(ctx, source, stdin)
		if err != nil && n == 0 && ctx.Err() == nil {
			return 0, err
		}
		if err == nil {
			var more int64
			more, err = x.putSource(ctx, i, in)
			total += more
			done()
		}
		if err != nil {
			return total, cli.Unfinished(err, "put at least "+cli.Items(total)+" into the table",
				x.next())
		}
		x.state.Source, x.state.Items, x.state.Before = x.state.Source+1, 0, total
	}
	return total, nil
}

// next says how to go on after an interrupt.
func (x *importConfig) next() string {
	if x.resume != "" {
		return "the same command goes on from " + x.resume
	}
	next := "run the same command again"
	if x.create {
		next += " without --create"
	}
	return next + ": it replaces them"
}

// newBar returns the bar of the import, if it is to be seen. It shows the share of the items where
// the sources say how many they have, and of the bytes where they are files.
func (x *importConfig) newBar(out io.Writer, sources []string) *progress.Bar {
	if !progress.Visible(out) {
		return nil // counting may take a moment
	}
	what := "importing " + x.table
	if items := x.count(sources); items > 0 {
		return progress.New(out, what, items)
	}
	return progress.NewBytes(out, what, size(sources))
}

// count returns how many items exports in the format s3 and databases of DynamoDB Local have, 0 if
// there are other sources or if one cannot be read: opening it says why.
func (x *importConfig) count(sources []string) (items int64) {
	for _, source := range sources {
		var more int64
		info, err := os.Stat(source)
		switch {
		case err != nil || source == "-":
			return 0
		case info.IsDir():
			more, err = transfer.CountS3(source)
		case transfer.IsLocal(source):
			more, err = transfer.CountLocal(source, x.table)
		default:
			return 0
		}
		if err != nil {
			return 0
		}
		items += more
	}
	return items
}

// size is how many bytes there are to read, 0 if it is not known.
func size(sources []string) (bytes int64) {
	for _, source := range sources {
		info, err := os.Stat(source)
		if err != nil || source == "-" || !info.Mode().IsRegular() || transfer.IsLocal(source) {
			return 0
		}
		bytes += info.Size()
	}
	return bytes
}

// open opens a source to be read; done closes it.
func (x *importConfig) open(ctx context.Context, source string,
	stdin io.Reader) (in transfer.Reader, done func() error, err error) {
	done = func() error { return nil }
	if info, err := os.Stat(source); source != "-" && err == nil && info.IsDir() {
		in, err = transfer.NewS3Reader(source)
		return in, done, err
	}
	if source != "-" && transfer.IsLocal(source) {
		return transfer.NewLocalReader(source, x.table)
	}
	name, file := "standard input", stdin
	if source != "-" {
		f, err := os.Open(source)
		if err != nil {
			return nil, nil, err
		}
		name, file, done = source, f, f.Close
	}
	text, err := transfer.Decompressed(x.bar.Reading(cli.InterruptibleReader(ctx, file)))
	if err != nil {
		err = fmt.Errorf("%s: %w", name, err)
	} else {
		in, err = x.reader(name, text)
	}
	if err != nil {
		done()
	}
	return in, done, err
}

func (x *importConfig) reader(name string, text *bufio.Reader) (transfer.Reader, error) {
	format := transfer.Format(x.format.Value)
	if x.format.Value == "auto" {
		var err error
		if format, err = transfer.DetectFormat(name, text); err != nil {
			return nil, err
		}
	}
	if format == transfer.S3 {
		return nil, fmt.Errorf("%s is a file: the format s3 is a directory", name)
	}
	return transfer.NewReader(format, name, text, x.keys)
}
