package main

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The versions of a command table come through import and clone whatever their order.
func TestLoadsKeepVersions(t *testing.T) {
	t.Setenv("AWS_ACCESS_KEY_ID", "transfer")
	t.Setenv("AWS_SECRET_ACCESS_KEY", "transfer")
	t.Setenv("AWS_REGION", "us-east-1")
	const table = `{"TableName":"command","BillingMode":"PAY_PER_REQUEST","AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"},{"AttributeName":"sk","AttributeType":"S"}],
	"KeySchema":[{"AttributeName":"pk","KeyType":"HASH"},{"AttributeName":"sk","KeyType":"RANGE"}]}`
	policy := writePolicy(t, "tables: [{name: command, role: command}]\n")
	line := func(v int) string {
		return fmt.Sprintf(`{"pk":{"S":"ORDER#tenant001"},"sk":{"S":"ORDER#1@%d"},"version":{"N":"%d"}}`,
			v, v)
	}
	orders := map[string][]string{}
	for v := range 40 {
		orders["forward"] = append(orders["forward"], line(v+1))
		orders["backward"] = append(orders["backward"], line(40-v))
		orders["by text"] = append(orders["by text"], line(v+1))
		orders["in halves"] = append(orders["in halves"], line((v+20)%40+1))
	}
	slices.Sort(orders["by text"])
	guarded := func() (string, *dynamodb.Client) {
		url, _ := serving(t, "--shared", "--policy", policy, "--seed",
			writeNamed(t, "command.json", table))
		return url, sdkClient(url, "x")
	}
	count := func(c *dynamodb.Client) int {
		name := "command"
		out, err := c.Scan(t.Context(), &dynamodb.ScanInput{TableName: &name})
		require.NoError(t, err)
		return len(out.Items)
	}
	for name, lines := range orders {
		t.Run(name, func(t *testing.T) {
			url, client := guarded()
			_, _, err := runs(t, "import", "--endpoint", url, "--table", "command",
				writeNamed(t, "items.jsonl", strings.Join(lines, "\n")))
			require.NoError(t, err)
			assert.Equal(t, 40, count(client))
		})
	}
	url, client := guarded()
	_, _, err := runs(t, "import", "--endpoint", url, "--table", "command",
		writeNamed(t, "items.jsonl", strings.Join(orders["backward"][:38], "\n")))
	require.ErrorContains(t, err, "38 items are not written, whose earlier versions are missing")
	assert.Zero(t, count(client))

	from, _ := serving(t, "--shared", "--seed",
		writeNamed(t, "command.json", table+strings.Join(orders["backward"], "")))
	url, client = guarded()
	_, _, err = runs(t, "clone", "--from", from, "--to", url, "--table", "command", "--unmasked")
	require.NoError(t, err)
	assert.Equal(t, 40, count(client))
}
