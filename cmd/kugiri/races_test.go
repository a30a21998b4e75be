package main

import (
	"context"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/cli"
)

// TestRaces records a program over HTTP, and finds what is wrong with it.
func TestRaces(t *testing.T) {
	file := filepath.Join(t.TempDir(), "traffic.json")
	url, stop := serving(t, "--record", file)
	db := dynamodb.New(dynamodb.Options{
		Region: "us-east-1", BaseEndpoint: &url,
		Credentials: credentials.NewStaticCredentialsProvider("key", "secret", ""),
	})
	table := aws.String("coupons")
	_, err := db.CreateTable(t.Context(), &dynamodb.CreateTableInput{
		TableName: table, BillingMode: types.BillingModePayPerRequest,
		AttributeDefinitions: []types.AttributeDefinition{
			{AttributeName: aws.String("id"), AttributeType: types.ScalarAttributeTypeS},
		},
		KeySchema: []types.KeySchemaElement{
			{AttributeName: aws.String("id"), KeyType: types.KeyTypeHash},
		},
	})
	require.NoError(t, err)
	key := map[string]types.AttributeValue{"id": &types.AttributeValueMemberS{Value: "c1"}}
	_, err = db.GetItem(t.Context(), &dynamodb.GetItemInput{TableName: table, Key: key})
	require.NoError(t, err)
	_, err = db.PutItem(t.Context(), &dynamodb.PutItemInput{TableName: table, Item: key})
	require.NoError(t, err)
	require.NoError(t, stop())

	out, _, err := runs(t, "races", file)
	require.EqualError(t, err, "the program has races")
	assert.Equal(t, 1, cli.ExitStatus(err))
	assert.Contains(t, out, "check-then-put (1 time, confirmed by a replay)")
	assert.Contains(t, out, "attribute_not_exists")
	out, _, err = runs(t, "races", file, "--format", "json")
	require.Error(t, err)
	assert.Contains(t, out, `"kind":"check-then-put"`)
}

// TestRecordLost: what is not recorded is logged at once, and the server ends with status 1, also
// after a signal.
func TestRecordLost(t *testing.T) {
	const full = "/dev/full"
	if _, err := os.Stat(full); err != nil {
		t.Skip("no file that is always full")
	}
	var logged logBuffer
	url, stop := servingLogged(t, &logged, "--record", full)
	db := dynamodb.New(dynamodb.Options{
		Region: "us-east-1", BaseEndpoint: &url,
		Credentials: credentials.NewStaticCredentialsProvider("key", "secret", ""),
	})
	_, err := db.GetItem(t.Context(), &dynamodb.GetItemInput{TableName: aws.String("none"),
		Key: map[string]types.AttributeValue{"id": &types.AttributeValueMemberS{Value: "c1"}}})
	require.Error(t, err)
	err = stop()
	require.ErrorContains(t, err, "record: the recording ends after 0 requests")
	assert.Equal(t, 1, cli.ExitStatus(err))
	assert.Contains(t, logged.String(), "not all requests are recorded")

	ctx, interrupt := context.WithCancelCause(t.Context())
	interrupt(cli.Signaled{Signal: syscall.SIGTERM})
	assert.Equal(t, err, cli.AfterInterrupt(ctx, err))
}

// TestRacesRefused: errors have the exit status 2.
func TestRacesRefused(t *testing.T) {
	dir := t.TempDir()
	wrong, empty := filepath.Join(dir, "wrong"), filepath.Join(dir, "empty")
	require.NoError(t, os.WriteFile(wrong, []byte(`{"tea": 1}`), 0o600))
	require.NoError(t, os.WriteFile(empty, nil, 0o600))
	for _, c := range []struct {
		name, says string
		args       []string
		status     int
	}{
		{"no file", "accepts 1 arg(s), received 0", nil, 2},
		{"a file that is not there", "no such file", []string{filepath.Join(dir, "none")}, 2},
		{"another file", "request 1 has no operation", []string{wrong}, 2},
		{"an unknown flag", "unknown flag", []string{"--nope"}, 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, _, err := runs(t, append([]string{"races"}, c.args...)...)
			require.ErrorContains(t, err, c.says)
			assert.Equal(t, c.status, cli.ExitStatus(err))
		})
	}
	out, _, err := runs(t, "races", empty)
	require.NoError(t, err)
	assert.Contains(t, out, "0 requests")
}
