package wire

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/kugiri-db/kugiri/conventions/api"
	"github.com/kugiri-db/kugiri/storage/item"
)

func TestAppend(t *testing.T) {
	for _, c := range []struct {
		name string
		in   any
		want string
	}{
		{"nothing", &api.GetItemOutput{}, `{}`},
		{"an item is copied", &api.GetItemOutput{Item: `{"a":{"S":"b"}}`},
			`{"Item":{"a":{"S":"b"}}}`},
		{"an empty item", &api.GetItemOutput{Item: `{}`}, `{"Item":{}}`},
		{"items", &api.QueryOutput{Items: []item.JSON{`{}`, `{"a":{"N":"1"}}`},
			Count: api.Ref(int64(2))}, `{"Items":[{},{"a":{"N":"1"}}],"Count":2}`},
		{"an empty list", &api.ListTablesOutput{TableNames: []api.TableName{}},
			`{"TableNames":[]}`},
		{"strings", &api.ListTablesOutput{TableNames: []api.TableName{"a\"b", "é\u0001"}},
			`{"TableNames":["a\"b","é\u0001"]}`},
		{"maps keep their order",
			&api.BatchGetItemOutput{
				Responses: api.Map[[]item.JSON]{{Key: "b", Value: []item.JSON{`{}`}},
					{Key: "a\n", Value: []item.JSON{}}},
			},
			`{"Responses":{"b":[{}],"a\n":[]}}`},
		{"structures",
			&api.DescribeTableOutput{
				Table: &api.TableDescription{ItemCount: api.Ref(int64(0)),
					DeletionProtectionEnabled: api.Ref(false)},
			},
			`{"Table":{"ItemCount":0,"DeletionProtectionEnabled":false}}`},
		{"a time",
			&api.DescribeTableOutput{
				Table: &api.TableDescription{
					CreationDateTime: api.Ref(api.Timestamp(1767225600.123)),
				},
			},
			`{"Table":{"CreationDateTime":1.767225600123E9}}`},
		{"capacity",
			&api.GetItemOutput{
				ConsumedCapacity: &api.ConsumedCapacity{CapacityUnits: api.Ref(0.5),
					Table: &api.Capacity{CapacityUnits: api.Ref(1.0)}},
			},
			`{"ConsumedCapacity":{"CapacityUnits":0.5,"Table":{"CapacityUnits":1.0}}}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			assert.Equal(t, "x"+c.want, string(Append([]byte("x"), c.in)))
		})
	}
}

func TestAppendDouble(t *testing.T) {
	for _, c := range []struct {
		in   float64
		want string
	}{
		{0, "0.0"}, {1, "1.0"}, {-1, "-1.0"}, {0.5, "0.5"}, {12.25, "12.25"},
		{0.001, "0.001"}, {0.0001, "1.0E-4"}, {0.00012, "1.2E-4"},
		{9999999, "9999999.0"}, {1e7, "1.0E7"}, {-12345678, "-1.2345678E7"},
		{1767225600, "1.7672256E9"},
		{math.MaxFloat64, "1.7976931348623157E308"},
	} {
		t.Run(c.want,
			func(t *testing.T) { assert.Equal(t, c.want, string(appendDouble(nil, c.in))) })
	}
}
