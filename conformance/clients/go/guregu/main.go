// Command guregu runs the scenario with guregu/dynamo v2.
package main

import (
	"context"
	"errors"
	"fmt"
	"log"
	"time"

	"github.com/aws/aws-sdk-go-v2/config"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/guregu/dynamo/v2"
	"github.com/stretchr/testify/require"

	"example.com/clients/scenario"
)

// order is an item of the table, and describes its keys and indexes.
type order struct {
	Customer string    `dynamo:"customer,hash" localIndex:"by-total,hash"`
	At       int       `dynamo:"at,range" index:"by-status,range"`
	Status   string    `dynamo:"status,omitempty" index:"by-status,hash"`
	Total    int       `dynamo:"total,omitempty" localIndex:"by-total,range"`
	Version  int       `dynamo:"version,omitempty"`
	Labels   []string  `dynamo:"labels,set,omitempty"`
	Notes    []string  `dynamo:"notes,omitempty"`
	Expires  time.Time `dynamo:"expires,unixtime,omitempty"`
}

// client is a client of the table of orders.
type client struct {
	db    *dynamo.DB
	table dynamo.Table
}

func main() {
	settings, err := config.LoadDefaultConfig(context.Background())
	if err != nil {
		log.Fatal(err)
	}
	db := dynamo.New(settings)
	c := client{db, db.Table("orders")}
	scenario.Main("github.com/guregu/dynamo/v2", []scenario.Step{
		{Name: "tables", Run: c.tables},
		{Name: "conditions", Run: c.conditions},
		{Name: "updates", Run: c.updates},
		{Name: "pages", Run: c.pages},
		{Name: "parallel scan", Run: c.parallelScan},
		{Name: "batches", Run: c.batches},
		{Name: "transactions", Run: c.transactions},
		{Name: "PartiQL", LeftOut: "has no PartiQL"},
		{Name: "streams", LeftOut: "reads no streams"},
		{Name: "numbers", Run: c.numbers},
		{Name: "values", Run: c.values},
		{Name: "expiry", Run: c.expiry},
		{Name: "deletion", Run: c.deletion},
	})
}

// put writes orders one after the other.
func (c client) put(t *scenario.T, orders ...order) {
	for _, o := range orders {
		require.NoError(t, c.table.Put(o).Run(t))
	}
}

// one begins a read of an order.
func (c client) one(customer string, at int) *dynamo.Query {
	return c.table.Get("customer", customer).Range("at", dynamo.Equal, at)
}

// get returns the order of that key.
func (c client) get(t *scenario.T, customer string, at int) (found order) {
	require.NoError(t, c.one(customer, at).Consistent(true).One(t, &found))
	return found
}

func (c client) tables(t *scenario.T) {
	require.NoError(t, c.db.CreateTable("orders", order{}).
		OnDemand(true).
		Project("by-status", dynamo.AllProjection).
		Project("by-total", dynamo.AllProjection).
		Stream(dynamo.NewAndOldImagesView).
		Tag("team", "sales").
		Wait(t))
	table, err := c.table.Describe().Run(t)
	require.NoError(t, err)
	require.True(t, table.Active())
	require.Equal(t, "by-total", table.LSI[0].Name)
	require.Equal(t, dynamo.NewAndOldImagesView, table.StreamView)

	require.NoError(t, c.table.UpdateTTL("expires", true).Run(t))
	ttl, err := c.table.DescribeTTL().Run(t)
	require.NoError(t, err)
	require.Equal(t, dynamo.TTLDescription{Attribute: "expires", Status: dynamo.TTLEnabled}, ttl)

	_, err = c.table.UpdateTable().CreateIndex(dynamo.Index{
		Name: "by-status-and-total", ProjectionType: dynamo.AllProjection,
		HashKey: "status", HashKeyType: dynamo.StringType, RangeKey: "total",
		RangeKeyType: dynamo.NumberType,
	}).Run(t)
	require.NoError(t, err)
	require.NoError(t, c.table.Wait(t))
	table, err = c.table.Describe().Run(t)
	require.NoError(t, err)
	require.Len(t, table.GSI, 2)

	names, err := c.db.ListTables().All(t)
	require.NoError(t, err)
	require.Equal(t, []string{"orders"}, names)
}

