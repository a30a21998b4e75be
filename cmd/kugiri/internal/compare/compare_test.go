package compare

import (
	"encoding/json"
	"fmt"
	"hash/maphash"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/transfer"
	_ "github.com/kugiri-db/kugiri/storage/rapidseed" // fixes the seed
)

func parsed(t *testing.T, text string) transfer.Item {
	t.Helper()
	it, err := transfer.UnmarshalItem([]byte(text))
	require.NoError(t, err)
	return it
}

// TestCanonical: DynamoDB takes the same values for equal. Numbers are equal by value, sets without
// their order (Developer Guide, "Supported data types and naming rules").
func TestCanonical(t *testing.T) {
	for _, c := range []struct {
		name, a, b string
		same       bool
	}{
		{"a number in two forms", `{"v":{"N":"1.50e1"}}`, `{"v":{"N":"15"}}`, true},
		{"38 digits", `{"v":{"N":"1.2345678901234567890123456789012345678"}}`,
			`{"v":{"N":"1.2345678901234567890123456789012345679"}}`, false},
		{"zeros", `{"v":{"N":"-0"}}`, `{"v":{"N":"0.00"}}`, true},
		{"a set of strings in two orders", `{"v":{"SS":["b","a"]}}`, `{"v":{"SS":["a","b"]}}`,
			true},
		{"a set of numbers in two orders and forms", `{"v":{"NS":["10","9"]}}`,
			`{"v":{"NS":["9.0","1e1"]}}`, true},
		{"a set of binaries in two orders", `{"v":{"BS":["AQ==","AA=="]}}`,
			`{"v":{"BS":["AA==","AQ=="]}}`, true},
		{"a set in a document", `{"v":{"M":{"l":{"L":[{"NS":["2","1"]}]}}}}`,
			`{"v":{"M":{"l":{"L":[{"NS":["1","2.0"]}]}}}}`, true},
		{"a list in two orders", `{"v":{"L":[{"N":"1"},{"N":"2"}]}}`,
			`{"v":{"L":[{"N":"2"},{"N":"1"}]}}`, false},
		{"a string and a number", `{"v":{"S":"1"}}`, `{"v":{"N":"1"}}`, false},
		{"a string and a binary", `{"v":{"S":"AA=="}}`, `{"v":{"B":"AA=="}}`, false},
		{"a set and a list", `{"v":{"SS":["a"]}}`, `{"v":{"L":[{"S":"a"}]}}`, false},
		{"an empty string and none", `{"v":{"S":""}}`, `{}`, false},
		{"null and none", `{"v":{"NULL":true}}`, `{}`, false},
		{"upper and lower case", `{"v":{"S":"a"}}`, `{"v":{"S":"A"}}`, false},
		{"a number of 39 digits, which another engine stores",
			`{"v":{"N":"123456789012345678901234567890123456789"}}`,
			`{"v":{"N":"123456789012345678901234567890123456788"}}`, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			assert.Equal(t, c.same, canonical(parsed(t, c.a)) == canonical(parsed(t, c.b)))
		})
	}
}

// TestSumOfItemsInAnyOrder: a sum depends on each item, and on how often it occurs, but not on the
// order.
func TestSumOfItemsInAnyOrder(t *testing.T) {
	sum := func(ids ...int) Sum {
		s := summer{&partition{[]string{"pk"}, maphash.MakeSeed()}, make([]Sum, parts)}
		for _, id := range ids {
			require.NoError(t,
				s.Write(parsed(t, fmt.Sprintf(`{"pk":{"S":"%d"},"v":{"N":"1"}}`, id))))
		}
		return *s.total()
	}
	assert.Equal(t, sum(1, 2, 3), sum(3, 1, 2))
	assert.Equal(t, int64(3), sum(1, 2, 3).Items)
	assert.NotEqual(t, sum(1, 2, 3), sum(1, 2, 4))
	assert.NotEqual(t, sum(1, 1).Checksum, Sum{}.Checksum, "equal items do not cancel each other")
	assert.NotEqual(t, sum(1, 1), sum(2, 2))
}

