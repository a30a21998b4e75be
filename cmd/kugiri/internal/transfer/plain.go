package transfer

import (
	"errors"
	"fmt"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/kugiri-db/kugiri/storage/item/jsontext"
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
	item, err := plainItem(string(text))
	return item, explained(string(text), err)
}

// plainItem is typedItem of an item without types.
func plainItem(text string) (Item, error) {
	s := itemScanner{Scanner: jsontext.NewScanner(text)}
	if s.Peek() != '{' {
		return nil, errors.New("an item is an object")
	}
	item, err := scanPlainMembers(&s, 0)
	if err == nil {
		err = s.End()
	}
	return item, err
}

func scanPlainMembers(s *itemScanner, depth int) (Item, error) {
	return scanItem(s, func() (types.AttributeValue, error) { return scanPlain(s, depth+1) })
}

func scanPlain(s *itemScanner, depth int) (types.AttributeValue, error) {
	if depth > maxNesting {
		return nil, errDepth
	}
	switch k := s.Peek(); k {
	case '"':
		v, err := scanText(&s.Scanner)
		return &types.AttributeValueMemberS{Value: v}, err
	case '0':
		v, err := s.Number()
		return &types.AttributeValueMemberN{Value: v}, err
	case 't', 'f':
		if s.Next(k) {
			return &types.AttributeValueMemberBOOL{Value: k == 't'}, nil
		}
	case 'n':
		if s.Next(k) {
			return &types.AttributeValueMemberNULL{Value: true}, nil
		}
	case '[':
		list, err := scanElements(s,
			func() (types.AttributeValue, error) { return scanPlain(s, depth+1) })
		return &types.AttributeValueMemberL{Value: list}, err
	case '{':
		m, err := scanPlainMembers(s, depth)
		return &types.AttributeValueMemberM{Value: m}, err
	}
	return nil, jsontext.ErrSyntax
}