// save writes an order if nobody has written it since it was read: optimistic locking.
func (c client) save(t *scenario.T, o order) error {
	put, read := c.table.Put, o.Version
	o.Version++
	if read == 0 {
		return put(o).If("attribute_not_exists(version)").Run(t)
	}
	return put(o).If("version = ?", read).Run(t)
}

func (c client) conditions(t *scenario.T) {
	written := order{Customer: "conditions", At: 1, Status: "new", Version: 1}
	require.NoError(t, c.save(t, order{Customer: "conditions", At: 1, Status: "new"}))
	err := c.save(t, order{Customer: "conditions", At: 1, Status: "late"})
	require.True(t, dynamo.IsCondCheckFailed(err), err)
	var failed *types.ConditionalCheckFailedException
	require.ErrorAs(t, err, &failed)
	require.Empty(t, failed.Item) // it does not ask for the old item
	require.Equal(t, written, c.get(t, "conditions", 1))

	written.Status = "paid"
	require.NoError(t, c.save(t, written))
	require.Equal(t, order{Customer: "conditions", At: 1, Status: "paid", Version: 2},
		c.get(t, "conditions", 1))
}

func (c client) updates(t *scenario.T) {
	c.put(t, order{
		Customer: "updates", At: 1, Status: "new", Total: 5, Labels: []string{"a", "b"},
		Notes: []string{"first"},
	})
	update := func() *dynamo.Update { return c.table.Update("customer", "updates").Range("at", 1) }
	var found order
	require.NoError(t,
		update().SetExpr("'total' = 'total' - ?", 2).SetIfNotExists("version", 7).Append("notes",
			[]string{"second"}).
			Remove("status").Value(t, &found))
	require.Equal(
		t, order{Customer: "updates", At: 1, Total: 3, Version: 7, Labels: []string{"a", "b"},
			Notes: []string{"first", "second"}}, found)
	found = order{}
	require.NoError(t, update().Append("notes", []string{"third"}).OnlyUpdatedOldValue(t, &found))
	require.Equal(t, order{Notes: []string{"first", "second"}}, found)
	found = order{}
	require.NoError(t,
		update().Add("total", 10).DeleteStringsFromSet("labels", "a").OnlyUpdatedValue(t, &found))
	require.Equal(t, order{Total: 13, Labels: []string{"b"}}, found)

	require.NoError(t, c.table.Delete("customer", "updates").Range("at", 1).OldValue(t, &found))
	require.Equal(t, []string{"first", "second", "third"}, found.Notes)
	require.ErrorIs(t, c.one("updates", 1).One(t, &found), dynamo.ErrNotFound)
}

// paged returns the times of all orders that queries find which end after three items each.
func (c client) paged(t *scenario.T, query func() *dynamo.Query) (pages [][]int) {
	for start := dynamo.PagingKey(nil); ; {
		var found []order
		next, err := query().StartFrom(start).SearchLimit(3).AllWithLastEvaluatedKey(t, &found)
		require.NoError(t, err)
		pages = append(pages, times(found))
		if next == nil {
			return pages
		}
		start = next
	}
}

// times returns those of orders.
func times(orders []order) []int {
	list := []int{}
	for _, o := range orders {
		list = append(list, o.At)
	}
	return list
}

func (c client) pages(t *scenario.T) {
	list := orders("pages", "paged", 7)
	list[6].Version = 1
	c.put(t, list...)
	mine := func() *dynamo.Query { return c.table.Get("customer", "pages") }
	require.Equal(t, [][]int{{1, 2, 3}, {4, 5, 6}, {7}}, c.paged(t, mine))
	back := func() *dynamo.Query { return mine().Order(dynamo.Descending) }
	require.Equal(t, [][]int{{7, 6, 5}, {4, 3, 2}, {1}}, c.paged(t, back))

	onIndex := func() *dynamo.Query {
		return c.table.Get("status", "paged").Range("total", dynamo.Between, 20,
			60).Index("by-status-and-total")
	}
	require.Equal(t, [][]int{{2, 3, 4}, {5, 6}}, c.paged(t, onIndex))
	changed := func() *dynamo.Query {
		return mine().Index("by-total").Consistent(true).Filter("version > ?", 0)
	}
	require.Equal(t, [][]int{{}, {}, {7}}, c.paged(t, changed))

	var one order
	var found []order
	iterator := mine().SearchLimit(5).Iter()
	for iterator.Next(t, &one) {
		found, one = append(found, one), order{}
	}
	require.NoError(t, iterator.Err())
	require.Equal(t, list[:5], found)
	count, err := mine().Count(t)
	require.NoError(t, err)
	require.Equal(t, 7, count)
}

