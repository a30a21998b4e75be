package dynamo_test

import (
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/conventions/dynamo"
)

var synced = dynamo.DataTable{Name: "data"}

func command(sk, title string) map[string]types.AttributeValue {
	return map[string]types.AttributeValue{
		"pk": text("PRODUCT#tenant001"), "sk": text(sk), "title": text(title),
	}
}

func TestSync(t *testing.T) {
	client := newClient(t)
	createTable(t, client, "data", "pk", "sk")
	sync := func(c map[string]types.AttributeValue) error {
		in, err := synced.Sync(c)
		require.NoError(t, err)
		_, err = client.PutItem(t.Context(), in)
		return err
	}
	first, second, third := command("1@1", "one"), command("1@2", "two"), command("1@3", "three")
	require.NoError(t, sync(first))
	require.NoError(t, sync(second))
	assert.Equal(t, "1@2", second["sk"].(*types.AttributeValueMemberS).Value,
		"the command stays as it is")
	out, err := client.GetItem(t.Context(),
		&dynamodb.GetItemInput{
			TableName: aws.String("data"),
			Key: map[string]types.AttributeValue{"pk": text("PRODUCT#tenant001"),
				"sk": text("1")},
		})
	require.NoError(t, err)
	assert.Equal(
		t, map[string]types.AttributeValue{"pk": text("PRODUCT#tenant001"), "sk": text("1"),
			"title":   text("two"),
			"version": &types.AttributeValueMemberN{Value: "2"}, "cpk": text("PRODUCT#tenant001"),
			"csk": text("1@2")}, out.Item)

	for _, again := range []map[string]types.AttributeValue{first, second} {
		assert.True(t, synced.Synced(again, sync(again)), "it comes again")
	}
	fourth := command("1@4", "four")
	assert.False(t, synced.Synced(fourth, sync(fourth)), "it comes too early")
	early := command("2@2", "two")
	assert.False(t, synced.Synced(early, sync(early)), "its first version is not there")
	require.NoError(t, sync(third))
	assert.False(t, synced.Synced(third, nil))
}

// TestSyncOfWhatNoCommandMade: an item that no command made has version 0, and the first command
// follows it.
func TestSyncOfWhatNoCommandMade(t *testing.T) {
	client := newClient(t)
	createTable(t, client, "data", "pk", "sk")
	item := command("1", "nought")
	item["version"] = &types.AttributeValueMemberN{Value: "0"}
	_, err := client.PutItem(t.Context(),
		&dynamodb.PutItemInput{TableName: aws.String("data"), Item: item})
	require.NoError(t, err)
	in, err := synced.Sync(command("1@1", "one"))
	require.NoError(t, err)
	_, err = client.PutItem(t.Context(), in)
	require.NoError(t, err)
}

func TestSyncErrors(t *testing.T) {
	for _, c := range []struct {
		name    string
		table   dynamo.DataTable
		command map[string]types.AttributeValue
		message string
	}{
		{"no table", dynamo.DataTable{}, command("1@1", ""), "needs a name"},
		{"no version", synced, command("1", ""), `"1" has no version`},
		{"the version of no command", synced, command("1@0", ""), `"1@0" has no version`},
		{"no key", synced, map[string]types.AttributeValue{"pk": text("a")},
			`no strings "pk" and "sk"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := c.table.Sync(c.command)
			assert.ErrorContains(t, err, c.message)
		})
	}
}

func TestIsLatest(t *testing.T) {
	client := newDocuments(t)
	item, _, err := readLatest(t, client)
	require.NoError(t, err)
	is, err := documents.IsLatest(item, "v1")
	require.NoError(t, err)
	assert.False(t, is, "there is none")
	require.NoError(t, publish(t, client, dynamo.Publication{Version: "v1", Content: content("a")}))
	require.NoError(t,
		publish(t, client,
			dynamo.Publication{Version: "v2", Previous: "v1", Content: content("b")}))
	item, _ = latest(t, client)
	for version, want := range map[string]bool{"v1": false, "v2": true, "": false} {
		is, err := documents.IsLatest(item, version)
		require.NoError(t, err)
		assert.Equal(t, want, is, version)
	}
	_, err = documents.IsLatest(content("c"), "v1")
	assert.ErrorContains(t, err, "actualVersion")
}
