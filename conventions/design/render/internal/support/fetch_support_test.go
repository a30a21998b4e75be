package support

import (
	"context"
	"reflect"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
)

// fetchCase is a function that reads items by their keys, with the attributes that it asks for, nil
// for all.
type fetchCase struct {
	name       string
	fetch      func(context.Context, BatchGetAPIClient, []item) ([]item, error)
	attributes []string
}

// TestFetch reads all samples but a deleted one by their keys.
func TestFetch(t *testing.T) {
	client := newTable(t).Client()
	all, err := client.Scan(t.Context(), &dynamodb.ScanInput{TableName: &TableName})
	if err != nil {
		t.Fatal(err)
	}
	var keys []item
	for _, i := range all.Items {
		keys = append(keys, Key(i))
	}
	if _, err := client.DeleteItem(t.Context(),
		&dynamodb.DeleteItemInput{TableName: &TableName, Key: keys[0]}); err != nil {
		t.Fatal(err)
	}
	for _, c := range fetchCases {
		t.Run(c.name, func(t *testing.T) {
			found, err := c.fetch(t.Context(), client, keys)
			if err != nil || len(found) != len(keys)-1 {
				t.Fatalf("fetched %d of %d items, %v", len(found), len(keys)-1, err)
			}
			for n, i := range found {
				if want := c.asked(all.Items[n+1]); !reflect.DeepEqual(i, want) {
					t.Errorf("item %d is %v, want %v", n, i, want)
				}
			}
		})
	}
}

// asked returns an item with the attributes that the function asks for.
func (c fetchCase) asked(of item) item {
	if c.attributes == nil {
		return of
	}
	asked := item{}
	for _, name := range c.attributes {
		if v, ok := of[name]; ok {
			asked[name] = v
		}
	}
	return asked
}
