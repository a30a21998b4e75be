package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/spf13/cobra"

	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/cli"
	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/compare"
	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/endpoint"
	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/progress"
	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/terminal"
)

// compareConfig holds the flags of compare.
type compareConfig struct {
	from, to endpoint.Endpoint
	tables   []string
	segments int
	rate     float64
	limit    int
	ignore   []string
	format   cli.ResultFormat
}

func compareCommand() *cobra.Command {
	var x compareConfig
	c := &cobra.Command{
		Use:   "compare --from URL --to URL",
		Short: "Tell whether two DynamoDB endpoints have the same tables and items",
		Long: `Reads the tables of two DynamoDB endpoints, and compares their keys, their indexes, their settings and all of their
items: how many there are, and a checksum that does not depend on their order. Numbers are compared by value, and sets
without their order. It names the items that differ by their keys and attributes, the first of them. Nothing is written.
Items that are written meanwhile may be reported.

The settings are capacity, stream, time to live, tags, deletion protection, table class and point-in-time recovery:
--ignore leaves some out, and what an endpoint has no operation for is named. Replicas, resource-based policies,
encryption, Kinesis destinations and contributor insights are not compared. A second reading finds the items that differ,
so a difference takes twice the capacity.

The exit status is 0 if all tables are the same, 1 if one differs, 2 for errors.`,
		Example: "  kugiri compare --from http://localhost:8000 --to aws\n" +
			"  kugiri compare --from aws --from-profile prod --to http://alternator:8000 --table orders --rate 500",
		Args: func(c *cobra.Command, args []string) error {
			return cli.Failure(cli.NoArguments(c, args))
		},
		RunE: func(c *cobra.Command, _ []string) error { return cli.Failure(x.run(c)) },
	}
	c.SetFlagErrorFunc(cli.FlagFailure)
	x.from.EndFlags(c, "from")
	x.to.EndFlags(c, "to")
	c.Flags().StringArrayVar(&x.tables, "table", nil,
		"`name` of a table; more than once for more (default all of --from)")
	c.Flags().IntVar(&x.segments, "segments", 4,
		"`number` of segments that are scanned at once, at each end")
	c.Flags().Float64Var(&x.rate, "rate", 0,
		"read at most so many capacity `units` a second, at each end (default no limit)")
	c.Flags().IntVar(&x.limit, "limit", 20,
		"name at most this `number` of differing items of a table")
	c.Flags().StringSliceVar(&x.ignore, "ignore", nil,
		"`settings` that may differ, such as capacity,tags: "+strings.Join(compare.Settings, ", "))
	x.format.Register(c)
	return c
}

// check finds what is wrong with the command line.
func (x *compareConfig) check(c *cobra.Command) error {
	switch {
	case x.from.URL == "" && x.to.URL == "":
		return cli.WithHelp(c, errors.New("--from or --to is needed"))
	case x.segments < 1 || x.segments > 1000:
		return fmt.Errorf("--segments %d: between 1 and 1000", x.segments)
	case !(x.rate >= 0):
		return fmt.Errorf("--rate %v: want no less than 0", x.rate)
	case x.limit < 0 || x.limit > 10_000:
		return fmt.Errorf("--limit %d: between 0 and 10000", x.limit)
	}
	for _, part := range x.ignore {
		if !slices.Contains(compare.Settings, part) {
			return cli.DidYouMean(fmt.Errorf("--ignore %q: want %s", part,
				strings.Join(compare.Settings, ", ")), "", part, compare.Settings)
		}
	}
	return nil
}

func (x *compareConfig) run(c *cobra.Command) error {
	if err := x.check(c); err != nil {
		return err
	}
	from, err := endOf(c.Context(), &x.from, "--from")
	if err != nil {
		return err
	}
	to, err := endOf(c.Context(), &x.to, "--to")
	if err != nil {
		return err
	}
	if x.from == x.to { // the clients have filled in the URLs
		return cli.WithHelp(c, errors.New("--from and --to are the same"))
	}
	names, total, err := x.find(c.Context(), from)
	if err != nil {
		return err
	}
	bar := progress.New(c.ErrOrStderr(), "comparing", 2*total)
	comparer := compare.Comparer{
		From: from, To: to, Segments: x.segments, Units: x.rate, Limit: x.limit, Ignore: x.ignore,
		Progress: bar.Add,
	}
	results, failed := compareAll(c.Context(), &comparer, names)
	bar.Done()
	if err := x.format.Print(c, results,
		func(out io.Writer) error { return printComparison(out, results) }); err != nil {
		return err
	}
	if failed != nil {
		return cli.Unfinished(failed, "compared "+terminal.Count(int64(len(results)), "table"),
			"run the same command again")
	}
	return differing(results)
}

