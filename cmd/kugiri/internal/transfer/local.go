package transfer

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"slices"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/sqlite"
)

// DynamoDB Local keeps the tables in an SQLite database: one for each access key and region, or a
// single one with -sharedDb. Each table is a table of the database, with the items as DynamoDB JSON
// in the column ObjectJSON. The table dm has the table definitions, and sm the streams.

// IsLocal reports whether a file is an SQLite database, such as those of DynamoDB Local.
func IsLocal(name string) bool {
	file, err := os.Open(name)
	if err != nil {
		return false
	}
	defer file.Close()
	start := make([]byte, len(sqlite.Magic))
	_, err = io.ReadFull(file, start)
	return err == nil && string(start) == sqlite.Magic
}

// LocalTables lists the tables of a database of DynamoDB Local.
func LocalTables(name string) (tables []string, err error) {
	db, err := openLocal(name)
	if err != nil {
		return nil, err
	}
	defer db.Close()
	for row, err := range db.rows("dm", "TableName") {
		if err != nil {
			return nil, err
		}
		tables = append(tables, textIn(row[0]))
	}
	slices.Sort(tables)
	return tables, nil
}

// localReader reads the items of a table.
type localReader struct {
	db    *localFile
	table string
	n     int
	next  func() (sqlite.Row, error, bool)
	stop  func()
}

// NewLocalReader reads the items of a table from a database of DynamoDB Local. done closes the
// database.
func NewLocalReader(name, table string) (r Reader, done func() error, err error) {
	db, err := openLocal(name)
	if err != nil {
		return nil, nil, err
	}
	if _, err := db.settings(table); err != nil {
		return nil, nil, errors.Join(err, db.Close())
	}
	l := &localReader{db: db, table: table}
	l.next, l.stop = iter.Pull2(db.rows(table, "ObjectJSON"))
	return l, func() error { l.stop(); return db.Close() }, nil
}

// CountLocal returns how many items a table has in a database of DynamoDB Local.
func CountLocal(name, table string) (items int64, err error) {
	db, err := openLocal(name)
	if err != nil {
		return 0, err
	}
	defer db.Close()
	for _, t := range db.tables {
		if t.Name == table {
			return db.Count(t)
		}
	}
	return 0, fmt.Errorf("%s has no data of table %s", name, table)
}

func (r *localReader) Next() (Sourced, error) {
	row, err, ok := r.next()
	if !ok {
		return Sourced{}, io.EOF
	}
	r.n++
	origin := Origin{Name: fmt.Sprintf("%s: table %s", r.db.name, r.table), Item: r.n}
	if err != nil {
		return Sourced{}, err
	}
	item, err := UnmarshalItem([]byte(textIn(row[0])))
	if err != nil {
		return Sourced{}, fmt.Errorf("%s: %w", origin, err)
	}
	return Sourced{item, origin}, nil
}

// LocalSettings reads the definition of a table from a database of DynamoDB Local, which keeps no
// tags.
func LocalSettings(name, table string) (*Settings, error) {
	db, err := openLocal(name)
	if err != nil {
		return nil, err
	}
	defer db.Close()
	return db.settings(table)
}

// localFile is a database of DynamoDB Local.
type localFile struct {
	*sqlite.File
	name   string
	tables []sqlite.Table
}

func openLocal(name string) (*localFile, error) {
	file, err := sqlite.Open(name)
	if err != nil {
		return nil, err
	}
	db := &localFile{File: file, name: name}
	if db.tables, err = file.Tables(); err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", name, err), file.Close())
	}
	if !slices.ContainsFunc(db.tables, func(t sqlite.Table) bool { return t.Name == "dm" }) {
		return nil, errors.Join(
			fmt.Errorf("%s is a database of SQLite, but not of DynamoDB Local", name), file.Close())
	}
	return db, nil
}

// rows reads the given columns of a table.
func (db *localFile) rows(table string, columns ...string) iter.Seq2[sqlite.Row, error] {
	return func(yield func(sqlite.Row, error) bool) {
		i := slices.IndexFunc(db.tables, func(t sqlite.Table) bool { return t.Name == table })
		if i < 0 {
			yield(nil, fmt.Errorf("%s has no data of table %s", db.name, table))
			return
		}
		for row, err := range db.Rows(db.tables[i]) {
			if err != nil {
				yield(nil, fmt.Errorf("%s: table %s: %w", db.name, table, err))
				return
			}
			some := make(sqlite.Row, len(columns))
			for n, column := range columns {
				if at := slices.Index(db.tables[i].Columns, column); at >= 0 {
					some[n] = row[at]
				}
			}
			if !yield(some, nil) {
				return
			}
		}
	}
}

