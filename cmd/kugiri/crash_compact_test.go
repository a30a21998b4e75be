package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"
)

// TestCrashWhileItCompacts: a server rewrites its tables when most of their file is free. It is
// killed in the middle of that, and nothing is lost.
//
// A rewrite rests after each megabyte: with 23 MB of items it takes most of a second, and the test
// writes meanwhile. If a rewrite ends before the test sees its file, the next table that is deleted
// causes another one.
func TestCrashWhileItCompacts(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	fresh := filepath.Join(dir, "tables.db.new")
	url, kill := start(t, "--data-dir", dir)
	c := client(url)
	want := map[string]int{}
	newPlainTable(t, c, "table")
	for i := range 60 {
		putLarge(t, c, "table", i, i)
		want[fmt.Sprint("item", i)] = i
	}
	caught := false
	for round := 0; round < 10 && !caught; round++ {
		newPlainTable(t, c, "dropped")
		for i := range 200 {
			putLarge(t, c, "dropped", i, i)
		}
		_, err := c.DeleteTable(t.Context(),
			&dynamodb.DeleteTableInput{TableName: aws.String("dropped")})
		require.NoError(t, err)
		for i := 0; i < 300 && !caught; i++ {
			putLarge(t, c, "table", i%60, 1000*round+i)
			want[fmt.Sprint("item", i%60)] = 1000*round + i
			_, err := os.Stat(fresh)
			caught = err == nil
		}
	}
	require.True(t, caught, "no rewrite was seen")
	kill()
	_, _, err := runs(t, "check", "--data-dir", dir)
	require.NoError(t, err)
	url, kill = start(t, "--data-dir", dir)
	defer kill()
	require.Equal(t, want, versions(t, client(url), nil))
	require.NoFileExists(t, fresh)
}

// TestCrashOfCompact: the command compact is killed while it writes the new file. Nothing is lost,
// and the next run of the command begins anew.
func TestCrashOfCompact(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	fresh := filepath.Join(dir, "tables.db.new")
	url, kill := start(t, "--data-dir", dir)
	want := map[string]int{}
	newPlainTable(t, client(url), "table")
	for i := range 60 {
		putLarge(t, client(url), "table", i, i)
		want[fmt.Sprint("item", i)] = i
	}
	kill()
	killed := false
	for round := 0; round < 50 && !killed; round++ {
		killed = killCompact(t, dir, fresh)
	}
	require.True(t, killed, "no command was at work when it was killed")
	_, _, err := runs(t, "check", "--data-dir", dir)
	require.NoError(t, err)
	_, _, err = runs(t, "compact", "--data-dir", dir)
	require.NoError(t, err)
	require.NoFileExists(t, fresh)
	url, kill = start(t, "--data-dir", dir)
	defer kill()
	require.Equal(t, want, versions(t, client(url), nil))
}

// killCompact runs the command compact and kills it when a file is there. It reports whether the
// file is still there, because the command had not come to its end.
func killCompact(t *testing.T, dir, file string) bool {
	program, err := os.Executable()
	require.NoError(t, err)
	compact := exec.Command(program, "compact", "--data-dir", dir)
	compact.Env = append(os.Environ(), asKugiri+"=true")
	require.NoError(t, compact.Start())
	ended := make(chan error, 1)
	go func() { ended <- compact.Wait() }()
	for {
		select {
		case err := <-ended:
			require.NoError(t, err)
			return false
		default:
		}
		if _, err := os.Stat(file); err == nil {
			compact.Process.Kill()
			<-ended
			_, err := os.Stat(file)
			return err == nil
		}
	}
}

// newPlainTable creates a table without indexes and a stream.
func newPlainTable(t *testing.T, c *dynamodb.Client, name string) {
	_, err := c.CreateTable(t.Context(), &dynamodb.CreateTableInput{
		TableName: aws.String(name), BillingMode: types.BillingModePayPerRequest,
		AttributeDefinitions: []types.AttributeDefinition{
			{AttributeName: aws.String("pk"), AttributeType: types.ScalarAttributeTypeS},
		},
		KeySchema: []types.KeySchemaElement{
			{AttributeName: aws.String("pk"), KeyType: types.KeyTypeHash},
		},
	})
	require.NoError(t, err)
}

// putLarge puts an item of almost 400 KB.
func putLarge(t *testing.T, c *dynamodb.Client, table string, i, version int) {
	_, err := c.PutItem(t.Context(), &dynamodb.PutItemInput{
		TableName: aws.String(table),
		Item:      testItem(fmt.Sprint("item", i), version, strings.Repeat("x", 380<<10)),
	})
	require.NoError(t, err)
}
