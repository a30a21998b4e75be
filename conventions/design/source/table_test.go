package source

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/kugiri-db/kugiri/conventions/design"
	"github.com/kugiri-db/kugiri/conventions/design/designfile"
	"github.com/kugiri-db/kugiri/expr"
	_ "github.com/kugiri-db/kugiri/storage/rapidseed" // fixes the seed
)

// scaleOf returns how many rows each model has of about 2,000.
func scaleOf(d *design.Design) map[string]int64 {
	sum, scale := int64(0), map[string]int64{}
	for _, m := range d.Models {
		sum += m.Items
	}
	for _, m := range d.Models {
		scale[m.Name] = max(2000*m.Items/sum, 20)
	}
	return scale
}

// stored returns a table with the items that a plan stores for about 2,000 rows.
func stored(t *testing.T, plan *design.Plan) Table {
	table := Table{Name: plan.Design.Table, Key: plan.Key}
	for _, index := range plan.Indexes {
		table.Indexes = append(table.Indexes, TableIndex{Name: index.Name, Key: index.Key})
	}
	scale := scaleOf(&plan.Design)
	samples := design.NewSamples(&plan.Design, scale, 1)
	for _, m := range plan.Design.Models {
		for range min(scale[m.Name], samples.Most(m.Name)) {
			item, err := plan.Item(m.Name, samples.Next(m.Name))
			require.NoError(t, err)
			table.Items = append(table.Items, Item{Attributes: valuesIn(item)})
		}
	}
	return table
}

func valuesIn(item map[string]any) map[string]Value {
	all := map[string]Value{}
	for name, v := range item {
		text := fmt.Sprint(v)
		typ := "S"
		switch v.(type) {
		case int64, float64:
			typ = "N"
		case bool:
			typ = "BOOL"
		case []byte:
			typ = "B"
		case []any:
			typ = "L"
		case map[string]any:
			typ = "M"
		}
		all[name] = Value{typ, text, len(text)}
	}
	return all
}

// requested returns the requests that read the patterns of a plan, as a recorder counts them:
// requests with the same condition on the same key are one.
func requested(t *testing.T, plan *design.Plan) []Request {
	var all []Request
	for i := range plan.Queries {
		q, p := &plan.Queries[i], &plan.Design.Patterns[i]
		model := q.Models[0]
		samples := design.NewSamples(&plan.Design, scaleOf(&plan.Design), 1)
		for range 5 {
			row := samples.Next(model)
			if text, ok := row[p.Begins].(string); ok {
				row[p.Begins] = text[:max(len(text)-1, 1)]
			}
			row[design.RangeFrom], row[design.RangeTo] = row[p.Range], "2027-01-01T00:00:00.000Z"
			bound, err := q.Bind(row)
			require.NoError(t, err)
			r := Request{
				Index: q.Index, One: q.Operation == design.GetItem, Descending: q.Descending,
				Limit: q.Limit, Consistent: q.Consistent, Rate: 1,
			}
			c := Condition{Operator: q.Sort.Operator, Partition: fmt.Sprint(bound.PartitionValue)}
			if c.Operator != "" {
				c.From = fmt.Sprint(bound.From)
			}
			if c.Operator == expr.KeyBetween {
				c.To = fmt.Sprint(bound.To)
			}
			same := func(o Request) bool {
				return o.Index == r.Index && o.One == r.One && o.Descending == r.Descending &&
					o.Limit == r.Limit && o.Consistent == r.Consistent &&
					o.Examples[0].Operator == c.Operator
			}
			at := slices.IndexFunc(all, same)
			if at < 0 {
				at = len(all)
				all = append(all, r)
			}
			all[at].Examples = append(all[at].Examples, c)
		}
	}
	return all
}

