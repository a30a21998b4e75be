package definition

import (
	"context"
	"errors"
	"fmt"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/smithy-go"
)

// state is the state of a table at an endpoint. It is read as far as a Table says something about
// it.
type state struct {
	table    *types.TableDescription
	tags     map[string]string
	ttl      *types.TimeToLiveDescription
	recovery *types.PointInTimeRecoveryDescription
	insights map[string]*insightsProperties // insights that are on, by index, "" for the table
	kinesis  []types.KinesisDataStreamDestination
	policy   string
	unknown  []string // operations that the endpoint does not have, which would say more
}

// stateOf returns what an endpoint has of a table, nil if there is no such table.
func stateOf(ctx context.Context, c *dynamodb.Client, t *Table) (*state, error) {
	name := t.Create.TableName
	out, err := c.DescribeTable(ctx, &dynamodb.DescribeTableInput{TableName: name})
	var none *types.ResourceNotFoundException
	switch {
	case errors.As(err, &none):
		return nil, nil
	case err != nil:
		return nil, err
	case out.Table.TableStatus == types.TableStatusDeleting:
		return nil, fmt.Errorf("the table %s is being deleted", *name)
	}
	s := &state{table: out.Table, insights: map[string]*insightsProperties{}}
	for _, read := range []func(context.Context, *dynamodb.Client, *Table) error{
		s.readTags, s.readTTL, s.readRecovery, s.readInsights, s.readKinesis, s.readPolicy,
	} {
		if err := s.known(read(ctx, c, t)); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// known returns an error unless it says that the endpoint does not have an operation. Other engines
// have fewer than DynamoDB: a table of theirs has nothing of what the operation describes.
func (s *state) known(err error) error {
	var refused smithy.APIError
	var operation *smithy.OperationError
	if errors.As(err, &refused) && refused.ErrorCode() == "UnknownOperationException" &&
		errors.As(err, &operation) {
		s.unknown = append(s.unknown, operation.OperationName)
		return nil
	}
	return err
}

func (s *state) readTags(ctx context.Context, c *dynamodb.Client, t *Table) error {
	if t.Create.Tags == nil {
		return nil
	}
	s.tags = map[string]string{}
	in := &dynamodb.ListTagsOfResourceInput{ResourceArn: s.table.TableArn}
	for {
		out, err := c.ListTagsOfResource(ctx, in)
		if err != nil {
			return err
		}
		for _, tag := range out.Tags {
			s.tags[*tag.Key] = *tag.Value
		}
		if in.NextToken = out.NextToken; in.NextToken == nil {
			return nil
		}
	}
}

func (s *state) readTTL(ctx context.Context, c *dynamodb.Client, t *Table) error {
	if t.TTL == nil {
		return nil
	}
	out, err := c.DescribeTimeToLive(ctx,
		&dynamodb.DescribeTimeToLiveInput{TableName: t.Create.TableName})
	if err == nil {
		s.ttl = out.TimeToLiveDescription
	}
	return err
}

func (s *state) readRecovery(ctx context.Context, c *dynamodb.Client, t *Table) error {
	if t.Recovery == nil {
		return nil
	}
	out, err := c.DescribeContinuousBackups(ctx,
		&dynamodb.DescribeContinuousBackupsInput{TableName: t.Create.TableName})
	if err == nil {
		s.recovery = out.ContinuousBackupsDescription.PointInTimeRecoveryDescription
	}
	return err
}

func (s *state) readInsights(ctx context.Context, c *dynamodb.Client, t *Table) error {
	for _, i := range t.Insights {
		in := &dynamodb.DescribeContributorInsightsInput{TableName: t.Create.TableName}
		if i.Index != "" {
			in.IndexName = aws.String(i.Index)
		}
		out, err := c.DescribeContributorInsights(ctx, in)
		var none *types.ResourceNotFoundException
		if errors.As(err, &none) {
			continue // the index is not there yet
		}
		if err != nil {
			return err
		}
		if status :=
			out.ContributorInsightsStatus; status == types.ContributorInsightsStatusEnabled ||
			status == types.ContributorInsightsStatusEnabling {
			s.insights[i.Index] = &insightsProperties{
				Enabled: true, Mode: out.ContributorInsightsMode,
			}
		}
	}
	return nil
}

func (s *state) readKinesis(ctx context.Context, c *dynamodb.Client, t *Table) error {
	if t.Kinesis == nil {
		return nil
	}
	out, err := c.DescribeKinesisStreamingDestination(ctx,
		&dynamodb.DescribeKinesisStreamingDestinationInput{TableName: t.Create.TableName})
	if err == nil {
		s.kinesis = out.KinesisDataStreamDestinations
	}
	return err
}

func (s *state) readPolicy(ctx context.Context, c *dynamodb.Client, t *Table) error {
	if t.Create.ResourcePolicy == nil {
		return nil
	}
	out, err := c.GetResourcePolicy(ctx,
		&dynamodb.GetResourcePolicyInput{ResourceArn: s.table.TableArn})
	var none *types.PolicyNotFoundException
	switch {
	case errors.As(err, &none):
		return nil
	case err != nil:
		return err
	}
	s.policy = aws.ToString(out.Policy)
	return nil
}