// TestChecksumText: the sum of a run can be compared with that of another.
func TestChecksumText(t *testing.T) {
	c := checksum{1, ^uint64(0)}
	c.add(checksum{0, 1})
	assert.Equal(t, checksum{2, 0}, c, "the low half is carried into the high half")
	text, err := json.Marshal(Sum{3, c})
	require.NoError(t, err)
	assert.JSONEq(t, `{"items":3,"checksum":"00000000000000020000000000000000"}`, string(text))
	var back Sum
	require.NoError(t, json.Unmarshal(text, &back))
	assert.Equal(t, Sum{3, c}, back)
	assert.Error(t, json.Unmarshal([]byte(`{"checksum":"x"}`), &back))
}

// TestPartsToGather: the items of parts that differ are gathered as far as memory allows, and those
// of at least one part.
func TestPartsToGather(t *testing.T) {
	one := func(items int64) Sum { return Sum{Items: items, Checksum: checksum{1, 1}} }
	for _, c := range []struct {
		name     string
		from, to map[int]Sum
		wanted   []int
		all      bool
	}{
		{"no part", nil, nil, nil, true},
		{"equal parts", map[int]Sum{1: one(5)}, map[int]Sum{1: one(5)}, nil, true},
		{"two parts", map[int]Sum{1: one(5), 9: one(1)}, nil, []int{1, 9}, true},
		{"the same number of other items", map[int]Sum{4: {5, checksum{1, 1}}},
			map[int]Sum{4: {5, checksum{1, 2}}}, []int{4}, true},
		{"a part too large", map[int]Sum{3: one(2 * maxGathered)}, nil, []int{3}, true},
		{"too many parts", map[int]Sum{3: one(maxGathered - 1), 5: one(2)}, map[int]Sum{7: one(1)},
			[]int{3, 7}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			from, to := make([]Sum, parts), make([]Sum, parts)
			for part, sum := range c.from {
				from[part] = sum
			}
			for part, sum := range c.to {
				to[part] = sum
			}
			flags, all := differing(from, to)
			var wanted []int
			for part, is := range flags {
				if is {
					wanted = append(wanted, part)
				}
			}
			assert.Equal(t, c.wanted, wanted)
			assert.Equal(t, c.all, all)
		})
	}
}

// TestDifferencesAreThoseOfAModel compares two sets of items as a comparison of tables does, and
// one by one.
func TestDifferencesAreThoseOfAModel(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		// an attribute by the key
		values := rapid.MapOf(rapid.IntRange(0, 20), rapid.IntRange(0, 2))
		from, to := values.Draw(rt, "from"), values.Draw(rt, "to")
		want := map[string]string{}
		for id := range 21 {
			a, inFrom := from[id]
			b, inTo := to[id]
			key := fmt.Sprintf(`{"pk":{"N":"%d"}}`, id)
			switch {
			case inFrom && !inTo:
				want[key] = "from"
			case inTo && !inFrom:
				want[key] = "to"
			case a != b:
				want[key] = "" // both have it
			}
		}
		p := &partition{[]string{"pk"}, maphash.MakeSeed()}
		items := func(values map[int]int, out transfer.Writer) {
			for id, v := range values {
				require.NoError(rt,
					out.Write(parsed(t, fmt.Sprintf(`{"pk":{"N":"%d.0"},"v":{"N":"%d"}}`, id, v))))
			}
		}
		a, b := &summer{p, make([]Sum, parts)}, &summer{p, make([]Sum, parts)}
		items(from, a)
		items(to, b)
		require.Equal(rt, len(want) == 0, *a.total() == *b.total())
		wanted, all := differing(a.sums, b.sums)
		require.True(rt, all)
		x, y := &finder{p, wanted, map[string]checksum{}}, &finder{p, wanted, map[string]checksum{}}
		items(from, x)
		items(to, y)
		found := map[string]string{}
		for _, d := range differences(x.found, y.found) {
			found[string(d.Key)] = d.OnlyIn
		}
		require.Equal(rt, want, found)
	})
}