// tableInfo is the description of a table in dm, in JSON.
type tableInfo struct {
	Attributes  []types.AttributeDefinition
	LSIList     []types.LocalSecondaryIndex
	GSIList     []types.GlobalSecondaryIndex
	SQLiteIndex map[string][]struct { // keys by index; "" for the table itself
		DynamoDBAttribute struct{ AttributeName string }
		KeyType           types.KeyType
	}
	TimeToLiveAttributeName string // "" if it is off
}

// settings returns the definition of a table.
func (db *localFile) settings(table string) (*Settings, error) {
	var known []string
	for row, err := range db.rows("dm", "TableName", "TableInfo", "BillingMode",
		"ReadCapacityUnits", "WriteCapacityUnits", "DeletionProtectionEnabled",
		"MaxReadRequestUnits", "MaxWriteRequestUnits") {
		if err != nil {
			return nil, err
		}
		if name := textIn(row[0]); name != table {
			known = append(known, name)
			continue
		}
		var info tableInfo
		if err := json.Unmarshal([]byte(textIn(row[1])), &info); err != nil {
			return nil, fmt.Errorf("%s: the definition of table %s: %w", db.name, table, err)
		}
		in := info.definition()
		in.OnDemandThroughput = requestUnits(row[6], row[7])
		if billing, _ := row[2].(int64); billing == 1 {
			in.BillingMode = types.BillingModePayPerRequest
		} else {
			read, _ := row[3].(int64)
			write, _ := row[4].(int64)
			in.ProvisionedThroughput = &types.ProvisionedThroughput{
				ReadCapacityUnits: &read, WriteCapacityUnits: &write,
			}
		}
		if textIn(row[5]) == "true" {
			in.DeletionProtectionEnabled = new(true)
		}
		in.StreamSpecification, err = db.stream(table)
		return &Settings{in, info.TimeToLiveAttributeName}, err
	}
	return nil, fmt.Errorf("%s has no table %s; it has %s", db.name, table,
		strings.Join(known, ", "))
}

// requestUnits returns the limits of an on-demand table, nil if it has none. Older databases lack
// the columns.
func requestUnits(read, write any) *types.OnDemandThroughput {
	var limits types.OnDemandThroughput
	if units, _ := read.(int64); units > 0 {
		limits.MaxReadRequestUnits = &units
	}
	if units, _ := write.(int64); units > 0 {
		limits.MaxWriteRequestUnits = &units
	}
	if limits == (types.OnDemandThroughput{}) {
		return nil
	}
	return &limits
}

func (t *tableInfo) definition() *dynamodb.CreateTableInput {
	in := &dynamodb.CreateTableInput{AttributeDefinitions: t.Attributes}
	for _, k := range t.SQLiteIndex[""] {
		in.KeySchema = append(in.KeySchema,
			types.KeySchemaElement{
				AttributeName: &k.DynamoDBAttribute.AttributeName, KeyType: k.KeyType,
			})
	}
	if len(t.LSIList) > 0 {
		in.LocalSecondaryIndexes = t.LSIList
	}
	if len(t.GSIList) > 0 {
		in.GlobalSecondaryIndexes = t.GSIList
	}
	return in
}

// stream returns the stream of a table, or nil.
func (db *localFile) stream(table string) (*types.StreamSpecification, error) {
	for row, err := range db.rows("sm", "TableName", "StreamStatus", "StreamInfo") {
		if err != nil {
			return nil, err
		}
		if textIn(row[0]) != table || textIn(row[1]) != "ENABLED" {
			continue
		}
		var info struct{ StreamViewType types.StreamViewType }
		if err := json.Unmarshal([]byte(textIn(row[2])), &info); err != nil {
			return nil, fmt.Errorf("%s: the stream of table %s: %w", db.name, table, err)
		}
		return &types.StreamSpecification{
			StreamEnabled: new(true), StreamViewType: info.StreamViewType,
		}, nil
	}
	return nil, nil
}

// textIn returns the text of a string or []byte.
func textIn(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case []byte:
		return string(v)
	}
	return ""
}
