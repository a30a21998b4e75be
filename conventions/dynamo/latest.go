package dynamo

import (
	"cmp"
	"errors"
	"fmt"
	"maps"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/kugiri-db/kugiri/conventions"
)

// The names that the article gives to the parts of its table.
const (
	LatestKey          = "latest"          // the key of the item with the latest content
	LatestKeyAttribute = "documentVersion" // the partition key
	// the attribute of the latest item with the key of the version that it copies
	LatestVersionAttribute = "actualVersion"
)

// LatestTable is a table without a sort key. It holds the versions of a document, each under a key
// of its own, and a copy of the latest version under LatestKey.
type LatestTable struct {
	Name             string
	KeyAttribute     string // LatestKeyAttribute if empty
	VersionAttribute string // LatestVersionAttribute if empty
}

// Publication is a new version.
type Publication struct {
	Version string // the key of the version
	// the latest version that the publisher knows (ActualVersion); empty for the first
	Previous string
	Content  map[string]types.AttributeValue // the other attributes
}

// GetLatest makes the input of a strongly consistent read of the latest item.
func (t LatestTable) GetLatest() (*dynamodb.GetItemInput, error) {
	if err := t.check(); err != nil {
		return nil, err
	}
	return &dynamodb.GetItemInput{
		TableName:      aws.String(t.Name),
		Key:            map[string]types.AttributeValue{t.key(): text(LatestKey)},
		ConsistentRead: aws.Bool(true),
	}, nil
}

// ActualVersion returns the version that a latest item copies, for Previous of the next
// Publication. It returns "" for a missing item, and an error for an item that names no version.
func (t LatestTable) ActualVersion(latest map[string]types.AttributeValue) (string, error) {
	if len(latest) == 0 {
		return "", nil
	}
	version, ok := latest[t.version()].(*types.AttributeValueMemberS)
	if !ok || version.Value == "" {
		return "", fmt.Errorf("dynamo: the latest item has no string %q", t.version())
	}
	return version.Value, nil
}

// IsLatest tells whether a latest item copies the given version ("Points": comparing with
// actualVersion).
func (t LatestTable) IsLatest(latest map[string]types.AttributeValue, version string) (bool,
	error) {
	actual, err := t.ActualVersion(latest)
	return err == nil && version != "" && actual == version, err
}

// LatestTransaction makes the transaction that publishes a version ("Create a new document
// version"). It puts the version and makes the latest item a copy of it. The transaction fails if
// the version exists already, or if the latest item does not copy p.Previous. With an empty
// Previous it fails if there is a latest item. So if several publishers start from the same
// version, one wins. Overtaken reports true for the errors of the others, and they read again.
func LatestTransaction(t LatestTable, p Publication) (*dynamodb.TransactWriteItemsInput, error) {
	if err := t.check(); err != nil {
		return nil, err
	}
	if err := t.checkPublication(p); err != nil {
		return nil, err
	}
	version := maps.Clone(p.Content)
	if version == nil {
		version = map[string]types.AttributeValue{}
	}
	latest := maps.Clone(version)
	version[t.key()] = text(p.Version)
	latest[t.key()], latest[t.version()] = text(LatestKey), text(p.Version)

	absent := map[string]string{"#key": t.key()}
	put := &types.Put{
		TableName: aws.String(t.Name), Item: version,
		ConditionExpression:      aws.String("attribute_not_exists(#key)"),
		ExpressionAttributeNames: absent,
	}
	point := &types.Put{
		TableName: aws.String(t.Name), Item: latest,
		ConditionExpression:      aws.String("attribute_not_exists(#key)"),
		ExpressionAttributeNames: maps.Clone(absent),
	}
	if p.Previous != "" {
		point.ConditionExpression = aws.String("#version = :previous")
		point.ExpressionAttributeNames = map[string]string{"#version": t.version()}
		point.ExpressionAttributeValues = map[string]types.AttributeValue{
			":previous": text(p.Previous),
		}
	}
	return &dynamodb.TransactWriteItemsInput{
		TransactItems: []types.TransactWriteItem{{Put: put}, {Put: point}},
	}, nil
}

// VersionExists tells whether a LatestTransaction failed because the version exists already.
func VersionExists(err error) bool { return cancelledFor(err, 0, "ConditionalCheckFailed") }

// Overtaken tells whether a LatestTransaction failed because another publication was first or is in
// progress. The caller should read the latest item again and publish after it.
func Overtaken(err error) bool {
	return cancelledFor(err, 1, "ConditionalCheckFailed") ||
		cancelledFor(err, 1, "TransactionConflict")
}

// cancelledFor tells whether the action with the index cancelled a transaction, with the given code
// as its reason.
func cancelledFor(err error, action int, code string) bool {
	var cancelled *types.TransactionCanceledException
	return errors.As(err, &cancelled) && action < len(cancelled.CancellationReasons) &&
		aws.ToString(cancelled.CancellationReasons[action].Code) == code
}

func (t LatestTable) check() error {
	switch {
	case t.Name == "":
		return errors.New("dynamo: a table of versions needs a name")
	case t.key() == t.version():
		return fmt.Errorf("dynamo: %q cannot be the key and the latest version", t.key())
	}
	return nil
}

func (t LatestTable) checkPublication(p Publication) error {
	if err := checkKey("version", p.Version, conventions.MaxPartitionKeyBytes); err != nil {
		return err
	}
	switch {
	case p.Version == LatestKey || p.Previous == LatestKey:
		return fmt.Errorf("dynamo: no version can be called %q", LatestKey)
	case p.Version == p.Previous:
		return fmt.Errorf("dynamo: version %.100q is the latest already", p.Version)
	}
	for _, name := range []string{t.key(), t.version()} {
		if _, ok := p.Content[name]; ok {
			return fmt.Errorf("dynamo: the content cannot have the attribute %q", name)
		}
	}
	return nil
}

func (t LatestTable) key() string { return cmp.Or(t.KeyAttribute, LatestKeyAttribute) }

func (t LatestTable) version() string { return cmp.Or(t.VersionAttribute, LatestVersionAttribute) }
