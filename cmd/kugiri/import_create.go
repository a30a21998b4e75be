package main

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/endpoint"
	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/transfer"
	"github.com/kugiri-db/kugiri/storage/budget"
)

// createTable makes the table, and waits until it can be used.
func (x *importConfig) createTable(ctx context.Context, client *dynamodb.Client,
	source string) error {
	set, err := x.readSettings(source)
	if err != nil {
		return err
	}
	_, err = client.DescribeTable(ctx, &dynamodb.DescribeTableInput{TableName: &x.table})
	var absent *types.ResourceNotFoundException
	switch {
	case err == nil:
		return fmt.Errorf("there is a table %s already: import into it without --create", x.table)
	case !errors.As(err, &absent):
		return fmt.Errorf("creating table %s: %w", x.table, endpoint.NoServer(err, client))
	}
	return makeWanted(ctx, client, wantedTable(x.table, set))
}

func (x *importConfig) readSettings(source string) (*transfer.Settings, error) {
	if x.definition != "" {
		text, err := budget.ReadFile(x.definition, budget.SettingBytes)
		if err != nil {
			return nil, err
		}
		in, err := transfer.ReadDefinition(x.definition, text)
		return &transfer.Settings{Create: in}, err
	}
	if info, err := os.Stat(source); err == nil && info.IsDir() {
		return transfer.S3Settings(source)
	}
	if source != "-" && transfer.IsLocal(source) {
		return transfer.LocalSettings(source, x.table)
	}
	return nil, errors.New(
		"--create needs the definition of the table: give --definition FILE, with the output of \"aws dynamodb describe-table\"")
}
