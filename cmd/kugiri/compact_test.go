package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestCompact: a directory is shorter after most of its items were deleted, and holds the same.
func TestCompact(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	url, stop := serving(t, "--data-dir", dir)
	c := client(url)
	createTable(t, c)
	for i := range 40 {
		_, err := c.PutItem(t.Context(), &dynamodb.PutItemInput{TableName: aws.String("table"),
			Item: testItem(fmt.Sprint(i), 1, strings.Repeat("x", 100<<10))})
		require.NoError(t, err)
	}
	_, _, err := runs(t, "compact", "--data-dir", dir)
	require.ErrorContains(t, err, dir+" is in use by another process")
	require.NoError(t, stop())

	url, stop = serving(t, "--data-dir", dir)
	c = client(url)
	for i := range 39 {
		_, err := c.DeleteItem(
			t.Context(), &dynamodb.DeleteItemInput{TableName: aws.String("table"),
				Key: map[string]types.AttributeValue{
					"pk": &types.AttributeValueMemberS{Value: fmt.Sprint(i)},
				}})
		require.NoError(t, err)
	}
	require.NoError(t, stop())

	info, err := os.Stat(filepath.Join(dir, "tables.db"))
	require.NoError(t, err)
	out, _, err := runs(t, "compact", "--data-dir", dir)
	require.NoError(t, err)
	var after int64
	_, err = fmt.Sscanf(strings.TrimPrefix(out, "tables in "+dir+": "),
		fmt.Sprintf("%d bytes before, %%d bytes now", info.Size()), &after)
	require.NoError(t, err, out)
	assert.Less(t, after, info.Size())
	url, stop = serving(t, "--data-dir", dir)
	assert.Equal(t, map[string]int{"39": 1}, versions(t, client(url), nil))
	require.NoError(t, stop())
}
