package main

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"github.com/kugiri-db/kugiri/conventions/dynamo"
)

// racer reads what there is and writes the next version of it.
type racer func(context.Context, *dynamodb.Client) error

// Clients that race, and the writes of each that are acknowledged.
const (
	racers     = 16
	winsOfEach = 3
)

// TestPolicyRace: of writers that race for versions each wins its own. None has a condition that
// the policy does not ask for, and all write the same.
func TestPolicyRace(t *testing.T) {
	for _, role := range []struct {
		name     string
		race     racer
		versions func(*testing.T, *dynamodb.Client) int
	}{
		{"data", raceForData, versionsOfData},
		{"command", raceFor("command"), versionsIn("command")},
		{"history", raceFor("history"), versionsIn("history")},
		{"latest", raceForLatest, versionsOfDocument},
	} {
		for _, at := range []place{inServer, inGuard, inGateway} {
			t.Run(role.name+"/"+string(at), func(t *testing.T) {
				t.Parallel()
				s := (&placeCase{}).start(t, at)
				group, ctx := errgroup.WithContext(t.Context())
				for range racers {
					group.Go(func() error { return wins(ctx, s.client, role.race) })
				}
				require.NoError(t, group.Wait())
				require.Equal(t, racers*winsOfEach, role.versions(t, s.past()))
			})
		}
	}
}

// wins races until enough writes are acknowledged.
func wins(ctx context.Context, c *dynamodb.Client, race racer) error {
	for won := 0; won < winsOfEach; {
		err := race(ctx, c)
		var lost *types.ConditionalCheckFailedException
		var canceled *types.TransactionCanceledException
		switch {
		case err == nil:
			won++
		case !errors.As(err, &lost) && !(errors.As(err, &canceled) && isLost(canceled)):
			return err
		}
	}
	return nil
}

// isLost reports whether a transaction was canceled because another one was faster.
func isLost(e *types.TransactionCanceledException) bool {
	for _, r := range e.CancellationReasons {
		switch aws.ToString(r.Code) {
		case "None", "ConditionalCheckFailed", "TransactionConflict":
		default:
			return false
		}
	}
	return true
}

func raceForData(ctx context.Context, c *dynamodb.Client) error {
	out, err := c.GetItem(ctx,
		&dynamodb.GetItemInput{
			TableName: aws.String("data"), Key: attributes(orderKey()...),
			ConsistentRead: aws.Bool(true),
		})
	if err != nil {
		return err
	}
	next := 0
	if n, ok := out.Item["version"].(*types.AttributeValueMemberN); ok {
		if next, err = strconv.Atoi(n.Value); err != nil {
			return err
		}
		next++
	}
	return alone(order("", strconv.Itoa(next), "count", "="+strconv.Itoa(next)))(ctx, c)
}

func versionsOfData(t *testing.T, c *dynamodb.Client) int {
	out, err := c.GetItem(t.Context(),
		&dynamodb.GetItemInput{TableName: aws.String("data"), Key: attributes(orderKey()...)})
	require.NoError(t, err)
	last, err := strconv.Atoi(out.Item["version"].(*types.AttributeValueMemberN).Value)
	require.NoError(t, err)
	return last + 1 // the first is 0
}

// raceFor puts the version that follows the last of a command or history table, in a transaction,
// as those who do not see what is stored need it.
func raceFor(table string) racer {
	return func(ctx context.Context, c *dynamodb.Client) error {
		n, err := countOf(ctx, c, table)
		if err != nil {
			return err
		}
		version := strconv.Itoa(n + 1)
		return together(
			put(table, "", append(keyOfCommand(version), "version", "="+version)...))(ctx, c)
	}
}

func countOf(ctx context.Context, c *dynamodb.Client, table string) (int, error) {
	out, err := c.Query(
		ctx, &dynamodb.QueryInput{TableName: &table, ConsistentRead: aws.Bool(true),
			Select:                    types.SelectCount,
			KeyConditionExpression:    aws.String("pk = :pk AND begins_with(sk, :sk)"),
			ExpressionAttributeValues: attributes(":pk", "ORDER#tenant001", ":sk", "ORDER#1@")})
	if err != nil {
		return 0, err
	}
	return int(out.Count), nil
}

// versionsIn counts the versions. None may be missing.
func versionsIn(table string) func(*testing.T, *dynamodb.Client) int {
	return func(t *testing.T, c *dynamodb.Client) int {
		n, err := countOf(t.Context(), c, table)
		require.NoError(t, err)
		for version := range n {
			key := attributes(keyOfCommand(strconv.Itoa(version + 1))...)
			out, err := c.GetItem(t.Context(), &dynamodb.GetItemInput{TableName: &table, Key: key})
			require.NoError(t, err)
			require.NotNil(t, out.Item, "version %d", version+1)
		}
		return n
	}
}

var documents = dynamo.LatestTable{Name: "documents"}

func raceForLatest(ctx context.Context, c *dynamodb.Client) error {
	previous, number, err := latestVersion(ctx, c)
	if err != nil {
		return err
	}
	in, err := dynamo.LatestTransaction(
		documents, dynamo.Publication{Version: fmt.Sprint("v", number+1), Previous: previous,
			Content: attributes("content", "text")})
	if err != nil {
		return err
	}
	version := in.TransactItems[0].Put // the policy asks for the condition on the latest item only
	version.ConditionExpression, version.ExpressionAttributeNames = nil, nil
	_, err = c.TransactWriteItems(ctx, in)
	return err
}

// latestVersion returns the version that the latest item names, and the number in it.
func latestVersion(ctx context.Context, c *dynamodb.Client) (version string, number int,
	err error) {
	in, err := documents.GetLatest()
	if err != nil {
		return "", 0, err
	}
	out, err := c.GetItem(ctx, in)
	if err != nil {
		return "", 0, err
	}
	if version, err = documents.ActualVersion(out.Item); err == nil && version != "" {
		_, err = fmt.Sscanf(version, "v%d", &number)
	}
	return version, number, err
}

// versionsOfDocument counts the versions. The latest item names the last one.
func versionsOfDocument(t *testing.T, c *dynamodb.Client) int {
	out, err := c.Scan(t.Context(),
		&dynamodb.ScanInput{TableName: &documents.Name, Select: types.SelectCount})
	require.NoError(t, err)
	_, number, err := latestVersion(t.Context(), c)
	require.NoError(t, err)
	require.Equal(t, int(out.Count), number+1, "all versions, and the latest item")
	return number
}
