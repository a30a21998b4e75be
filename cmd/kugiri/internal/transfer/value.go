package transfer

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// Item is an item in the form of the SDK.
type Item = map[string]types.AttributeValue

// maxNesting is the largest depth of a document. DynamoDB allows 31 levels.
const maxNesting = 64

// MarshalItem writes an item as DynamoDB JSON, {"pk":{"S":"a"}}, with its attributes in order.
func MarshalItem(item Item) []byte { return appendMap(nil, item, appendValue) }

// appendMap appends a JSON object with the members in order. one appends their values.
func appendMap(dst []byte, m Item, one func([]byte, types.AttributeValue) []byte) []byte {
	dst = append(dst, '{')
	for i, name := range slices.Sorted(maps.Keys(m)) {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(appendText(dst, name), ':')
		dst = one(dst, m[name])
	}
	return append(dst, '}')
}

func appendValue(dst []byte, v types.AttributeValue) []byte {
	switch v := v.(type) {
	case *types.AttributeValueMemberS:
		return append(appendText(append(dst, `{"S":`...), v.Value), '}')
	case *types.AttributeValueMemberN:
		return append(appendText(append(dst, `{"N":`...), v.Value), '}')
	case *types.AttributeValueMemberB:
		dst = appendText(append(dst, `{"B":`...), base64.StdEncoding.EncodeToString(v.Value))
		return append(dst, '}')
	case *types.AttributeValueMemberBOOL:
		return fmt.Appendf(dst, `{"BOOL":%t}`, v.Value)
	case *types.AttributeValueMemberNULL:
		return fmt.Appendf(dst, `{"NULL":%t}`, v.Value)
	case *types.AttributeValueMemberSS:
		return append(appendList(append(dst, `{"SS":`...), v.Value, appendText), '}')
	case *types.AttributeValueMemberNS:
		return append(appendList(append(dst, `{"NS":`...), v.Value, appendText), '}')
	case *types.AttributeValueMemberBS:
		return append(appendList(append(dst, `{"BS":`...), v.Value, appendBinary), '}')
	case *types.AttributeValueMemberL:
		return append(appendList(append(dst, `{"L":`...), v.Value, appendValue), '}')
	case *types.AttributeValueMemberM:
		return append(appendMap(append(dst, `{"M":`...), v.Value, appendValue), '}')
	}
	panic(fmt.Sprintf("transfer: a value of type %T", v)) // the SDK has no other types
}

func appendList[V any](dst []byte, list []V, appendOne func([]byte, V) []byte) []byte {
	dst = append(dst, '[')
	for i, v := range list {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = appendOne(dst, v)
	}
	return append(dst, ']')
}

func appendBinary(dst, b []byte) []byte {
	return appendText(dst, base64.StdEncoding.EncodeToString(b))
}

func appendText(dst []byte, s string) []byte {
	b := new(bytes.Buffer)
	e := json.NewEncoder(b)
	e.SetEscapeHTML(false)
	e.Encode(s) // encoding a string cannot fail
	return append(dst, bytes.TrimSuffix(b.Bytes(), []byte("\n"))...)
}