// TestReadTable checks that a table that was planned comes back as its design: the same models with
// the same keys and patterns, and a plan with as many indexes.
func TestReadTable(t *testing.T) {
	for _, file := range []string{"../designfile/testdata/design.yaml",
		"../../../emulator/proof/testdata/shop.yaml", "../../../emulator/proof/testdata/game.yaml",
		"../../../emulator/proof/testdata/begins.yaml", "testdata/together.yaml"} {
		t.Run(filepath.Base(file), func(t *testing.T) {
			plan, err := designfile.PlanFile(file)
			require.NoError(t, err)
			table := stored(t, plan)
			table.Requests = requested(t, plan)
			d, err := ReadTable(table)
			require.NoError(t, err)
			text := string(designfile.Write(&d.Design, d.Comments))
			assert.Empty(t, d.Warnings)
			require.Len(t, d.Design.Models, len(plan.Design.Models), text)
			for _, m := range plan.Design.Models {
				found := modelOf(&d.Design, m.Name)
				require.NotNil(t, found, "%s in\n%s", m.Name, text)
				assert.LessOrEqual(t, len(found.Key), len(m.Key), "the key of %s in\n%s", m.Name,
					text)
			}
			for _, p := range plan.Design.Patterns {
				assert.True(t,
					slices.ContainsFunc(d.Design.Patterns,
						func(q design.Pattern) bool { return alikePatterns(&p, &q) }), "%+v in\n%s",
					p, text)
			}
			assert.Len(t, d.Design.Patterns, len(plan.Design.Patterns), text)
			again, err := design.Make(&d.Design)
			require.NoError(t, err, text)
			assert.Len(t, again.Indexes, len(plan.Indexes), text)
		})
	}
}

func modelOf(d *design.Design, name string) *design.Model {
	i := slices.IndexFunc(d.Models, func(m design.Model) bool { return m.Name == name })
	if i < 0 {
		return nil
	}
	return &d.Models[i]
}

// alikePatterns reports whether a pattern that was found is one of a design, under other names of
// attributes. It may have the order of its key where the design's has none.
func alikePatterns(p, found *design.Pattern) bool {
	return p.Model == found.Model && slices.Equal(p.Models, found.Models) &&
		len(p.Equal) == len(found.Equal) && p.One == found.One &&
		(p.Range != "") == (found.Range != "") && (p.Begins != "") == (found.Begins != "") &&
		(p.Order == "" || found.Order != "" && p.Descending == found.Descending || p.One)
}

// TestElectroItems checks keys as ElectroDB 3.9.3 writes them.
func TestElectroItems(t *testing.T) {
	table := Table{Name: "store", Key: design.Key{Partition: "pk", Sort: "sk"}}
	for _, book := range [][2]string{{"S1", "B1"}, {"S1", "B2"}, {"S2", "B3"}} {
		values := map[string]any{
			"pk":      "$store#storeid_" + strings.ToLower(book[0]),
			"sk":      "$book_1#bookid_" + strings.ToLower(book[1]),
			"storeId": book[0], "bookId": book[1], "price": int64(5), "__edb_e__": "book",
			"__edb_v__": "1",
		}
		table.Items = append(table.Items, Item{Attributes: valuesIn(values)})
	}
	d, err := ReadTable(table)
	require.NoError(t, err)
	require.Len(t, d.Design.Models, 1)
	assert.Equal(t, "Book", d.Design.Models[0].Name)
	assert.Equal(t, []string{"storeId", "bookId"}, d.Design.Models[0].Key)
	assert.Len(t, d.Design.Models[0].Attributes, 3)
	assert.Equal(t, []string{"one book by storeId and bookId", "books by storeId"}, patternNames(d))
}

func patternNames(d *Draft) []string {
	var names []string
	for _, p := range d.Design.Patterns {
		names = append(names, p.Name)
	}
	return names
}

