package dynamo

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"strconv"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/kugiri-db/kugiri/conventions"
)

// The attributes of an item of a data table that name the command that made it.
const (
	CommandPartitionKey = "cpk"
	CommandSortKey      = "csk"
)

// DataTable is the table with the latest version of the items that commands make. A handler of the
// command table's stream writes it: the guide's data sync handler ("Version management").
type DataTable struct {
	Name             string
	PartitionKey     string // pk if empty
	SortKey          string // sk if empty
	VersionAttribute string // version if empty
}

// Sync makes the input that copies a command to the data table. command is the new image of a
// stream record. The item gets the command's attributes, under the sort key without the version.
// The put requires the version before in the table, so a command that arrives twice or too early
// changes nothing. Synced tells these two cases apart.
func (t DataTable) Sync(command map[string]types.AttributeValue) (*dynamodb.PutItemInput, error) {
	pk, sk, err := t.keys(command)
	if err != nil {
		return nil, err
	}
	version := conventions.Version(sk)
	item := maps.Clone(command)
	item[t.sort()] = text(conventions.RemoveVersion(sk))
	item[t.version()] = number(version)
	item[CommandPartitionKey], item[CommandSortKey] = text(pk), text(sk)

	in := &dynamodb.PutItemInput{
		TableName: aws.String(t.Name), Item: item,
		ConditionExpression:      aws.String("#version = :before"),
		ExpressionAttributeNames: map[string]string{"#version": t.version()},
		ExpressionAttributeValues: map[string]types.AttributeValue{
			":before": number(version - 1),
		},
		ReturnValuesOnConditionCheckFailure: types.ReturnValuesOnConditionCheckFailureAllOld,
	}
	if version == conventions.VersionFirst+1 { // the first command: the item may not exist yet
		in.ConditionExpression = aws.String("attribute_not_exists(#pk) OR #version = :before")
		in.ExpressionAttributeNames["#pk"] = t.partition()
	}
	return in, nil
}

// Synced tells whether a put of Sync failed because the data table already has the command's
// version or a later one. Then nothing is left to do. After any other error the caller should try
// again: the error may say that the command before is missing.
func (t DataTable) Synced(command map[string]types.AttributeValue, err error) bool {
	var failed *types.ConditionalCheckFailedException
	if !errors.As(err, &failed) {
		return false
	}
	stored, ok := failed.Item[t.version()].(*types.AttributeValueMemberN)
	if !ok {
		return false
	}
	version, err := strconv.Atoi(stored.Value)
	_, sk, keyErr := t.keys(command)
	return err == nil && keyErr == nil && version >= conventions.Version(sk)
}

// keys returns the keys of a command, whose sort key has a version.
func (t DataTable) keys(command map[string]types.AttributeValue) (pk, sk string, err error) {
	partition, ok := command[t.partition()].(*types.AttributeValueMemberS)
	sort, sorted := command[t.sort()].(*types.AttributeValueMemberS)
	switch {
	case t.Name == "":
		return "", "", errors.New("dynamo: a data table needs a name")
	case !ok || !sorted:
		return "", "", fmt.Errorf("dynamo: the command has no strings %q and %q", t.partition(),
			t.sort())
	case conventions.Version(sort.Value) <= conventions.VersionFirst:
		return "", "", fmt.Errorf("dynamo: the sort key %.100q has no version of a command",
			sort.Value)
	}
	return partition.Value, sort.Value, nil
}

func number(n int) types.AttributeValue {
	return &types.AttributeValueMemberN{Value: strconv.Itoa(n)}
}

func (t DataTable) partition() string { return cmp.Or(t.PartitionKey, "pk") }

func (t DataTable) sort() string { return cmp.Or(t.SortKey, "sk") }

func (t DataTable) version() string { return cmp.Or(t.VersionAttribute, "version") }
