package emulator_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/emulator"
)

// A snapshot tells what a command has changed.
func ExampleCompare() {
	e := emulator.New()
	client := impatientClient(e)
	ctx := context.Background()
	if _, err := client.CreateTable(ctx, usersTable()); err != nil {
		panic(err)
	}
	before := e.Snapshot()
	if _, err := client.PutItem(ctx,
		&dynamodb.PutItemInput{TableName: aws.String("users"), Item: user("42")}); err != nil {
		panic(err)
	}
	key := e.Inspect().AccessKeys()[0]
	was, is := emulator.State{Emulator: e, Snapshot: before, AccessKey: key}, emulator.State{
		Emulator: e, AccessKey: key,
	}
	for _, t := range emulator.Compare(was, is) {
		fmt.Println(t.Table, "added:", t.Added, "changed:", t.Changed, "removed:", t.Removed)
	}
	items, _, err := emulator.CompareItems(was, is, "us-east-1", "users", "", 10)
	if err != nil {
		panic(err)
	}
	fmt.Println(items[0].Key.JSON(), items[0].Before == "")
	// Output:
	// users added: 1 changed: 0 removed: 0
	// {"id":{"S":"42"}} true
}

// TestCompareItemsInPages: a page ends after the item that makes it larger than 1 MB.
func TestCompareItemsInPages(t *testing.T) {
	e := emulator.New()
	client := impatientClient(e)
	_, err := client.CreateTable(t.Context(), usersTable())
	require.NoError(t, err)
	key := e.Inspect().AccessKeys()[0]
	was := emulator.State{Emulator: e, Snapshot: e.Snapshot(), AccessKey: key}
	large := &types.AttributeValueMemberS{Value: strings.Repeat("x", 300_000)}
	for i := range 9 {
		it := user(fmt.Sprint(i))
		it["large"] = large
		_, err := client.PutItem(t.Context(),
			&dynamodb.PutItemInput{TableName: aws.String("users"), Item: it})
		require.NoError(t, err)
	}
	var pages []int
	found := map[string]bool{}
	for place := ""; ; {
		items, next, err := emulator.CompareItems(was, emulator.State{Emulator: e, AccessKey: key},
			"us-east-1", "users", place, 1000)
		require.NoError(t, err)
		pages = append(pages, len(items))
		for _, x := range items {
			found[string(x.Key)] = true
		}
		if place = next; place == "" {
			break
		}
	}
	assert.Equal(t, []int{4, 4, 1}, pages)
	assert.Len(t, found, 9)
	_, _, err = emulator.CompareItems(was, was, "us-east-1", "users", "AA", 1)
	assert.ErrorIs(t, err, emulator.ErrPlace)
}
