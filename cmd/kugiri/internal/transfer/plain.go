package transfer

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// marshalPlain writes an item as JSON without types, {"pk":"a"}. Sets become lists and binaries
// become base64 text, so UnmarshalPlain reads them as lists and strings.
func marshalPlain(item Item) []byte { return appendMap(nil, item, appendPlain) }

func appendPlain(dst []byte, v types.AttributeValue) []byte {
	switch v := v.(type) {
	case *types.AttributeValueMemberS:
		return appendText(dst, v.Value)
	case *types.AttributeValueMemberN:
		return append(dst, v.Value...)
	case *types.AttributeValueMemberB:
		return appendBinary(dst, v.Value)
	case *types.AttributeValueMemberBOOL:
		return fmt.Appendf(dst, "%t", v.Value)
	case *types.AttributeValueMemberSS:
		return appendList(dst, v.Value, appendText)
	case *types.AttributeValueMemberNS:
		return appendList(dst, v.Value,
			func(dst []byte, n string) []byte { return append(dst, n...) })
	case *types.AttributeValueMemberBS:
		return appendList(dst, v.Value, appendBinary)
	case *types.AttributeValueMemberL:
		return appendList(dst, v.Value, appendPlain)
	case *types.AttributeValueMemberM:
		return appendMap(dst, v.Value, appendPlain)
	}
	return append(dst, "null"...)
}

// unmarshalPlain reads an item from JSON without types: strings, numbers,
// booleans, null, lists and objects become S, N, BOOL, NULL, L and M.
func unmarshalPlain(text []byte) (Item, error) {
	tree, err := decodeTree(text)
	if err != nil {
		return nil, err
	}
	members, ok := tree.(map[string]any)
	if !ok {
		return nil, errors.New("an item is an object")
	}
	return plainMap(members, 0)
}

func plainMap(members map[string]any, depth int) (Item, error) {
	item := make(Item, len(members))
	for name, v := range members {
		value, err := plainValue(v, depth+1)
		if err != nil {
			return nil, fmt.Errorf("attribute %q: %w", name, err)
		}
		item[name] = value
	}
	return item, nil
}

func plainValue(tree any, depth int) (types.AttributeValue, error) {
	if depth > maxNesting {
		return nil, fmt.Errorf("nested deeper than %d levels", maxNesting)
	}
	switch v := tree.(type) {
	case string:
		return &types.AttributeValueMemberS{Value: v}, nil
	case json.Number:
		return &types.AttributeValueMemberN{Value: v.String()}, nil
	case bool:
		return &types.AttributeValueMemberBOOL{Value: v}, nil
	case []any:
		list := make([]types.AttributeValue, len(v))
		for i := range v {
			value, err := plainValue(v[i], depth+1)
			if err != nil {
				return nil, err
			}
			list[i] = value
		}
		return &types.AttributeValueMemberL{Value: list}, nil
	case map[string]any:
		m, err := plainMap(v, depth)
		return &types.AttributeValueMemberM{Value: m}, err
	}
	return &types.AttributeValueMemberNULL{Value: true}, nil
}
