package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/spf13/cobra"

	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/cli"
	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/definition"
	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/endpoint"
	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/terminal"
)

// tableLine is a line of "kugiri tables".
type tableLine struct {
	Name    string   `json:"name"`
	Status  string   `json:"status"`
	Items   int64    `json:"items"`
	Bytes   int64    `json:"bytes"`
	Indexes []string `json:"indexes"` // never null
}

func tablesCommand() *cobra.Command {
	var e endpoint.Endpoint
	var format tablesFormat
	c := &cobra.Command{
		Use:   "tables",
		Short: "List the tables of a server with their items, bytes and indexes, or write their definitions",
		Long: "Lists the tables of the access key and region of the environment, as the AWS CLI finds them.\n" +
			"Other access keys and regions have other tables, unless the server is one with --shared.\n\n" +
			"With --format cloudformation, terraform or cdk it writes a definition that makes the same tables:\n" +
			"with their indexes, capacity, streams, time to live, recovery, encryption, tags and policies.\n" +
			"What a format does not have is said on the standard error.",
		Args: cli.NoArguments,
		RunE: func(c *cobra.Command, _ []string) error {
			client, err := e.Client(c.Context())
			if err != nil {
				return err
			}
			if format.defines() {
				return endpoint.NoServer(format.define(c, client), client)
			}
			lines, err := listTables(c.Context(), client)
			if err != nil {
				return endpoint.NoServer(err, client)
			}
			return format.Print(c, lines, func(out io.Writer) error {
				if len(lines) == 0 {
					return sayWhose(c.Context(), c.ErrOrStderr(), client)
				}
				return printTables(out, lines)
			})
		},
	}
	e.Flags(c)
	format.register(c)
	return c
}

// sayWhose names the access key and the region that have no tables. A user who made tables sees
// that they belong to another access key or region.
func sayWhose(ctx context.Context, out io.Writer, client *dynamodb.Client) error {
	own, err := client.Options().Credentials.Retrieve(ctx)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(out, "no tables of the access key %s in %s\n", own.AccessKeyID,
		client.Options().Region)
	return err
}

// listTables describes all tables. One that goes away meanwhile is left out.
func listTables(ctx context.Context, client *dynamodb.Client) ([]tableLine, error) {
	names, err := endpoint.TableNames(ctx, client)
	if err != nil {
		return nil, err
	}
	lines := []tableLine{}
	for _, name := range names {
		out, err := client.DescribeTable(ctx, &dynamodb.DescribeTableInput{TableName: &name})
		var gone *types.ResourceNotFoundException
		switch {
		case errors.As(err, &gone):
			continue
		case err != nil:
			return nil, err
		}
		lines = append(lines, lineOf(out.Table))
	}
	return lines, nil
}

// tablesFormat is the flag --format of the command. Definitions are formats beside text and JSON.
type tablesFormat struct{ cli.ResultFormat }

func (f *tablesFormat) register(c *cobra.Command) {
	formats := []string{"text", "json"}
	for _, d := range definition.Formats {
		formats = append(formats, string(d))
	}
	f.Choice.Register(c.Flags(), "format", "text", "`format` of the result", formats...)
}

// defines reports whether the format is one of definitions.
func (f *tablesFormat) defines() bool {
	return slices.Contains(definition.Formats, definition.Format(f.Value))
}

// define writes the definitions of all tables.
func (f *tablesFormat) define(c *cobra.Command, client *dynamodb.Client) error {
	names, err := endpoint.TableNames(c.Context(), client)
	if err != nil {
		return err
	}
	var tables []*definition.Described
	for _, name := range names {
		t, err := definition.Describe(c.Context(), client, name)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		if t != nil {
			tables = append(tables, t)
		}
	}
	if len(tables) == 0 {
		return sayWhose(c.Context(), c.ErrOrStderr(), client)
	}
	text, notes, err := definition.Write(definition.Format(f.Value), tables)
	if err != nil {
		return err
	}
	for _, n := range notes {
		cli.Say(c.ErrOrStderr(), n)
	}
	_, err = c.OutOrStdout().Write(text)
	return err
}

func lineOf(t *types.TableDescription) tableLine {
	l := tableLine{Name: aws.ToString(t.TableName), Status: string(t.TableStatus),
		Indexes: []string{},
		Items:   aws.ToInt64(t.ItemCount), Bytes: aws.ToInt64(t.TableSizeBytes)}
	for _, ix := range t.LocalSecondaryIndexes {
		l.Indexes = append(l.Indexes, aws.ToString(ix.IndexName))
	}
	for _, ix := range t.GlobalSecondaryIndexes {
		l.Indexes = append(l.Indexes, aws.ToString(ix.IndexName))
	}
	for _, ix := range t.VectorIndexes {
		l.Indexes = append(l.Indexes, aws.ToString(ix.IndexName))
	}
	return l
}

func printTables(out io.Writer, lines []tableLine) error {
	t := terminal.Table{Header: []string{"TABLE", "STATUS", "ITEMS", "BYTES", "INDEXES"}}
	for _, l := range lines {
		indexes := cmp.Or(strings.Join(l.Indexes, ","), "-")
		t.Add(l.Name, l.Status, strconv.FormatInt(l.Items, 10), strconv.FormatInt(l.Bytes, 10),
			indexes)
	}
	return t.Write(out)
}