func (c client) parallelScan(t *scenario.T) {
	c.put(t, orders("scan", "scanned", 200)...)
	var found []order
	require.NoError(t, c.table.Scan().Filter("'status' = ?", "scanned").AllParallel(t, 4, &found))
	require.ElementsMatch(t, orders("scan", "scanned", 200), found)
}

func (c client) batches(t *scenario.T) {
	hit := scenario.Unprocessed(t)
	var written []any
	var expected []order
	var keys []dynamo.Keyed
	for i := range 130 {
		o := order{Customer: fmt.Sprintf("customer-%03d", i), At: 1, Status: "batched"}
		keys = append(keys, dynamo.Keys{o.Customer, o.At})
		if i < 60 {
			written, expected = append(written, o), append(expected, o)
		}
	}
	batch := c.table.Batch("customer", "at")
	n, err := batch.Write().Put(written...).Run(t)
	require.NoError(t, err)
	require.Equal(t, 60, n)
	var found []order
	require.NoError(t, batch.Get(keys...).All(t, &found))
	require.ElementsMatch(t, expected, found)
	hit()
}

func (c client) transactions(t *scenario.T) {
	list := orders("transactions", "", 3)
	c.put(t, list...)
	write := func(checked int) *dynamo.WriteTx {
		return c.db.WriteTx().
			Put(c.table.Put(order{Customer: "transactions", At: 4, Total: 40})).
			Update(c.table.Update("customer", "transactions").Range("at", 1).Add("total", 1)).
			Delete(c.table.Delete("customer", "transactions").Range("at", 2)).
			Check(c.table.Check("customer", "transactions").Range("at", 3).If("'total' = ?",
				checked))
	}
	err := write(31).Run(t)
	require.True(t, dynamo.IsCondCheckFailed(err), err)
	var cancelled *types.TransactionCanceledException
	require.True(t, errors.As(err, &cancelled))
	var codes []string
	for _, reason := range cancelled.CancellationReasons {
		codes = append(codes, *reason.Code)
	}
	require.Equal(t, []string{"None", "None", "None", "ConditionalCheckFailed"}, codes)
	require.Equal(t, list[0], c.get(t, "transactions", 1))

	for range 2 { // a repeat changes nothing
		require.NoError(t, write(30).IdempotentWithToken("once").Run(t))
	}
	var first, fourth order
	require.NoError(t,
		c.db.GetTx().GetOne(c.one("transactions", 1), &first).GetOne(c.one("transactions", 4),
			&fourth).Run(t))
	require.Equal(t, []int{11, 40}, []int{first.Total, fourth.Total})
	require.ErrorIs(t, c.db.GetTx().GetOne(c.one("transactions", 2), &first).Run(t),
		dynamo.ErrNotFound)
}

func (c client) expiry(t *scenario.T) {
	expires := time.Now().Add(time.Hour).UTC().Truncate(time.Second)
	c.put(t, order{Customer: "expiry", At: 1, Expires: expires}, order{Customer: "expiry", At: 2})
	require.Equal(t, expires, c.get(t, "expiry", 1).Expires.UTC())
	scenario.Advance(t, "20h")
	require.ErrorIs(t, c.one("expiry", 1).One(t, new(order)), dynamo.ErrNotFound)
	require.Equal(t, 2, c.get(t, "expiry", 2).At)
}

func (c client) deletion(t *scenario.T) {
	require.NoError(t, c.table.DeleteTable().Wait(t))
	var missing *types.ResourceNotFoundException
	require.ErrorAs(t, c.one("x", 1).One(t, new(order)), &missing)
}

// orders returns n orders of a customer, whose totals are 10, 20 and so on.
func orders(customer, status string, n int) (list []order) {
	for i := range n {
		list = append(list,
			order{Customer: customer, At: i + 1, Status: status, Total: 10 * (i + 1)})
	}
	return list
}
