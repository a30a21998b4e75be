package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/spf13/cobra"

	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/cli"
	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/transfer"
)

// sourcedTable is a table that a source has.
type sourcedTable struct{ name, source string }

// importAll imports all tables of the sources, one after another. An error ends it: what was
// imported before has been said.
func (x *importConfig) importAll(c *cobra.Command, client *dynamodb.Client,
	sources []string) error {
	if len(sources) == 0 {
		return cli.WithHelp(c, errors.New("--all-tables needs a database or a directory"))
	}
	var tables []sourcedTable
	for _, source := range sources {
		found, err := tablesIn(source)
		if err != nil {
			return err
		}
		tables = append(tables, found...)
	}
	for _, t := range tables {
		one := *x
		one.table = t.name
		if err := one.importTable(c, client, []string{t.source}); err != nil {
			return fmt.Errorf("table %s: %w", t.name, err)
		}
	}
	return nil
}

// tablesIn returns the tables of a source, at least one.
func tablesIn(source string) (tables []sourcedTable, err error) {
	info, err := os.Stat(source)
	switch {
	case err != nil:
		return nil, err
	case info.IsDir():
		tables, err = exportsIn(source)
	case transfer.IsLocal(source):
		var names []string
		names, err = transfer.LocalTables(source)
		for _, name := range names {
			tables = append(tables, sourcedTable{name, source})
		}
	default:
		return nil, fmt.Errorf("%s does not say of which tables its items are: "+
			"--all-tables reads a database of DynamoDB Local, or a directory of exports", source)
	}
	if err == nil && len(tables) == 0 {
		err = fmt.Errorf("%s has no tables", source)
	}
	return tables, err
}

// exportsIn returns the tables whose exports are in the directories of a directory.
func exportsIn(dir string) (tables []sourcedTable, err error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	for _, entry := range entries {
		if !entry.IsDir() {
			continue
		}
		own := filepath.Join(dir, entry.Name())
		set, err := transfer.S3Settings(own)
		if err != nil {
			return nil, err
		}
		name := aws.ToString(set.Create.TableName)
		if name == "" {
			return nil, fmt.Errorf("%s: the definition names no table", own)
		}
		tables = append(tables, sourcedTable{name, own})
	}
	return tables, nil
}
