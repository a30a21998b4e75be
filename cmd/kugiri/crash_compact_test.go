package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/stretchr/testify/require"
)

// TestCrashWhileItCompacts: a server compacts its directory when most of it is free, and may be
// killed meanwhile.
func TestCrashWhileItCompacts(t *testing.T) {
	dir, items := filepath.Join(t.TempDir(), "data"), map[string]int{}
	tables, fresh := filepath.Join(dir, "tables.db"), filepath.Join(dir, "tables.db.new")
	url, kill := start(t, "--data-dir", dir)
	c := client(url)
	put := func(from, to int) {
		for i := from; i < to; i++ {
			_, err := c.PutItem(t.Context(), &dynamodb.PutItemInput{TableName: aws.String("table"),
				Item: testItem(fmt.Sprint("item", i), i, strings.Repeat("x", 380<<10))})
			require.NoError(t, err)
			items[fmt.Sprint("item", i)] = i
		}
	}
	createTable(t, c)
	put(0, 180)
	await := func(what string, done func() bool) {
		require.Eventually(t, done, time.Minute, time.Millisecond, what)
	}
	await("the logs are in the tables", func() bool { return sizeOf(tables) > 60<<20 })
	_, err := c.DeleteTable(t.Context(), &dynamodb.DeleteTableInput{TableName: aws.String("table")})
	require.NoError(t, err)
	clear(items)
	createTable(t, c)
	put(0, 30)
	await("it compacts", func() bool { return sizeOf(fresh) > 0 })
	kill()
	_, _, err = runs(t, "check", "--data-dir", dir)
	require.NoError(t, err)

	url, kill = start(t, "--data-dir", dir)
	defer kill()
	c = client(url)
	require.Equal(t, items, versions(t, c, nil))
	require.NoFileExists(t, fresh)
	put(30, 60)
	await("it is compact", func() bool { return sizeOf(tables) < 40<<20 && sizeOf(fresh) == 0 })
	require.Equal(t, items, versions(t, c, nil))
}

// sizeOf returns the size of a file, or 0 for none.
func sizeOf(path string) int64 {
	info, err := os.Stat(path)
	if err != nil {
		return 0
	}
	return info.Size()
}
