package render_test

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/conventions/design"
	"github.com/kugiri-db/kugiri/conventions/design/render/internal/support"
)

// TestRequests checks that the generated functions of writes send what the plan says, which the
// proof sends: the same items, changes and conditions. They may also ask that an item is there that
// they delete or change.
func TestRequests(t *testing.T) {
	p := planOf(t, "testdata/support.yaml")
	counts := map[string]int64{}
	for _, m := range p.Design.Models {
		counts[m.Name] = 20
	}
	r := requests{t, p, design.NewSamples(&p.Design, counts, 1)}
	shop, shopAfter := r.pair("Shop", "phone")
	renamed := maps.Clone(shop)
	renamed["name"] = "another"
	coupon, couponAfter := r.pair("Coupon", "shopPhone")
	order, watch := r.next("Order"), r.next("Watch")
	trade := r.next("Trade")
	trade["state"], trade["amount"] = "rising", int64(7)
	stateAfter, amountAfter := maps.Clone(trade), maps.Clone(trade)
	stateAfter["state"], stateAfter["text"] = "falling", "another"
	amountAfter["amount"] = int64(12)
	credit := design.Row{"id": shop["id"], "credit": int64(2)}
	is := map[string]request{
		"put Order": {after: rows{"Order": {order}}, write: as1(r, order, "Order",
			support.OrderOf, support.PutOrder)},
		"delete Order": {before: rows{"Order": {order}}, write: as1(r, order, "Order",
			support.OrderOf, support.DeleteOrder)},
		"put Watch": {after: rows{"Watch": {watch}}, write: as1(r, watch, "Watch",
			support.WatchOf, support.PutWatch)},
		"delete Watch": {before: rows{"Watch": {watch}}, write: as1(r, watch, "Watch",
			support.WatchOf, support.DeleteWatch)},
		"put Coupon": {after: rows{"Coupon": {coupon}}, write: as1(r, coupon, "Coupon",
			support.CouponOf, support.PutCoupon)},
		"delete Coupon": {before: rows{"Coupon": {coupon}}, write: as1(r, coupon, "Coupon",
			support.CouponOf, support.DeleteCoupon)},
		"put Trade": {after: rows{"Trade": {trade}}, write: as1(r, trade, "Trade",
			support.TradeOf, support.PutTrade)},
		"delete Trade": {before: rows{"Trade": {trade}}, write: as1(r, trade, "Trade",
			support.TradeOf, support.DeleteTrade)},
		"change state and text of Trade": {rows{"Trade": {stateAfter}}, rows{"Trade": {trade}},
			func() (*support.Write, error) {
				return support.ChangeStateAndTextOfTrade(as(r, "Trade", trade, support.TradeOf),
					as(r, "Trade", stateAfter, support.TradeOf), "token")
			}},
		"change amount of Trade": {rows{"Trade": {amountAfter}}, rows{"Trade": {trade}},
			func() (*support.Write, error) {
				return support.ChangeAmountOfTrade(as(r, "Trade", trade, support.TradeOf),
					as(r, "Trade", amountAfter, support.TradeOf), "token")
			}},
		"change name of Shop": {rows{"Shop": {renamed}}, rows{"Shop": {shop}},
			func() (*support.Write, error) {
				return support.ChangeNameOfShop(as(r, "Shop", shop, support.ShopOf),
					as(r, "Shop", renamed, support.ShopOf), "token")
			}},
		"change phone of Shop": {rows{"Shop": {shopAfter}, "Coupon": {couponAfter}},
			rows{"Shop": {shop}, "Coupon": {coupon}},
			func() (*support.Write, error) {
				return support.ChangePhoneOfShop(as(r, "Shop", shop, support.ShopOf),
					as(r, "Shop", shopAfter, support.ShopOf),
					[]support.Coupon{as(r, "Coupon", coupon, support.CouponOf)},
					[]support.Coupon{as(r, "Coupon", couponAfter, support.CouponOf)}, "token")
			}},
		"watch for a credit": {after: rows{"Watch": {watch}, "Shop": {credit}},
			write: func() (*support.Write, error) {
				return support.WatchForACredit(as(r, "Watch", watch, support.WatchOf),
					as(r, "Shop", credit, support.ShopOf), "token")
			}},
	}
	for i := range p.Writes {
		w := &p.Writes[i]
		t.Run(w.Name, func(t *testing.T) {
			one, ok := is[w.Name]
			require.True(t, ok, "the test lacks the write: add it")
			planned, err := p.Requests(w, design.Writing{After: one.after, Before: one.before},
				"token", func(v any) any { return shown(valueOf(t, v)) })
			require.NoError(t, err)
			made, err := one.write()
			require.NoError(t, err)
			var want, got []sent
			for _, r := range planned {
				want = append(want, plannedOf(t, r.Operation, r.Input)...)
			}
			for _, item := range made.Items {
				got = append(got, sentOf(item))
			}
			for _, u := range made.After {
				got = append(got, newSent("Update", shownAll(u.Key),
					aws.ToString(u.UpdateExpression), aws.ToString(u.ConditionExpression),
					u.ExpressionAttributeNames, shownAll(u.ExpressionAttributeValues)))
			}
			assertSame(t, want, got)
		})
	}
}

type rows = map[string][]design.Row

// request is a write of rows, and the generated function with the same items.
type request struct {
	after, before rows
	write         func() (*support.Write, error)
}

// requests makes rows, and items of generated code.
type requests struct {
	*testing.T
	plan    *design.Plan
	samples *design.Samples
}

