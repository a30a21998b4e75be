package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/spf13/cobra"

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
	var e endpoint
	var format resultFormat
	c := &cobra.Command{
		Use:   "tables",
		Short: "List the tables of a server with their items, bytes and indexes",
		Long: "Lists the tables of the access key and region of the environment, as the AWS CLI finds them.\n" +
			"Other access keys and regions have other tables, unless the server is one with --shared.",
		Args: noArguments,
		RunE: func(c *cobra.Command, _ []string) error {
			client, err := e.client(c.Context())
			if err != nil {
				return err
			}
			lines, err := listTables(c.Context(), client)
			if err != nil {
				return noServer(err, client)
			}
			return format.print(c, lines, func(out io.Writer) error {
				if len(lines) == 0 {
					return sayWhose(c.Context(), c.ErrOrStderr(), client)
				}
				return printTables(out, lines)
			})
		},
	}
	e.flags(c)
	format.register(c)
	return c
}

// sayWhose says whose tables there are none of, for one who made some as somebody else.
func sayWhose(ctx context.Context, out io.Writer, client *dynamodb.Client) error {
	own, err := client.Options().Credentials.Retrieve(ctx)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(out, "no tables of the access key %s in %s\n", own.AccessKeyID, client.Options().Region)
	return err
}

// listTables describes all tables. One that goes away meanwhile is left out.
func listTables(ctx context.Context, client *dynamodb.Client) ([]tableLine, error) {
	lines := []tableLine{}
	pages := dynamodb.NewListTablesPaginator(client, nil)
	for pages.HasMorePages() {
		page, err := pages.NextPage(ctx)
		if err != nil {
			return nil, err
		}
		for _, name := range page.TableNames {
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
	}
	return lines, nil
}

func lineOf(t *types.TableDescription) tableLine {
	l := tableLine{Name: aws.ToString(t.TableName), Status: string(t.TableStatus), Indexes: []string{},
		Items: aws.ToInt64(t.ItemCount), Bytes: aws.ToInt64(t.TableSizeBytes)}
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
		t.Add(l.Name, l.Status, strconv.FormatInt(l.Items, 10), strconv.FormatInt(l.Bytes, 10), indexes)
	}
	return t.Write(out)
}