// TestAnyTable checks that ReadTable makes a design that is written and read as it is, of items and
// requests of any kind.
func TestAnyTable(t *testing.T) {
	value := rapid.Custom(func(t *rapid.T) Value {
		typ := rapid.SampledFrom([]string{"S", "S", "S", "N", "B", "BOOL", "NULL", "L", "M"}).Draw(
			t, "type")
		text := rapid.SampledFrom(
			[]string{"", "1", "10", "a", "A#1", "A#2", "B#1#2", "post", "2026-01-01T00:00:00Z",
				"01HX7MBJK3V9WQBZ7XNDK5ZT2M", "\u00e9#\x01"}).Draw(t, "text")
		return Value{typ, text, len(text)}
	})
	names := []string{"pk", "sk", "gsi1pk", "gsi1sk", "type", "_type", "name", "id"}
	condition := rapid.Custom(func(t *rapid.T) Condition {
		return Condition{
			Partition: value.Draw(t, "partition").Text, From: value.Draw(t, "from").Text,
			To: value.Draw(t, "to").Text,
			Operator: rapid.SampledFrom(
				[]expr.KeyOp{"", expr.KeyEqual, expr.KeyLess, expr.KeyAtLeast, expr.KeyBeginsWith,
					expr.KeyBetween}).Draw(t, "operator"),
		}
	})
	rapid.Check(t, func(t *rapid.T) {
		table := Table{
			Name: "any", Key: design.Key{Partition: "pk", Sort: "sk"},
			Indexes: []TableIndex{{Name: "gsi1",
				Key: design.Key{Partition: "gsi1pk", Sort: "gsi1sk"}}},
			TTL: "name",
		}
		for range rapid.IntRange(1, 30).Draw(t, "items") {
			it := Item{Attributes: map[string]Value{}}
			for _, name := range names {
				if name == "pk" || name == "sk" || rapid.Bool().Draw(t, "has "+name) {
					it.Attributes[name] = value.Draw(t, name)
				}
			}
			table.Items = append(table.Items, it)
		}
		for range rapid.IntRange(0, 3).Draw(t, "requests") {
			table.Requests = append(table.Requests, Request{
				Index:      rapid.SampledFrom([]string{"", "gsi1", "no"}).Draw(t, "index"),
				One:        rapid.Bool().Draw(t, "one"),
				Descending: rapid.Bool().Draw(t, "descending"),
				Examples:   rapid.SliceOfN(condition, 1, 3).Draw(t, "examples"),
			})
		}
		draft, err := ReadTable(table)
		require.NoError(t, err)
		written := designfile.Write(&draft.Design, draft.Comments)
		_, err = designfile.Parse(written)
		require.NoError(t, err, "%s", written)
	})
}

// TestConventionalItems checks keys as the guide "Key design patterns" has them.
func TestConventionalItems(t *testing.T) {
	table := Table{Name: "shop-data", Key: design.Key{Partition: "pk", Sort: "sk"}}
	for i := range 6 {
		tenant, id := fmt.Sprint("tenant00", i%2), fmt.Sprintf("01HX7MBJK3V9WQBZ7XNDK5ZT%02d", i)
		table.Items = append(table.Items,
			Item{Attributes: valuesIn(
				map[string]any{"pk": "PRODUCT#" + tenant, "sk": strings.Replace(id, "01", "02", 1),
					"price": int64(i)})},
			Item{Attributes: valuesIn(
				map[string]any{"pk": "ORDER#" + tenant, "sk": "ORDER#" + id, "total": int64(i)})},
			Item{Attributes: valuesIn(
				map[string]any{"pk": "ORDER#" + tenant, "sk": "ORDER_ITEM#" + id + "#001",
					"quantity": int64(i)})},
			Item{Attributes: valuesIn(
				map[string]any{"pk": "ORDER#" + tenant, "sk": "ORDER_ITEM#" + id + "#002",
					"quantity": int64(i)})})
	}
	d, err := ReadTable(table)
	require.NoError(t, err)
	keys := map[string][]string{}
	for _, m := range d.Design.Models {
		keys[m.Name] = m.Key
	}
	assert.Equal(t,
		map[string][]string{
			"Product": {"id"}, "Order": {"id"}, "OrderItem": {"tenant", "orderId", "id"},
		}, keys)
	assert.ElementsMatch(t, []string{
		"one product by id", "products by tenant", "one order by id", "orders by tenant",
		"one order item by tenant, orderId and id", "order items by tenant",
	}, patternNames(d))
}

// TestVectors checks that the vector indexes of a table become patterns.
func TestVectors(t *testing.T) {
	table := Table{
		Name: "products", Key: design.Key{Partition: "id"},
		Vectors: []TableVector{{"embedding", "brand", 3}},
	}
	for i := range 3 {
		table.Items = append(table.Items,
			Item{Attributes: valuesIn(
				map[string]any{"id": fmt.Sprint("p", i), "brand": "x",
					"embedding": []any{1.0, 2.0, 3.0}})})
	}
	d, err := ReadTable(table)
	require.NoError(t, err)
	require.Len(t, d.Design.Patterns, 2)
	assert.Equal(t,
		design.Pattern{
			Name: "products similar by embedding", Model: "Product", Equal: []string{"brand"},
			Similar: "embedding",
		}, d.Design.Patterns[1])
	_, err = design.Make(&d.Design)
	require.NoError(t, err)
}