// TestDefinitions: the keys and all kinds of indexes count, whatever the order in which they are
// described.
func TestDefinitions(t *testing.T) {
	base := func() *types.TableDescription {
		key := func(names ...string) (schema []types.KeySchemaElement) {
			for i, name := range names {
				schema = append(schema,
					types.KeySchemaElement{
						AttributeName: &name, KeyType: []types.KeyType{"HASH", "RANGE"}[i],
					})
			}
			return schema
		}
		return &types.TableDescription{
			KeySchema: key("pk", "sk"),
			AttributeDefinitions: []types.AttributeDefinition{{AttributeName: aws.String("pk"),
				AttributeType: "S"},
				{AttributeName: aws.String("sk"), AttributeType: "N"},
				{AttributeName: aws.String("a"), AttributeType: "B"}},
			LocalSecondaryIndexes: []types.LocalSecondaryIndexDescription{{IndexName: aws.String(
				"local"), KeySchema: key("pk", "a"),
				Projection: &types.Projection{ProjectionType: "ALL"}}},
			GlobalSecondaryIndexes: []types.GlobalSecondaryIndexDescription{{IndexName: aws.String(
				"global"), KeySchema: key("a"),
				Projection: &types.Projection{ProjectionType: "INCLUDE",
					NonKeyAttributes: []string{"y", "x"}}}},
			VectorIndexes: []types.VectorIndexDescription{{IndexName: aws.String("vector"),
				Dimensions: aws.Int64(3), DistanceFunction: "COSINE",
				VectorAttribute: &types.VectorAttributeDefinition{AttributeName: aws.String("v")},
				Projection:      &types.Projection{ProjectionType: "KEYS_ONLY"}}},
		}
	}
	for _, c := range []struct {
		name string
		edit func(*types.TableDescription)
		want []DefinitionDifference
	}{
		{"nothing", func(*types.TableDescription) {}, nil},
		{"other capacity", func(d *types.TableDescription) {
			d.BillingModeSummary = &types.BillingModeSummary{BillingMode: "PAY_PER_REQUEST"}
		}, nil},
		{"another order of projected attributes", func(d *types.TableDescription) {
			d.GlobalSecondaryIndexes[0].Projection.NonKeyAttributes = []string{"x", "y"}
		}, nil},
		{"no sort key", func(d *types.TableDescription) { d.KeySchema = d.KeySchema[:1] },
			[]DefinitionDifference{{"key", "pk (S, HASH), sk (N, RANGE)", "pk (S, HASH)"}}},
		{"another type",
			func(d *types.TableDescription) { d.AttributeDefinitions[1].AttributeType = "S" },
			[]DefinitionDifference{
				{"key", "pk (S, HASH), sk (N, RANGE)", "pk (S, HASH), sk (S, RANGE)"},
			}},
		{"no global index", func(d *types.TableDescription) { d.GlobalSecondaryIndexes = nil },
			[]DefinitionDifference{{"global index global", "a (B, HASH); INCLUDE x, y", ""}}},
		{"another projection",
			func(d *types.TableDescription) {
				d.LocalSecondaryIndexes[0].Projection.ProjectionType = "KEYS_ONLY"
			},
			[]DefinitionDifference{
				{"local index local", "pk (S, HASH), a (B, RANGE); ALL",
					"pk (S, HASH), a (B, RANGE); KEYS_ONLY"},
			}},
		{"other dimensions",
			func(d *types.TableDescription) { d.VectorIndexes[0].Dimensions = aws.Int64(4) },
			[]DefinitionDifference{
				{"vector index vector", "v, 3 dimensions, COSINE; KEYS_ONLY",
					"v, 4 dimensions, COSINE; KEYS_ONLY"},
			}},
		{"a further index", func(d *types.TableDescription) {
			more := d.GlobalSecondaryIndexes[0]
			more.IndexName = aws.String("more")
			d.GlobalSecondaryIndexes = append(d.GlobalSecondaryIndexes, more)
		}, []DefinitionDifference{{"global index more", "", "a (B, HASH); INCLUDE x, y"}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			other := base()
			c.edit(other)
			assert.Equal(t, c.want, compareDefinitions(base(), other))
		})
	}
}
