package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/cli"
	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/definition"
	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/endpoint"
	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/transfer"
)

// settingsOf returns the definition of a table with its time to live and its tags, as far as the
// endpoint has these operations.
func settingsOf(ctx context.Context, client *dynamodb.Client, table *types.TableDescription,
) (*transfer.Settings, error) {
	set := &transfer.Settings{Create: endpoint.Creation(table)}
	var err error
	set.TimeToLive, err = endpoint.TimeToLive(ctx, client, table.TableName)
	if err != nil && endpoint.UnknownOperation(err) == "" {
		return nil, err
	}
	set.Create.Tags, err = endpoint.Tags(ctx, client, table.TableArn)
	if err != nil && endpoint.UnknownOperation(err) == "" {
		return nil, err
	}
	return set, nil
}

// allTables returns the names of all tables of an endpoint. No table is an error.
func allTables(ctx context.Context, client *dynamodb.Client) ([]string, error) {
	names, err := endpoint.TableNames(ctx, client)
	if err == nil && len(names) == 0 {
		return nil, errors.New("there are no tables of this access key and region")
	}
	return names, err
}

// wantedTable is a table with the given settings.
func wantedTable(name string, set *transfer.Settings) *definition.Table {
	wanted := &definition.Table{Place: "table " + name, Create: *set.Create}
	wanted.Create.TableName = &name
	if set.TimeToLive != "" {
		wanted.TTL = &types.TimeToLiveSpecification{
			AttributeName: &set.TimeToLive, Enabled: aws.Bool(true),
		}
	}
	return wanted
}

// makeWanted makes a table with all of its settings, and compares what the endpoint has of it then.
func makeWanted(ctx context.Context, client *dynamodb.Client, wanted *definition.Table) error {
	plan, err := definition.NewPlan(ctx, client, wanted)
	if err != nil {
		return err
	}
	if _, err := plan.Apply(ctx, client, cli.Pause); err != nil {
		return err
	}
	left, err := definition.NewPlan(ctx, client, wanted)
	if err != nil || len(left.Steps) == 0 {
		return err
	}
	var changes []string
	for _, step := range left.Steps {
		changes = append(changes, step.Change)
	}
	return fmt.Errorf("the endpoint made %s, but not as its source is: it did not %s",
		wanted.Place, strings.Join(changes, ", "))
}
