package dynamo_test

import (
	"errors"
	"fmt"
	"maps"
	"sync"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/conventions/dynamo"
)

var documents = dynamo.LatestTable{Name: "documents"}

func content(s string) map[string]types.AttributeValue {
	return map[string]types.AttributeValue{"content": text(s)}
}

// publish sends the transaction of a publication.
func publish(t *testing.T, client *dynamodb.Client, p dynamo.Publication) error {
	input, err := dynamo.LatestTransaction(documents, p)
	if err != nil {
		return err
	}
	_, err = client.TransactWriteItems(t.Context(), input)
	return err
}

// readLatest returns the latest item and the version that it copies.
func readLatest(t *testing.T, client *dynamodb.Client) (map[string]types.AttributeValue, string,
	error) {
	input, err := documents.GetLatest()
	if err != nil {
		return nil, "", err
	}
	out, err := client.GetItem(t.Context(), input)
	if err != nil {
		return nil, "", err
	}
	version, err := documents.ActualVersion(out.Item)
	return out.Item, version, err
}

func latest(t *testing.T, client *dynamodb.Client) (map[string]types.AttributeValue, string) {
	item, version, err := readLatest(t, client)
	require.NoError(t, err)
	return item, version
}

func newDocuments(t *testing.T) *dynamodb.Client {
	client := newClient(t)
	createTable(t, client, documents.Name, dynamo.LatestKeyAttribute, "")
	return client
}

// TestLatestTransaction has the items of the article's addNewDocumentVersion and the conditions
// that the article advises.
func TestLatestTransaction(t *testing.T) {
	given := content("text")
	first, err := dynamo.LatestTransaction(documents,
		dynamo.Publication{Version: "v1", Content: given})
	require.NoError(t, err)
	put := func(item map[string]types.AttributeValue, condition string, names map[string]string,
		values map[string]types.AttributeValue) types.TransactWriteItem {
		return types.TransactWriteItem{Put: &types.Put{
			TableName: aws.String("documents"), Item: item,
			ConditionExpression:      aws.String(condition),
			ExpressionAttributeNames: names, ExpressionAttributeValues: values,
		}}
	}
	absent := map[string]string{"#key": "documentVersion"}
	assert.Equal(t, []types.TransactWriteItem{
		put(map[string]types.AttributeValue{"documentVersion": text("v1"), "content": text("text")},
			"attribute_not_exists(#key)", absent, nil),
		put(map[string]types.AttributeValue{"documentVersion": text("latest"),
			"content": text("text"), "actualVersion": text("v1")},
			"attribute_not_exists(#key)", absent, nil),
	}, first.TransactItems)
	assert.Equal(t, content("text"), given, "what was given is not changed")

	second, err := dynamo.LatestTransaction(dynamo.LatestTable{
		Name: "documents", KeyAttribute: "id", VersionAttribute: "of",
	},
		dynamo.Publication{Version: "v2", Previous: "v1"})
	require.NoError(t, err)
	assert.Equal(t, []types.TransactWriteItem{
		put(map[string]types.AttributeValue{"id": text("v2")}, "attribute_not_exists(#key)",
			map[string]string{"#key": "id"}, nil),
		put(map[string]types.AttributeValue{"id": text("latest"), "of": text("v2")},
			"#version = :previous",
			map[string]string{"#version": "of"},
			map[string]types.AttributeValue{":previous": text("v1")}),
	}, second.TransactItems)
}

