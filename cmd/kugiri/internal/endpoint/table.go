package endpoint

import (
	"context"
	"errors"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/smithy-go"
)

// TimeToLive returns the attribute of a table's time to live, "" if it is off.
func TimeToLive(ctx context.Context, client *dynamodb.Client, table *string) (string, error) {
	out, err := client.DescribeTimeToLive(ctx,
		&dynamodb.DescribeTimeToLiveInput{TableName: table})
	if err != nil || out.TimeToLiveDescription == nil {
		return "", err
	}
	switch out.TimeToLiveDescription.TimeToLiveStatus {
	case types.TimeToLiveStatusEnabled, types.TimeToLiveStatusEnabling:
		return aws.ToString(out.TimeToLiveDescription.AttributeName), nil
	}
	return "", nil
}

// Tags returns the tags of a table by its ARN. With an error it returns those of the pages before.
func Tags(ctx context.Context, client *dynamodb.Client, arn *string) (all []types.Tag, err error) {
	for in := (&dynamodb.ListTagsOfResourceInput{ResourceArn: arn}); ; {
		page, err := client.ListTagsOfResource(ctx, in)
		if err != nil {
			return all, err
		}
		all = append(all, page.Tags...)
		if in.NextToken = page.NextToken; in.NextToken == nil {
			return all, nil
		}
	}
}

// UnknownOperation returns the operation that an endpoint says it does not have, "" if the error is
// another one. Engines other than DynamoDB lack some.
func UnknownOperation(err error) string {
	refused, ok := errors.AsType[smithy.APIError](err)
	operation, named := errors.AsType[*smithy.OperationError](err)
	if !ok || !named || refused.ErrorCode() != "UnknownOperationException" {
		return ""
	}
	return operation.OperationName
}