// compareAll compares tables one after another. If it fails, it returns the results of those
// before.
func compareAll(ctx context.Context, comparer *compare.Comparer,
	tables []string) ([]*compare.Result, error) {
	results := []*compare.Result{}
	for _, name := range tables {
		r, err := comparer.Table(ctx, name)
		if err != nil {
			return results, err
		}
		results = append(results, r)
	}
	return results, nil
}

// differing returns the error of results that are not all the same.
func differing(results []*compare.Result) error {
	differ := slices.DeleteFunc(slices.Clone(results),
		func(r *compare.Result) bool { return r.Same })
	if len(differ) == 0 {
		return nil
	}
	verb := "differ"
	if len(differ) == 1 {
		verb = "differs"
	}
	return cli.Findings(fmt.Errorf("%s %s", terminal.Count(int64(len(differ)), "table"), verb))
}

// endOf returns an end of a comparison. Its errors begin with the flag that names it.
func endOf(ctx context.Context, e *endpoint.Endpoint, flag string) (compare.End, error) {
	client, err := e.Client(ctx)
	if err != nil {
		return compare.End{}, fmt.Errorf("%s: %w", flag, err)
	}
	return compare.End{Client: client, Failed: func(err error) error {
		return fmt.Errorf("%s: %w", flag, endpoint.NoServerOf(err, client, flag))
	}}, nil
}

// find returns the names of the tables to compare, and about how many items they have at one end.
func (x *compareConfig) find(ctx context.Context, from compare.End) (tables []string, total int64,
	err error) {
	tables = x.tables
	if tables == nil {
		if tables, err = endpoint.TableNames(ctx, from.Client); err != nil {
			return nil, 0, from.Failed(err)
		}
		if len(tables) == 0 {
			return nil, 0, errors.New("--from has no tables of this access key and region")
		}
	}
	for _, name := range tables {
		out, err := from.Client.DescribeTable(ctx, &dynamodb.DescribeTableInput{TableName: &name})
		if err == nil {
			// the comparison reports what is wrong with it
			total += aws.ToInt64(out.Table.ItemCount)
		}
	}
	return tables, total, nil
}

func printComparison(out io.Writer, results []*compare.Result) error {
	var b strings.Builder
	for _, r := range results {
		switch {
		case r.Missing == "both":
			fmt.Fprintf(&b, "%s: there is no such table\n", r.Table)
		case r.Missing != "":
			fmt.Fprintf(&b, "%s: --%s has no such table\n", r.Table, r.Missing)
		case r.Same:
			fmt.Fprintf(&b, "%s: the same, %s, checksum %s\n", r.Table, cli.Items(r.From.Items),
				r.From.Checksum)
		default:
			writeDifferences(&b, r)
		}
		for _, part := range r.NotCompared {
			fmt.Fprintf(&b, "  not compared: %s\n", part)
		}
	}
	_, err := io.WriteString(out, b.String())
	return err
}

// writeDifferences says in which ways a table differs.
func writeDifferences(b *strings.Builder, r *compare.Result) {
	fmt.Fprintf(b, "%s: different\n", r.Table)
	fmt.Fprintf(b, "  --from has %s, checksum %s\n", cli.Items(r.From.Items), r.From.Checksum)
	fmt.Fprintf(b, "  --to has %s, checksum %s\n", cli.Items(r.To.Items), r.To.Checksum)
	for _, d := range r.Definition {
		fmt.Fprintf(b, "  %s: --from has %s, --to has %s\n", d.Part, cmp.Or(d.From, "none"),
			cmp.Or(d.To, "none"))
	}
	for _, d := range r.Items {
		what := "only --" + d.OnlyIn + " has it"
		switch {
		case d.OnlyIn == "" && len(d.Attributes) > 0:
			what = "differs in " + strings.Join(d.Attributes, ", ")
		case d.OnlyIn == "":
			what = "was written while it was compared"
		}
		fmt.Fprintf(b, "  %s: %s\n", d.Key, what)
	}
	more := r.Different - int64(len(r.Items))
	switch {
	case r.More:
		fmt.Fprintf(b, "  and more than %s\n", cli.Items(more))
	case more > 0:
		fmt.Fprintf(b, "  and %s\n", cli.Items(more))
	}
}
