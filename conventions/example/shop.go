// Package shop is an application to copy. It follows the conventions from its first write: the
// guide's orders with items, for many tenants, with versions and history, and terms of sale with a
// latest version. policy.yaml declares the content of its tables. The package depends neither on
// Kugiri's server nor on the policy. shop_test.go uses both, and practices_test.go shows what the
// policy refuses, practice by practice.
package shop

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/kugiri-db/kugiri/conventions"
	"github.com/kugiri-db/kugiri/conventions/dynamo"
)

// The tables of orders (guide, "Version management").
const (
	// the latest version of each item, with its number in the attribute version
	dataTable = "shop-data"
	// all requested versions, each under a sort key that ends in its number
	commandTable = "shop-command"
	historyTable = "shop-history" // the earlier versions of the data table
	productIndex = "by-product"
)

// orders builds and parses the keys of orders and their items (guide, pattern 2).
var orders = conventions.Hierarchical{Prefix: "ORDER", Children: []string{"ORDER_ITEM"}}

// Shop serves one tenant. It is safe for concurrent use.
type Shop struct {
	Client *dynamodb.Client
	Tenant string
	ULIDs  *conventions.ULIDs
}

// Order is one version of an order.
type Order struct {
	ID, Status string
	Version    int
}

// Item is an item of an order.
type Item struct {
	Product  string // its ULID
	Quantity int
}

// ErrNotFound reports that an order, or a version of it, does not exist.
var ErrNotFound = errors.New("shop: there is no such order")

// Place places an order of at most 49 items. One transaction writes the order and all items.
func (s *Shop) Place(ctx context.Context, items ...Item) (id string, err error) {
	if id, err = s.ULIDs.Next(); err != nil {
		return "", err
	}
	keys, err := orders.BuildParent(s.Tenant, id)
	if err != nil {
		return "", err
	}
	actions, err := created(keys, attributes{"status": text("pending")})
	if err != nil {
		return "", err
	}
	for i, item := range items {
		number := fmt.Sprintf("%03d", i+1)
		keys, err := orders.BuildChild(s.Tenant, "ORDER_ITEM", id, number)
		if err != nil {
			return "", err
		}
		byProduct, err := s.productKey(item.Product)
		if err != nil {
			return "", err
		}
		of, err := created(keys, attributes{
			"product": text(item.Product), "quantity": integer(item.Quantity),
			"gsi1pk": text(byProduct),
			"gsi1sk": text(conventions.Must(conventions.SortKey(id, number))),
		})
		if err != nil {
			return "", err
		}
		actions = append(actions, of...)
	}
	_, err = s.Client.TransactWriteItems(ctx,
		&dynamodb.TransactWriteItemsInput{TransactItems: actions})
	return id, err
}

// attempts is the number of times that a write is tried while other writers win the race.
const attempts = 10

// SetStatus makes a new version of an order with another status. If others change the order at the
// same time, it reads their version and makes the next one (guide, "Problems that these patterns
// solve": optimistic locking).
func (s *Shop) SetStatus(ctx context.Context, id, status string) error {
	keys, err := orders.BuildParent(s.Tenant, id)
	if err != nil {
		return err
	}
	for range attempts {
		var old attributes
		if old, err = s.get(ctx, dataTable, keys); err != nil {
			return err
		}
		if err = s.replace(ctx, keys, old, attributes{"status": text(status)}); !lostRace(err) {
			return err
		}
	}
	return err
}

// replace writes the version that follows old, and keeps old as history.
func (s *Shop) replace(ctx context.Context, keys conventions.Keys, old, changes attributes) error {
	version := versionOf(old)
	past, err := keys.AtVersion(version)
	if err != nil {
		return err
	}
	next, err := keys.AtVersion(version + 1)
	if err != nil {
		return err
	}
	changes["version"] = integer(version + 1)
	data := put(dataTable, keys, old, changes)
	data.Put.ConditionExpression = aws.String("version = :read")
	data.Put.ExpressionAttributeValues = attributes{":read": integer(version)}
	_, err = s.Client.TransactWriteItems(
		ctx, &dynamodb.TransactWriteItemsInput{TransactItems: []types.TransactWriteItem{
			put(commandTable, next, old, changes), put(historyTable, past, old, nil), data,
		}})
	return err
}

// Order reads an order's latest version: the sort key of a data table has none.
func (s *Shop) Order(ctx context.Context, id string) (Order, error) {
	keys, err := orders.BuildParent(s.Tenant, id)
	if err != nil {
		return Order{}, err
	}
	return s.order(ctx, dataTable, keys)
}

// OrderAt reads an earlier version of an order (guide, "Version management": reading a version from
// history).
func (s *Shop) OrderAt(ctx context.Context, id string, version int) (Order, error) {
	keys, err := orders.BuildParent(s.Tenant, id)
	if err != nil {
		return Order{}, err
	}
	if keys, err = keys.AtVersion(version); err != nil {
		return Order{}, err
	}
	return s.order(ctx, historyTable, keys)
}