// next returns a row with all attributes.
func (r requests) next(model string) design.Row { return r.samples.Next(model) }

// pair returns a row as it is, and with another value.
func (r requests) pair(model, attribute string) (was, is design.Row) {
	was = r.next(model)
	is = maps.Clone(was)
	is[attribute] = "another"
	return was, is
}

// as returns a row as an item of generated code.
func as[V any](r requests, model string, row design.Row,
	of func(map[string]types.AttributeValue) (V, error)) V {
	r.Helper()
	item, err := r.plan.Item(model, row)
	require.NoError(r, err)
	values := map[string]types.AttributeValue{}
	for name, v := range item {
		values[name] = valueOf(r.T, v)
	}
	v, err := of(values)
	require.NoError(r, err)
	return v
}

// as1 returns a call of a generated function that takes one item.
func as1[V any](r requests, row design.Row, model string,
	of func(map[string]types.AttributeValue) (V, error),
	write func(V, string) (*support.Write, error)) func() (*support.Write, error) {
	return func() (*support.Write, error) { return write(as(r, model, row, of), "token") }
}

// valueOf returns a value of a row as the SDK has it.
func valueOf(t *testing.T, v any) types.AttributeValue {
	t.Helper()
	switch v := v.(type) {
	case string:
		return &types.AttributeValueMemberS{Value: v}
	case int64:
		return &types.AttributeValueMemberN{Value: strconv.FormatInt(v, 10)}
	case float64:
		return &types.AttributeValueMemberN{Value: strconv.FormatFloat(v, 'f', -1, 64)}
	}
	require.Fail(t, "no value of the design", "%T", v)
	return nil
}

// shown writes a value, which is a pointer.
func shown(v types.AttributeValue) string {
	if n, ok := v.(*types.AttributeValueMemberN); ok {
		return n.Value
	}
	return strconv.Quote(v.(*types.AttributeValueMemberS).Value)
}

// shownAll writes values.
func shownAll(values map[string]types.AttributeValue) map[string]any {
	all := map[string]any{}
	for name, v := range values {
		all[name] = shown(v)
	}
	return all
}

// sent is a request of a write, without placeholders.
type sent struct {
	what       string // the kind, the item or its key, and the change
	conditions []string
}

// placeholder matches one of package writing.
var placeholder = regexp.MustCompile("#n[0-9]+|:v[0-9]+")

// newSent returns a request without its placeholders.
func newSent(kind string, key any, update, condition string, names map[string]string,
	values map[string]any) (s sent) {
	plain := func(text string) string {
		return placeholder.ReplaceAllStringFunc(text, func(p string) string {
			if name, ok := names[p]; ok {
				return name
			}
			return fmt.Sprint(values[p])
		})
	}
	s.what = strings.TrimSpace(fmt.Sprint(kind, " ", key, " ", plain(update)))
	if condition != "" {
		s.conditions = strings.Split(plain(condition), " AND ")
	}
	return s
}

// plannedOf returns the parts of a request of a plan.
func plannedOf(t *testing.T, operation string, in map[string]any) (all []sent) {
	t.Helper()
	if items, ok := in["TransactItems"].([]any); ok {
		for _, item := range items {
			for kind, in := range item.(map[string]any) {
				all = append(all, plannedOf(t, kind+"Item", in.(map[string]any))...)
			}
		}
		return all
	}
	key := in["Key"]
	if key == nil {
		key = in["Item"]
	}
	text := func(name string) string { text, _ := in[name].(string); return text }
	names, _ := in["ExpressionAttributeNames"].(map[string]string)
	values, _ := in["ExpressionAttributeValues"].(map[string]any)
	return []sent{newSent(strings.TrimSuffix(operation, "Item"), key, text("UpdateExpression"),
		text("ConditionExpression"), names, values)}
}

// sentOf returns an item of a generated write.
func sentOf(i types.TransactWriteItem) sent {
	switch {
	case i.Put != nil:
		return newSent("Put", shownAll(i.Put.Item), "", aws.ToString(i.Put.ConditionExpression),
			i.Put.ExpressionAttributeNames, shownAll(i.Put.ExpressionAttributeValues))
	case i.Delete != nil:
		return newSent("Delete", shownAll(i.Delete.Key), "",
			aws.ToString(i.Delete.ConditionExpression), i.Delete.ExpressionAttributeNames,
			shownAll(i.Delete.ExpressionAttributeValues))
	default:
		return newSent("Update", shownAll(i.Update.Key), aws.ToString(i.Update.UpdateExpression),
			aws.ToString(i.Update.ConditionExpression), i.Update.ExpressionAttributeNames,
			shownAll(i.Update.ExpressionAttributeValues))
	}
}

// assertSame compares requests in any order. Those that were made may have a condition more: that
// the item is there.
func assertSame(t *testing.T, want, got []sent) {
	t.Helper()
	for _, all := range [][]sent{want, got} {
		slices.SortFunc(all, func(a, b sent) int { return strings.Compare(a.what, b.what) })
	}
	require.Len(t, got, len(want))
	for i := range want {
		assert.Equal(t, want[i].what, got[i].what)
		there := "attribute_exists(PK)"
		if !slices.Contains(want[i].conditions, there) &&
			slices.Contains(got[i].conditions, there) {
			want[i].conditions = append(want[i].conditions, there)
		}
		assert.ElementsMatch(t, want[i].conditions, got[i].conditions, want[i].what)
	}
}
