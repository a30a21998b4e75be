package shop

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/kugiri-db/kugiri/conventions/dynamo"
)

// terms is the table of the terms of sale ("Managing latest in DynamoDB").
var terms = dynamo.LatestTable{Name: "documents"}

// Publish publishes a version of the terms of sale. One transaction writes the version and the
// latest item. Concurrent publishers publish one after the other.
func (s *Shop) Publish(ctx context.Context, version, content string) (err error) {
	for range attempts {
		var previous string
		if previous, _, err = s.Terms(ctx); err != nil {
			return err
		}
		var in *dynamodb.TransactWriteItemsInput
		in, err = dynamo.LatestTransaction(terms,
			dynamo.Publication{
				Version: version, Previous: previous, Content: attributes{"content": text(content)},
			})
		if err != nil {
			return err
		}
		if _, err = s.Client.TransactWriteItems(ctx, in); !dynamo.Overtaken(err) {
			return err
		}
	}
	return err
}

// Terms reads the latest terms of sale without knowing their version. Both results are "" before
// the first version.
func (s *Shop) Terms(ctx context.Context) (version, content string, err error) {
	in, err := terms.GetLatest()
	if err != nil {
		return "", "", err
	}
	out, err := s.Client.GetItem(ctx, in)
	if err != nil {
		return "", "", err
	}
	version, err = terms.ActualVersion(out.Item)
	return version, textOf(out.Item["content"]), err
}
