package endpoint

import (
	"context"
	"errors"
	"fmt"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// ErrNoTable is the error of a table that an access key does not have in a region.
var ErrNoTable = errors.New("there is no table")

// DescribeTable is DescribeTable, with an error that says what to do.
func DescribeTable(ctx context.Context, client *dynamodb.Client,
	table string) (*dynamodb.DescribeTableOutput, error) {
	out, err := client.DescribeTable(ctx, &dynamodb.DescribeTableInput{TableName: &table})
	var absent *types.ResourceNotFoundException
	switch {
	case errors.As(err, &absent):
		return nil, fmt.Errorf(
			"%w %s for this access key and region (\"kugiri tables\" lists those there are)",
			ErrNoTable, table)
	case err != nil:
		return nil, fmt.Errorf("asking for table %s: %w", table, NoServer(err, client))
	}
	return out, nil
}

// mostTables is how many tables an endpoint may list: ten times what an account of the service can
// have in a region.
const mostTables = 100_000

// TableNames lists the tables of an access key in a region.
func TableNames(ctx context.Context, client *dynamodb.Client) (names []string, err error) {
	pages := dynamodb.NewListTablesPaginator(client, nil)
	for pages.HasMorePages() {
		page, err := pages.NextPage(ctx)
		if err != nil {
			return nil, err
		}
		names = append(names, page.TableNames...)
		if len(names) > mostTables {
			return nil, fmt.Errorf("the endpoint lists more than %d tables", mostTables)
		}
	}
	return names, nil
}
