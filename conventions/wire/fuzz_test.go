package wire

import (
	"encoding/json"
	"errors"
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/conventions/api"
	"github.com/kugiri-db/kugiri/storage/item"
)

// FuzzDecode: decoding any body gives a shape or a SerializationError. A shape can be checked, and
// its JSON decodes to the same shape.
func FuzzDecode(f *testing.F) {
	for _, seed := range []string{
		``, `{}`, `null`, `[]`, putBody,
		`{"TableName":"t","Key":{"k":{"S":"v"}},"AttributesToGet":["a"],"ConsistentRead":true,"ExpressionAttributeNames":{"#a":"b"}}`,
		`{"TableName":"t","KeySchema":[{"AttributeName":"a","KeyType":"HASH"},null],"ProvisionedThroughput":{"ReadCapacityUnits":1.5e2}}`,
		`{"RequestItems":{"t":{"Keys":[{"k":{"N":"1"}}]},"u":null}}`,
		`{"RequestItems":{"t":[{"PutRequest":{"Item":{"a":{"L":[{"BOOL":true}]}}}},{"DeleteRequest":{"Key":{"a":{"B":"AA=="}}}}]}}`,
		`{"TableName":"t","Expected":{"a":{"Value":{"N":"x"},"Exists":true,"AttributeValueList":[null,{"S":"\ud83d\ude00"}]}}}`,
		`{"ClientRequestToken":"x","TransactItems":[{"Put":{"TableName":"t","Item":{"k":{"S":"v"}},"ConditionExpression":"a"}},{"Get":{"Key":{}}},{}]}`,
		`{"Limit":1e400,"x":[[[[{"y":{}}]]]]}`,
	} {
		f.Add(seed)
	}
	shapes := []reflect.Type{
		reflect.TypeFor[api.CreateTableInput](), reflect.TypeFor[api.UpdateTableInput](),
		reflect.TypeFor[api.PutItemInput](),
		reflect.TypeFor[api.QueryInput](), reflect.TypeFor[api.BatchGetItemInput](),
		reflect.TypeFor[api.BatchWriteItemInput](),
		reflect.TypeFor[api.TransactWriteItemsInput](),
		reflect.TypeFor[api.TransactGetItemsInput](),
	}
	f.Fuzz(func(t *testing.T, body string) {
		for _, s := range shapes {
			in := reflect.New(s).Interface()
			if err := Decode(body, in, nil); err != nil {
				var serialization item.SerializationError
				require.True(t, errors.As(err, &serialization), "%v", err)
				continue
			}
			require.True(t, json.Valid([]byte(body)))
			_ = Validate(in)
			if hasInvalid(reflect.ValueOf(in).Elem()) {
				continue // the shape does not keep invalid values
			}
			text := string(Append(nil, in))
			require.True(t, json.Valid([]byte(text)), "%s", text)
			again := reflect.New(s).Interface()
			require.NoError(t, Decode(text, again, nil), "%s", text)
			require.Equal(t, text, string(Append(nil, again)))
		}
	})
}

// hasInvalid reports whether a shape has invalid attribute values, or a null instead of one.
func hasInvalid(v reflect.Value) bool {
	switch x := v.Interface().(type) {
	case item.Attributes:
		return x.Invalid != nil || x.Item == ""
	case api.AttributeValue:
		return x.Invalid != nil || !x.Present
	}
	switch v.Kind() {
	case reflect.Pointer:
		return !v.IsNil() && hasInvalid(v.Elem())
	case reflect.Struct:
		for i := range v.NumField() {
			if f := v.Field(i); !f.IsZero() && hasInvalid(f) {
				return true
			}
		}
	case reflect.Slice:
		for i := range v.Len() {
			if hasInvalid(v.Index(i)) {
				return true
			}
		}
	}
	return false
}