// Items reads all items of an order (guide, "Query by SK prefix"). More than a megabyte of them
// would take several pages.
func (s *Shop) Items(ctx context.Context, id string) ([]Item, error) {
	keys, err := orders.BuildParent(s.Tenant, id)
	if err != nil {
		return nil, err
	}
	prefix, err := orders.ChildrenPrefix("ORDER_ITEM", id)
	if err != nil {
		return nil, err
	}
	return s.items(ctx, dynamo.ByPrefix(dataTable, keys.PK, prefix))
}

// Sold reads the items of one product in all orders (guide, best practice 3: another access pattern
// needs another index).
func (s *Shop) Sold(ctx context.Context, product string) ([]Item, error) {
	pk, err := s.productKey(product)
	if err != nil {
		return nil, err
	}
	return s.items(ctx, dynamo.ByPartition(dataTable, pk).Index(productIndex, "gsi1pk", "gsi1sk"))
}

// productKey returns the partition key of a product in the index.
func (s *Shop) productKey(product string) (string, error) {
	return conventions.PartitionKey("PRODUCT_ORDER", s.Tenant, product)
}

func (s *Shop) items(ctx context.Context, q dynamo.Query) (items []Item, err error) {
	in, err := q.Input()
	if err != nil {
		return nil, err
	}
	out, err := s.Client.Query(ctx, in)
	if err != nil {
		return nil, err
	}
	for _, it := range out.Items {
		items = append(items,
			Item{Product: textOf(it["product"]), Quantity: integerOf(it["quantity"])})
	}
	return items, nil
}

func (s *Shop) order(ctx context.Context, table string, keys conventions.Keys) (Order, error) {
	it, err := s.get(ctx, table, keys)
	if err != nil {
		return Order{}, err
	}
	key, err := orders.Parse(keys.PK, keys.SK)
	return Order{ID: key.ParentID, Status: textOf(it["status"]), Version: versionOf(it)}, err
}

func (s *Shop) get(ctx context.Context, table string, keys conventions.Keys) (attributes, error) {
	out, err := s.Client.GetItem(
		ctx, &dynamodb.GetItemInput{TableName: &table, ConsistentRead: aws.Bool(true),
			Key: attributes{"pk": text(keys.PK), "sk": text(keys.SK)}})
	if err == nil && out.Item == nil {
		err = ErrNotFound
	}
	if err != nil {
		return nil, err
	}
	return out.Item, nil
}

// created returns the writes of a new item: its first command and its data.
func created(keys conventions.Keys, of attributes) ([]types.TransactWriteItem, error) {
	// VersionFirst is the version before the first command
	const first = conventions.VersionFirst + 1
	command, err := keys.AtVersion(first)
	if err != nil {
		return nil, err
	}
	of["version"] = integer(first)
	data := put(dataTable, keys, of, nil)
	data.Put.ConditionExpression = aws.String("attribute_not_exists(pk)")
	return []types.TransactWriteItem{put(commandTable, command, of, nil), data}, nil
}

// put returns a write of an item with the attributes of and changes.
func put(table string, keys conventions.Keys, of, changes attributes) types.TransactWriteItem {
	item := attributes{}
	for _, more := range []attributes{of, changes,
		{"pk": text(keys.PK), "sk": text(keys.SK), "id": text(keys.ID)}} {
		for name, value := range more {
			item[name] = value
		}
	}
	return types.TransactWriteItem{Put: &types.Put{TableName: &table, Item: item}}
}

// lostRace reports whether a transaction failed because another one changed the version, or is in
// progress.
func lostRace(err error) bool {
	var cancelled *types.TransactionCanceledException
	if !errors.As(err, &cancelled) {
		return false
	}
	lost := false
	for _, reason := range cancelled.CancellationReasons {
		switch aws.ToString(reason.Code) {
		case "ConditionalCheckFailed", "TransactionConflict":
			lost = true
		case "None":
		default:
			return false // a retry cannot fix other errors
		}
	}
	return lost
}

type attributes = map[string]types.AttributeValue

func text(s string) types.AttributeValue { return &types.AttributeValueMemberS{Value: s} }

func integer(n int) types.AttributeValue {
	return &types.AttributeValueMemberN{Value: strconv.Itoa(n)}
}

func textOf(v types.AttributeValue) string {
	s, ok := v.(*types.AttributeValueMemberS)
	if !ok {
		return ""
	}
	return s.Value
}

func integerOf(v types.AttributeValue) int {
	n, ok := v.(*types.AttributeValueMemberN)
	if !ok {
		return 0
	}
	i, err := strconv.Atoi(n.Value)
	if err != nil {
		return 0
	}
	return i
}

func versionOf(it attributes) int { return integerOf(it["version"]) }
