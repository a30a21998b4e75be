package emulatortest_test

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/stretchr/testify/assert"

	"github.com/kugiri-db/kugiri/emulator/emulatortest"
	"github.com/kugiri-db/kugiri/emulator/fault"
	"github.com/kugiri-db/kugiri/emulator/seed"
)

// A test looks at what its code has stored.
func ExampleServer_Item() {
	t := new(exampleTest)
	defer t.end()

	s := emulatortest.Start(t)
	must(s.Client().CreateTable(ctx, usersTable()))
	putExample(s.Client(), attributes{"id": text("42"), "name": text("Ada"), "age": number("36")})

	ada := s.Item(t, "users", seed.Item{"id": "42"})
	fmt.Println(ada["name"], ada["age"])
	fmt.Println(s.Item(t, "users", seed.Item{"id": "43"}) == nil)
	fmt.Println(s.Items(t, "users"))
	// Output:
	// Ada 36
	// true
	// [map[age:36 id:42 name:Ada]]
}

// A plan says what a request would cost, and why. The request is not sent to the server.
func ExampleServer_Explain() {
	t := new(exampleTest)
	defer t.end()

	s := emulatortest.Start(t)
	must(s.Client().CreateTable(ctx, usersTable()))
	plan := s.Explain(t, func(client *dynamodb.Client) error {
		_, err := client.Scan(ctx, &dynamodb.ScanInput{TableName: aws.String("users")})
		return err
	})
	fmt.Println(plan.ReadUnits, plan.Why)
	// Output: 2 [users: no partition key is given: all items are read]
}

// everyType is an item as SeedTables takes it and Item returns it.
var everyType = seed.Item{
	"pk": "a", "sk": json.Number("2"), "text": "", "binary": []byte{0, 255}, "yes": true,
	"null":    nil,
	"list":    []any{"x", json.Number("1E+2"), []any{}},
	"map":     seed.Item{"deep": seed.Item{"n": json.Number("0.1")}},
	"strings": seed.StringSet{"a", "b"}, "numbers": seed.NumberSet{"1", "2"},
	"binaries": seed.BinarySet{{1}, {2}},
}

func startEveryType(t testing.TB) *emulatortest.Server {
	t.Helper()
	s := emulatortest.Start(t)
	s.SeedTables(t, seed.Table{
		Name: "items", PartitionKey: seed.Attribute{Name: "pk", Type: "S"},
		SortKey: seed.Attribute{Name: "sk", Type: "N"},
		Items:   []seed.Item{{"pk": "b", "sk": 1}, {"pk": "a", "sk": 10}, everyType},
	})
	return s
}

func TestItems(t *testing.T) {
	s := startEveryType(t)
	want := seed.Item{}
	for name, v := range everyType {
		want[name] = v
	}
	want["list"] = []any{"x", json.Number("100"), []any{}}
	assert.Equal(t,
		[]seed.Item{want, {"pk": "a", "sk": json.Number("10")},
			{"pk": "b", "sk": json.Number("1")}}, s.Items(t, "items"))
	assert.Equal(t, want, s.Item(t, "items", seed.Item{"pk": "a", "sk": 2.0}))
	assert.Nil(t, s.Item(t, "items", seed.Item{"pk": "c", "sk": 2}))
}

// TestItemsMakeNoRequests: they neither meet faults nor consume capacity.
func TestItemsMakeNoRequests(t *testing.T) {
	s := startEveryType(t)
	s.SetFaults(t, fault.Fault{Do: fault.InternalServerError()})
	emulatortest.Record(t, s, emulatortest.MaxRequests(0))
	assert.Len(t, s.Items(t, "items"), 3)
	assert.NotNil(t, s.Item(t, "items", seed.Item{"pk": "b", "sk": 1}))
}

func TestItemsThatCannotBe(t *testing.T) {
	s := startEveryType(t)
	for _, c := range []struct {
		name, table string
		key         seed.Item
		says        string
	}{
		{"no table", "itmes", seed.Item{"pk": "a", "sk": 2},
			`emulatortest: emulator: no table "itmes" of the access key "test" in us-east-1: it has items`},
		{"half a key", "items", seed.Item{"pk": "a"},
			"The provided key element does not match the schema"},
		{"more than a key", "items", seed.Item{"pk": "a", "sk": 2, "x": 1},
			"The provided key element does not match the schema"},
		{"another type", "items", seed.Item{"pk": "a", "sk": "2"},
			"The provided key element does not match the schema"},
		{"no value", "items", seed.Item{"pk": "a", "sk": struct{}{}},
			"emulatortest: sk: no type of DynamoDB has a struct {}"},
		{"no number", "items", seed.Item{"pk": "a", "sk": json.Number("x")},
			"cannot be converted to a numeric value: x"},
	} {
		t.Run(c.name, func(t *testing.T) {
			test := new(fakeTest)
			assert.Contains(t, test.run(func() { s.Item(test, c.table, c.key) }), c.says)
		})
	}
}
