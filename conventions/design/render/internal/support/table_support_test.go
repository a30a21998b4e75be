package support

import (
	"fmt"
	"reflect"
	"slices"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/kugiri-db/kugiri/emulator/emulatortest"
)

type item = map[string]types.AttributeValue

// newTable makes a table with the samples in ../seed.
var newTable = emulatortest.Template(func(t testing.TB, server *emulatortest.Server) {
	server.Seed(t, "../seed")
})

// row is a sample: its model, and its key as keyOf writes it.
type row struct{ model, key string }

// patternCase is a request of a pattern, with the rows that it has to find group by group. The rows
// of a group may come in any order.
type patternCase struct {
	name  string
	read  func(finder) []int
	limit int
	want  [][]int
}

// rewrite writes an item again that was read.
func rewrite(v storable, err error) (item, error) {
	if err != nil {
		return nil, err
	}
	return v.Item()
}

// keyOf writes the primary key of an item as rows do.
func keyOf(i item) string {
	text := ""
	for _, name := range keyNames {
		switch v := i[name].(type) {
		case *types.AttributeValueMemberS:
			text += fmt.Sprintf(" %q", v.Value)
		case *types.AttributeValueMemberN:
			text += fmt.Sprintf(" %q", v.Value)
		case *types.AttributeValueMemberB:
			text += fmt.Sprintf(" %q", v.Value)
		}
	}
	return text[1:]
}

// rowOf returns the number of the row of an item.
func rowOf(t *testing.T, i item) int {
	t.Helper()
	at := slices.IndexFunc(rows, func(r row) bool { return r.key == keyOf(i) })
	if at < 0 {
		t.Fatalf("no sample has the key %s", keyOf(i))
	}
	return at
}

// itemsOf returns all items of the table by their keys.
func itemsOf(t *testing.T, client *dynamodb.Client) map[string]item {
	t.Helper()
	all := map[string]item{}
	pages := dynamodb.NewScanPaginator(client, &dynamodb.ScanInput{TableName: &TableName})
	for pages.HasMorePages() {
		page, err := pages.NextPage(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for _, i := range page.Items {
			all[keyOf(i)] = i
		}
	}
	return all
}

// TestItems: an item that is read and written again is the same.
func TestItems(t *testing.T) {
	all := itemsOf(t, newTable(t).Client())
	for key, i := range all {
		again, err := rebuild[rows[rowOf(t, i)].model](i)
		if err != nil || !reflect.DeepEqual(again, i) {
			t.Errorf("%s is written as %v, %v", key, again, err)
		}
	}
	if len(all) != len(rows) {
		t.Errorf("the table has %d items of %d", len(all), len(rows))
	}
}

// TestPatterns: each pattern finds its rows, in their order.
func TestPatterns(t *testing.T) {
	client := newTable(t).Client()
	for _, c := range patternCases {
		t.Run(c.name, func(t *testing.T) {
			compare(t, c.read(finder{t, client}), c.want, c.limit)
		})
	}
}

// finder sends requests, and returns the numbers of the rows that they find.
type finder struct {
	t      *testing.T
	client *dynamodb.Client
}

// must ends the test if there is an error.
func (f finder) must(err error) {
	f.t.Helper()
	if err != nil {
		f.t.Fatal(err)
	}
}

// rowsOf returns the numbers of the rows of items.
func (f finder) rowsOf(items ...item) (found []int) {
	for _, i := range items {
		found = append(found, rowOf(f.t, i))
	}
	return found
}

// get sends a GetItem.
func (f finder) get(in *dynamodb.GetItemInput, err error) []int {
	f.must(err)
	out, err := f.client.GetItem(f.t.Context(), in)
	f.must(err)
	if out.Item == nil {
		return nil
	}
	return f.rowsOf(out.Item)
}

// items returns the rows of items that were read.
func (f finder) items(items []item, err error) []int {
	f.must(err)
	return f.rowsOf(items...)
}

// query sends a Query, for each page or for as many items as it asks for.
func (f finder) query(in *dynamodb.QueryInput, err error) (found []int) {
	f.must(err)
	pages := dynamodb.NewQueryPaginator(f.client, in)
	for pages.HasMorePages() {
		page, err := pages.NextPage(f.t.Context())
		f.must(err)
		found = append(found, f.rowsOf(page.Items...)...)
		if in.Limit != nil {
			break
		}
	}
	return found
}

// compare checks that the rows found are those of the groups, group by group.
func compare(t *testing.T, found []int, want [][]int, limit int) {
	t.Helper()
	rest, count := slices.Clone(found), 0
	for _, group := range want {
		n := min(len(group), len(rest))
		for _, row := range rest[:n] {
			if !slices.Contains(group, row) {
				t.Fatalf("found the rows %v, want %v", found, want)
			}
		}
		rest, count = rest[n:], count+len(group)
	}
	if limit > 0 {
		count = min(count, limit)
	}
	slices.Sort(found)
	if len(slices.Compact(found)) != count {
		t.Fatalf("found the rows %v, want %v", found, want)
	}
}
