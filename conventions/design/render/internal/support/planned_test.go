package support

import (
	"context"
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/kugiri-db/kugiri/conventions/design/designfile"
)

// TestPlanned: the consumer that is made for the sample's plan sends the requests of the generated
// one, and leaves the same table.
func TestPlanned(t *testing.T) {
	plan, err := designfile.PlanFile("../../testdata/support.yaml")
	if err != nil {
		t.Fatal(err)
	}
	planned, err := PlannedOf(plan)
	if err != nil {
		t.Fatal(err)
	}
	generated := &consumer{table: own(), effects: effects, shapes: shapes(),
		wait: planned.wait}
	if !reflect.DeepEqual(generated.shapes, planned.shapes) {
		t.Errorf("models are known by %v, and in the plan by %v", generated.shapes, planned.shapes)
	}
	names := func(c *consumer) []string { return slices.Sorted(maps.Keys(c.effects)) }
	if !slices.Equal(names(generated), names(&planned.consumer)) {
		t.Errorf("there are effects of %v, and in the plan of %v", names(generated),
			names(&planned.consumer))
	}
	one, two := newTable(t).Client(), newTable(t).Client()
	wrote := map[string]int{}
	for _, r := range recordsOf(t, one) {
		first := consumed(t, generated, one, r)
		second := consumed(t, &planned.consumer, two, r)
		if !slices.Equal(first, second) {
			t.Errorf("%s of %v: the generated consumer sends\n%s\nand that of the plan\n%s",
				r.EventName, Key(r.NewImage), strings.Join(first, "\n"),
				strings.Join(second, "\n"))
		}
		wrote[r.EventName+" "+generated.modelOf(r.image())] += len(first)
	}
	for name := range effects {
		if wrote[name] == 0 {
			t.Errorf("no record of %s causes a request", name)
		}
	}
	if !reflect.DeepEqual(itemsOf(t, one), itemsOf(t, two)) {
		t.Error("the tables differ after it")
	}
}

// image returns the image of a record whose keys say what model its item has.
func (r *StreamRecord) image() attributes {
	if r.NewImage == nil {
		return r.OldImage
	}
	return r.NewImage
}

// recordsOf returns records of the samples: each is new, then has the values of another sample, and
// is deleted.
func recordsOf(t *testing.T, client *dynamodb.Client) (all []StreamRecord) {
	t.Helper()
	items := itemsOf(t, client)
	for i, r := range rows {
		is := items[r.key]
		other := items[rows[(i+1)%len(rows)].key]
		if rows[(i+1)%len(rows)].model == r.model {
			changed := maps.Clone(other)
			maps.Copy(changed, Key(is))
			all = append(all, StreamRecord{EventID: r.key + "1", EventName: "MODIFY", OldImage: is,
				NewImage: changed})
		}
		all = append(all, StreamRecord{EventID: r.key + "2", EventName: "INSERT", NewImage: is},
			StreamRecord{EventID: r.key + "3", EventName: "REMOVE", OldImage: is})
	}
	return all
}

// consumed returns the requests that a record causes to write, as text.
func consumed(t *testing.T, c *consumer, client *dynamodb.Client, r StreamRecord) []string {
	t.Helper()
	own, recorder := *c, &recorder{Client: client}
	own.client, own.now = recorder, func() time.Time { return time.Unix(1<<32, 0) }
	if _, err := own.consume(t.Context(), []StreamRecord{r}); err != nil {
		t.Fatal(err)
	}
	return recorder.wrote
}

// recorder is a client that remembers what is written.
type recorder struct {
	*dynamodb.Client

	wrote []string
}

func (r *recorder) note(in any) {
	text, err := json.Marshal(in)
	if err != nil {
		panic(err)
	}
	r.wrote = append(r.wrote, string(text))
}

func (r *recorder) UpdateItem(ctx context.Context, in *dynamodb.UpdateItemInput,
	o ...func(*dynamodb.Options)) (*dynamodb.UpdateItemOutput, error) {
	r.note(in)
	return r.Client.UpdateItem(ctx, in, o...)
}

func (r *recorder) BatchWriteItem(ctx context.Context, in *dynamodb.BatchWriteItemInput,
	o ...func(*dynamodb.Options)) (*dynamodb.BatchWriteItemOutput, error) {
	r.note(in)
	return r.Client.BatchWriteItem(ctx, in, o...)
}

func (r *recorder) TransactWriteItems(ctx context.Context, in *dynamodb.TransactWriteItemsInput,
	o ...func(*dynamodb.Options)) (*dynamodb.TransactWriteItemsOutput, error) {
	r.note(in)
	return r.Client.TransactWriteItems(ctx, in, o...)
}