func TestLatestErrors(t *testing.T) {
	for _, c := range []struct {
		name        string
		table       dynamo.LatestTable
		publication dynamo.Publication
		text        string
	}{
		{"no table", dynamo.LatestTable{}, dynamo.Publication{Version: "v1"},
			"dynamo: a table of versions needs a name"},
		{"one attribute for two",
			dynamo.LatestTable{Name: "t", VersionAttribute: "documentVersion"},
			dynamo.Publication{Version: "v1"},
			`dynamo: "documentVersion" cannot be the key and the latest version`},
		{"no version", documents, dynamo.Publication{}, `dynamo: the version "" is empty`},
		{"the latest as a version", documents, dynamo.Publication{Version: "latest"},
			`dynamo: no version can be called "latest"`},
		{"the latest as the one before", documents,
			dynamo.Publication{Version: "v1", Previous: "latest"},
			`dynamo: no version can be called "latest"`},
		{"the version before again", documents, dynamo.Publication{Version: "v1", Previous: "v1"},
			`dynamo: version "v1" is the latest already`},
		{"the key in the content", documents,
			dynamo.Publication{Version: "v1",
				Content: map[string]types.AttributeValue{"documentVersion": text("x")}},
			`dynamo: the content cannot have the attribute "documentVersion"`},
		{"the version in the content", documents,
			dynamo.Publication{Version: "v1",
				Content: map[string]types.AttributeValue{"actualVersion": text("x")}},
			`dynamo: the content cannot have the attribute "actualVersion"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := dynamo.LatestTransaction(c.table, c.publication)
			require.EqualError(t, err, c.text)
		})
	}
	t.Run("GetLatest without a table", func(t *testing.T) {
		_, err := dynamo.LatestTable{}.GetLatest()
		require.EqualError(t, err, "dynamo: a table of versions needs a name")
	})
	for name, item := range map[string]map[string]types.AttributeValue{
		"a latest item without a version": content("x"),
		"a latest item of a version of no string": {
			"actualVersion": &types.AttributeValueMemberN{Value: "1"},
		},
		"a latest item of a version without letter": {"actualVersion": text("")},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := documents.ActualVersion(item)
			require.EqualError(t, err, `dynamo: the latest item has no string "actualVersion"`)
		})
	}
}

func TestPublishing(t *testing.T) {
	client := newDocuments(t)
	_, none := latest(t, client)
	require.Empty(t, none)

	require.NoError(t,
		publish(t, client, dynamo.Publication{Version: "v1", Content: content("one")}))
	require.NoError(t,
		publish(t, client,
			dynamo.Publication{Version: "v2", Previous: "v1", Content: content("two")}))
	want := map[string]types.AttributeValue{
		"documentVersion": text("latest"), "actualVersion": text("v2"), "content": text("two"),
	}
	item, version := latest(t, client)
	assert.Equal(t, "v2", version)
	assert.Equal(t, want, item)

	for _, c := range []struct {
		name              string
		publication       dynamo.Publication
		exists, overtaken bool
	}{
		{"as if it were the first", dynamo.Publication{Version: "v3"}, false, true},
		{"from a version that is no longer the latest",
			dynamo.Publication{Version: "v3", Previous: "v1"}, false, true},
		{"a version that exists", dynamo.Publication{Version: "v1", Previous: "v2"}, true, false},
		{"a version that exists, from an older one",
			dynamo.Publication{Version: "v2", Previous: "v1"}, true, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			err := publish(t, client, c.publication)
			require.Error(t, err)
			assert.Equal(t, c.exists, dynamo.VersionExists(err))
			assert.Equal(t, c.overtaken, dynamo.Overtaken(err))
			item, _ := latest(t, client)
			assert.Equal(t, want, item, "nothing was written")
		})
	}
	other := errors.New("something else")
	assert.False(t, dynamo.VersionExists(other) || dynamo.Overtaken(other))
}

// TestTwoPublishersFromOneVersion: of two that publish from the same version, one succeeds.
func TestTwoPublishersFromOneVersion(t *testing.T) {
	client := newDocuments(t)
	require.NoError(t, publish(t, client, dynamo.Publication{Version: "v1"}))
	errs := make([]error, 2)
	var wg sync.WaitGroup
	for i := range errs {
		wg.Add(1)
		go func() {
			defer wg.Done()
			errs[i] = publish(t, client,
				dynamo.Publication{Version: fmt.Sprintf("v2-%d", i), Previous: "v1"})
		}()
	}
	wg.Wait()
	winner, loser := 0, 1
	if errs[winner] != nil {
		winner, loser = 1, 0
	}
	require.NoError(t, errs[winner])
	require.True(t, dynamo.Overtaken(errs[loser]), "%v", errs[loser])
	_, version := latest(t, client)
	assert.Equal(t, fmt.Sprintf("v2-%d", winner), version)
}

// TestRacingPublishersMakeOneLine: many publishers at once, each trying again when overtaken, make
// a single chain of versions: no two versions follow the same one.
func TestRacingPublishersMakeOneLine(t *testing.T) {
	const publishers, each = 4, 5
	client := newDocuments(t)
	var (
		mu    sync.Mutex
		after = map[string]string{} // the version that follows each version
		wg    sync.WaitGroup
	)
	for p := range publishers {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for n := 0; n < each; {
				_, previous, err := readLatest(t, client)
				if !assert.NoError(t, err) {
					return
				}
				version := fmt.Sprintf("%d-%d", p, n)
				err = publish(t, client,
					dynamo.Publication{
						Version: version, Previous: previous, Content: content(version),
					})
				if dynamo.Overtaken(err) {
					continue
				}
				if !assert.NoError(t, err) {
					return
				}
				mu.Lock()
				assert.NotContains(t, after, previous)
				after[previous] = version
				mu.Unlock()
				n++
			}
		}()
	}
	wg.Wait()
	require.Len(t, after, publishers*each)
	line := ""
	for next, ok := after[line]; ok; next, ok = after[line] {
		delete(after, line)
		line = next
	}
	assert.Empty(t, after, "all are in the line")
	item, version := latest(t, client)
	assert.Equal(t, line, version)
	out, err := client.GetItem(
		t.Context(), &dynamodb.GetItemInput{TableName: aws.String("documents"),
			Key: map[string]types.AttributeValue{"documentVersion": text(version)}})
	require.NoError(t, err)
	pointer := maps.Clone(out.Item)
	pointer["documentVersion"], pointer["actualVersion"] = text("latest"), text(version)
	assert.Equal(t, pointer, item, "the latest item is a copy")
}
