package emulator

import (
	"strings"
	"testing"
)

func TestGetItem(t *testing.T) {
	const stored = `{"pk":{"S":"a"},"sk":{"N":"1"},"m":{"M":{"x":{"N":"1"},"y":{"N":"2"}}},"l":{"L":[{"S":"p"},{"S":"q"}]}}`
	x := newItemTest(t)
	x.put("ranged", stored)
	for _, tc := range []itemCase{
		{"whole", `}`, stored},
		{"consistent", `,"ConsistentRead":true}`, stored},
		{"nested projection", `,"ProjectionExpression":"m.x, l[1], nosuch"}`,
			`{"m":{"M":{"x":{"N":"1"}}},"l":{"L":[{"S":"q"}]}}`},
		{"names", `,"ProjectionExpression":"#a.#b","ExpressionAttributeNames":{"#a":"m","#b":"y"}}`,
			`{"m":{"M":{"y":{"N":"2"}}}}`},
		{"none of the paths", `,"ProjectionExpression":"nosuch"}`, `{}`},
		{"legacy", `,"AttributesToGet":["sk","l","nosuch"]}`,
			`{"sk":{"N":"1"},"l":{"L":[{"S":"p"},{"S":"q"}]}}`},
	} {
		x.Run(tc.name, func(t *testing.T) {
			(&itemTest{T: t, emulator: x.emulator}).want(`{"Item":`+tc.want+`}`, "GetItem",
				`{"TableName":"ranged","Key":{"sk":{"N":"1.0"},"pk":{"S":"a"}}`+tc.body)
		})
	}
	x.want(`{}`, "GetItem", `{"TableName":"ranged","Key":{"pk":{"S":"a"},"sk":{"N":"2"}}}`)
	x.want(`{}`, "GetItem",
		`{"TableName":"ranged","Key":{"pk":{"S":"a"},"sk":{"N":"2"}},"ProjectionExpression":"pk"}`)
}

func TestGetItemCapacity(t *testing.T) {
	x := newItemTest(t)
	x.put("plain", `{"pk":{"S":"fits"},"v":{"S":"`+strings.Repeat("x", 4096-2-4-1)+`"}}`)
	x.put("plain", `{"pk":{"S":"over"},"v":{"S":"`+strings.Repeat("x", 4096-2-4)+`"}}`)
	for _, tc := range []itemCase{
		{"one block", `"fits"}},"ReturnConsumedCapacity":"TOTAL"`,
			`{"TableName":"plain","CapacityUnits":0.5}`},
		{"two blocks", `"over"}},"ReturnConsumedCapacity":"TOTAL"`,
			`{"TableName":"plain","CapacityUnits":1}`},
		{"consistent", `"over"}},"ReturnConsumedCapacity":"TOTAL","ConsistentRead":true`,
			`{"TableName":"plain","CapacityUnits":2}`},
		{"projected", `"over"}},"ReturnConsumedCapacity":"TOTAL","ProjectionExpression":"nosuch"`,
			`{"TableName":"plain","CapacityUnits":1}`},
		{"nothing", `"nosuch"}},"ReturnConsumedCapacity":"INDEXES"`,
			`{"TableName":"plain","CapacityUnits":0.5,"Table":{"CapacityUnits":0.5}}`},
		{"nothing, consistent",
			`"nosuch"}},"ReturnConsumedCapacity":"INDEXES","ConsistentRead":true`,
			`{"TableName":"plain","CapacityUnits":1,"Table":{"CapacityUnits":1}}`},
	} {
		x.Run(tc.name, func(t *testing.T) {
			answer := (&itemTest{T: t, emulator: x.emulator}).do("GetItem",
				`{"TableName":"plain","Key":{"pk":{"S":`+tc.body+`}`)
			wantMember(t, tc.want, answer, "ConsumedCapacity")
		})
	}
}

func TestGetItemRefused(t *testing.T) {
	const mismatch = wrongKey
	x := newItemTest(t)
	x.refused("GetItem", []itemCase{
		{"no table", `{"TableName":"nosuch","Key":{"pk":{"S":"a"}}}`,
			noSuchTable},
		{"no key attributes", `{"TableName":"ranged","Key":{}}`, mismatch},
		{"one attribute", `{"TableName":"ranged","Key":{"pk":{"S":"a"}}}`, mismatch},
		{"another attribute", `{"TableName":"ranged","Key":{"pk":{"S":"a"},"x":{"N":"1"}}}`,
			mismatch},
		{"one too many", `{"TableName":"plain","Key":{"pk":{"S":"a"},"x":{"N":"1"}}}`, mismatch},
		{"type", `{"TableName":"plain","Key":{"pk":{"N":"1"}}}`, mismatch},
		{"empty", `{"TableName":"plain","Key":{"pk":{"S":""}}}`,
			"ValidationException: One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty string value. Key: pk"},
		{"long", `{"TableName":"plain","Key":{"pk":{"S":"` + strings.Repeat("x", 2049) + `"}}}`,
			invalidValues + "Size of hashkey has exceeded the maximum size limit of2048 bytes"},
		{"bad value", `{"TableName":"nosuch","Key":{"pk":{"N":"x"}}}`,
			notNumeric},
		{"mixed", `{"TableName":"nosuch","Key":{"pk":{"S":"a"}},"AttributesToGet":["a"],"ProjectionExpression":"a"}`,
			"ValidationException: Can not use both expression and non-expression parameters in the same request: Non-expression parameters: {AttributesToGet} Expression parameters: {ProjectionExpression}"},
		{"names alone",
			`{"TableName":"nosuch","Key":{"pk":{"S":"a"}},"ExpressionAttributeNames":{"#a":"a"}}`,
			namesWithoutExpression},
		{"unused name",
			`{"TableName":"nosuch","Key":{"pk":{"S":"a"}},"ProjectionExpression":"a","ExpressionAttributeNames":{"#a":"a"}}`,
			"ValidationException: Value provided in ExpressionAttributeNames unused in expressions: keys: {#a}"},
		{"duplicate attribute",
			`{"TableName":"nosuch","Key":{"pk":{"S":"a"}},"AttributesToGet":["a","b","a"]}`,
			invalidValues + "Duplicate value in attribute name: a"},
		{"overlapping paths",
			`{"TableName":"nosuch","Key":{"pk":{"S":"a"}},"ProjectionExpression":"a.b, a"}`,
			"ValidationException: Invalid ProjectionExpression: Two document paths overlap with each other; must remove or rewrite one of these paths; path one: [a, b], path two: [a]"},
	})
}
