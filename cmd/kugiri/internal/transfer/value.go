package transfer

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
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
		return append(
			appendText(append(dst, `{"B":`...), base64.StdEncoding.EncodeToString(v.Value)), '}')
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

// UnmarshalItem reads an item from DynamoDB JSON. The text must have nothing else.
func UnmarshalItem(text []byte) (Item, error) {
	tree, err := decodeTree(text)
	if err != nil {
		return nil, err
	}
	return itemOf(tree)
}

// itemOf converts a JSON tree in DynamoDB's form to an item.
func itemOf(tree any) (Item, error) {
	members, ok := tree.(map[string]any)
	if !ok {
		return nil, errors.New(`an item is an object, such as {"pk":{"S":"a"}}`)
	}
	return attributesOf(members, 0)
}

func attributesOf(members map[string]any, depth int) (Item, error) {
	item := make(Item, len(members))
	for _, name := range slices.Sorted(maps.Keys(members)) {
		v, err := valueOf(members[name], depth+1)
		if err != nil {
			return nil, fmt.Errorf("attribute %q: %w", name, err)
		}
		item[name] = v
	}
	return item, nil
}

// valueOf converts a JSON tree such as {"S":"a"} to a value.
func valueOf(tree any, depth int) (types.AttributeValue, error) {
	typed, ok := tree.(map[string]any)
	if !ok || len(typed) != 1 {
		return nil, errors.New(
			`a value is an object with its type, such as {"S":"a"} (for JSON without types use --format plain)`)
	}
	if depth > maxNesting {
		return nil, fmt.Errorf("nested deeper than %d levels", maxNesting)
	}
	for kind, v := range typed {
		value, err := typedValue(kind, v, depth)
		if err != nil {
			return nil, err
		}
		return value, nil
	}
	panic("unreachable: there is one member")
}

func typedValue(kind string, v any, depth int) (types.AttributeValue, error) {
	switch kind {
	case "S":
		s, err := textOf(kind, v)
		return &types.AttributeValueMemberS{Value: s}, err
	case "N":
		s, err := textOf(kind, v)
		return &types.AttributeValueMemberN{Value: s}, err
	case "B":
		b, err := binaryOf(kind, v)
		return &types.AttributeValueMemberB{Value: b}, err
	case "BOOL":
		b, err := boolOf(kind, v)
		return &types.AttributeValueMemberBOOL{Value: b}, err
	case "NULL":
		b, err := boolOf(kind, v)
		return &types.AttributeValueMemberNULL{Value: b}, err
	case "SS":
		list, err := listOf(kind, v, textOf)
		return &types.AttributeValueMemberSS{Value: list}, err
	case "NS":
		list, err := listOf(kind, v, textOf)
		return &types.AttributeValueMemberNS{Value: list}, err
	case "BS":
		list, err := listOf(kind, v, binaryOf)
		return &types.AttributeValueMemberBS{Value: list}, err
	case "L":
		list, err := listOf(kind, v,
			func(_ string, v any) (types.AttributeValue, error) { return valueOf(v, depth+1) })
		return &types.AttributeValueMemberL{Value: list}, err
	case "M":
		members, ok := v.(map[string]any)
		if !ok {
			return nil, errors.New("M is an object")
		}
		m, err := attributesOf(members, depth)
		return &types.AttributeValueMemberM{Value: m}, err
	}
	return nil, fmt.Errorf("%q is not a type: use S, N, B, BOOL, NULL, SS, NS, BS, L or M", kind)
}

func textOf(kind string, v any) (string, error) {
	if s, ok := v.(string); ok {
		return s, nil
	}
	return "", fmt.Errorf("%s takes a string", kind)
}

func binaryOf(kind string, v any) ([]byte, error) {
	s, err := textOf(kind, v)
	if err != nil {
		return nil, err
	}
	b, err := base64.StdEncoding.Strict().DecodeString(s)
	if err != nil {
		return nil, fmt.Errorf("%s takes base64: %w", kind, err)
	}
	return b, nil
}

func boolOf(kind string, v any) (bool, error) {
	if b, ok := v.(bool); ok {
		return b, nil
	}
	return false, fmt.Errorf("%s takes true or false", kind)
}

func listOf[V any](kind string, v any, one func(kind string, v any) (V, error)) ([]V, error) {
	list, ok := v.([]any)
	if !ok {
		return nil, fmt.Errorf("%s takes a list", kind)
	}
	values := make([]V, len(list))
	for i := range list {
		value, err := one(kind, list[i])
		if err != nil {
			return nil, fmt.Errorf("[%d]: %w", i, err)
		}
		values[i] = value
	}
	return values, nil
}
