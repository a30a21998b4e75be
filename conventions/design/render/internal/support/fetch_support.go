package support

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// BatchGetAPIClient reads items by their keys. A *dynamodb.Client does.
type BatchGetAPIClient interface {
	BatchGetItem(context.Context, *dynamodb.BatchGetItemInput,
		...func(*dynamodb.Options)) (*dynamodb.BatchGetItemOutput, error)
}

const (
	fetchSize  = 100                   // the most keys of a BatchGetItem
	fetchTries = 10                    // how often keys are tried that a request left unprocessed
	fetchWait  = 50 * time.Millisecond // the wait before the second try; it doubles
)

// fetch reads items by their keys, in their order. It leaves out those that are not there. asks has
// what it reads of an item, nothing for all.
func fetch(ctx context.Context, client BatchGetAPIClient, items []attributes,
	asks types.KeysAndAttributes) ([]attributes, error) {
	whole := map[string]attributes{}
	for part := range slices.Chunk(items, fetchSize) {
		keys := asks
		keys.Keys = nil
		for _, item := range part {
			keys.Keys = append(keys.Keys, Key(item))
		}
		if err := fetchInto(ctx, client, keys, whole); err != nil {
			return nil, err
		}
	}
	var all []attributes
	for _, item := range items {
		if found := whole[keyText(item)]; found != nil {
			all = append(all, found)
		}
	}
	return all, nil
}

// fetchInto reads items of up to fetchSize keys.
func fetchInto(ctx context.Context, client BatchGetAPIClient, keys types.KeysAndAttributes,
	whole map[string]attributes) error {
	wait := fetchWait
	for range fetchTries {
		out, err := client.BatchGetItem(ctx, &dynamodb.BatchGetItemInput{
			RequestItems: map[string]types.KeysAndAttributes{TableName: keys}})
		if err != nil {
			return err
		}
		for _, item := range out.Responses[TableName] {
			whole[keyText(item)] = item
		}
		left, more := out.UnprocessedKeys[TableName]
		if !more {
			return nil
		}
		keys = left
		select {
		case <-time.After(wait):
		case <-ctx.Done():
			return ctx.Err()
		}
		wait *= 2
	}
	return fmt.Errorf("BatchGetItem left %d keys unprocessed", len(keys.Keys))
}

// keyText writes the primary key of an item as one text.
func keyText(item attributes) string {
	var b strings.Builder
	for _, name := range keyNames {
		switch v := item[name].(type) {
		case *types.AttributeValueMemberS:
			fmt.Fprintf(&b, "%q ", v.Value)
		case *types.AttributeValueMemberN:
			fmt.Fprintf(&b, "%s ", v.Value)
		case *types.AttributeValueMemberB:
			fmt.Fprintf(&b, "%x ", v.Value)
		}
	}
	return b.String()
}
