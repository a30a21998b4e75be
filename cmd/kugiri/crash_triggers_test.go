package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// triggered is a function that records the versions of each item that it gets.
type triggered struct {
	mu       sync.Mutex
	versions map[string][]int // versions by item, in the order of the calls
	news     chan struct{}    // holds a value after a call
}

func (f *triggered) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var event struct {
		Records []struct {
			DynamoDB struct {
				NewImage map[string]map[string]string
			} `json:"dynamodb"`
		}
	}
	if err := json.NewDecoder(r.Body).Decode(&event); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, record := range event.Records {
		image := record.DynamoDB.NewImage
		version, _ := strconv.Atoi(image["n"]["N"])
		f.versions[image["id"]["S"]] = append(f.versions[image["id"]["S"]], version)
	}
	select {
	case f.news <- struct{}{}:
	default:
	}
}

// last returns the last version of an item that the function got.
func (f *triggered) last(id string) int {
	f.mu.Lock()
	defer f.mu.Unlock()
	if all := f.versions[id]; len(all) > 0 {
		return all[len(all)-1]
	}
	return 0
}

// TestTriggersSurviveKills checks that a function gets every write that was answered, in the order
// of each item, although the server is killed between and during calls. A record may come again
// after a kill, with those behind it.
func TestTriggersSurviveKills(t *testing.T) {
	const kills, writes, items = 6, 60, 4
	f := &triggered{versions: map[string][]int{}, news: make(chan struct{}, 1)}
	function := httptest.NewServer(f)
	t.Cleanup(function.Close)
	var c *dynamodb.Client
	again := killable(t, &c, "--data-dir", filepath.Join(t.TempDir(), "data"), "--stream-shards",
		"2", "--trigger", "orders -> "+function.URL+` {"BatchSize": 3}`)
	_, err := c.CreateTable(t.Context(), &dynamodb.CreateTableInput{
		TableName: aws.String("orders"), BillingMode: types.BillingModePayPerRequest,
		AttributeDefinitions: []types.AttributeDefinition{
			{AttributeName: aws.String("id"), AttributeType: "S"},
		},
		KeySchema: []types.KeySchemaElement{
			{AttributeName: aws.String("id"), KeyType: "HASH"},
		},
		StreamSpecification: &types.StreamSpecification{StreamEnabled: aws.Bool(true),
			StreamViewType: "NEW_IMAGE"},
	})
	require.NoError(t, err)
	for n := 1; n <= writes; n++ {
		for i := range items {
			_, err := c.PutItem(
				t.Context(), &dynamodb.PutItemInput{TableName: aws.String(
					"orders"), Item: map[string]types.AttributeValue{
					"id": &types.AttributeValueMemberS{Value: fmt.Sprint("item", i)},
					"n":  &types.AttributeValueMemberN{Value: strconv.Itoa(n)}}})
			require.NoError(t, err)
		}
		if n%(writes/kills) == 0 {
			again()
		}
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	for i := range items {
		id := fmt.Sprint("item", i)
		for f.last(id) < writes {
			select {
			case <-f.news:
			case <-ctx.Done():
				require.FailNow(t, "records are missing", "%s has come up to version %d", id,
					f.last(id))
			}
		}
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	for id, all := range f.versions {
		next, backward := 1, 0
		for _, version := range all {
			if version < next {
				backward++
				next = version
			}
			require.Equal(t, next, version, "%s: no version is left out: %v", id, all)
			next++
		}
		assert.LessOrEqual(t, backward, kills, "%s comes again after a kill only: %v", id, all)
	}
}
