// Package notes is a small application that keeps notes in DynamoDB, to show how one
// is tested with Kugiri: see notes_test.go. It knows nothing of Kugiri.
package notes

import (
	"context"
	"errors"
	"strconv"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// Table is the name of the table.
const Table = "notes"

// ErrExists says that an author has a note of that title already.
var ErrExists = errors.New("notes: there is a note of that title")

// Store keeps the notes of all authors.
type Store struct{ Client *dynamodb.Client }

// Create makes the table.
func (s *Store) Create(ctx context.Context) error {
	_, err := s.Client.CreateTable(ctx, &dynamodb.CreateTableInput{
		TableName:   aws.String(Table),
		BillingMode: types.BillingModePayPerRequest,
		AttributeDefinitions: []types.AttributeDefinition{
			{AttributeName: aws.String("author"), AttributeType: types.ScalarAttributeTypeS},
			{AttributeName: aws.String("title"), AttributeType: types.ScalarAttributeTypeS},
		},
		KeySchema: []types.KeySchemaElement{
			{AttributeName: aws.String("author"), KeyType: types.KeyTypeHash},
			{AttributeName: aws.String("title"), KeyType: types.KeyTypeRange},
		},
	})
	if err != nil {
		return err
	}
	_, err = s.Client.UpdateTimeToLive(ctx, &dynamodb.UpdateTimeToLiveInput{
		TableName: aws.String(Table),
		TimeToLiveSpecification: &types.TimeToLiveSpecification{AttributeName: aws.String("until"),
			Enabled: aws.Bool(true)},
	})
	return err
}

// Add adds a note that is kept until a time, and fails with ErrExists if there is one.
func (s *Store) Add(ctx context.Context, author, title, text string, until time.Time) error {
	_, err := s.Client.PutItem(ctx, &dynamodb.PutItemInput{
		TableName: aws.String(Table),
		Item: map[string]types.AttributeValue{
			"author": &types.AttributeValueMemberS{Value: author},
			"title":  &types.AttributeValueMemberS{Value: title},
			"text":   &types.AttributeValueMemberS{Value: text},
			"until":  &types.AttributeValueMemberN{Value: strconv.FormatInt(until.Unix(), 10)},
		},
		ConditionExpression: aws.String("attribute_not_exists(author)"),
	})
	var exists *types.ConditionalCheckFailedException
	if errors.As(err, &exists) {
		return ErrExists
	}
	return err
}

// Titles returns the titles of all notes of an author, sorted.
func (s *Store) Titles(ctx context.Context, author string) (titles []string, err error) {
	pages := dynamodb.NewQueryPaginator(s.Client, &dynamodb.QueryInput{
		TableName:              aws.String(Table),
		KeyConditionExpression: aws.String("author = :a"),
		ExpressionAttributeValues: map[string]types.AttributeValue{
			":a": &types.AttributeValueMemberS{Value: author},
		},
	})
	for pages.HasMorePages() {
		page, err := pages.NextPage(ctx)
		if err != nil {
			return nil, err
		}
		for _, it := range page.Items {
			titles = append(titles, it["title"].(*types.AttributeValueMemberS).Value)
		}
	}
	return titles, nil
}
