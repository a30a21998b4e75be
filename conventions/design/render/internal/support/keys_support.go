package support

import (
	"errors"
	"fmt"
	"math/big"
	"reflect"
	"strconv"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

type attributes = map[string]types.AttributeValue

// storable is an item of a model.
type storable interface{ Item() (attributes, error) }

// table is the name of a table in requests, and the attributes of its primary key.
type table struct {
	name string
	keys []string
}

// own returns the table of the package.
func own() table { return table{TableName, keyNames} }

// key returns the primary key of an item.
func (t table) key(item attributes) attributes {
	key := attributes{}
	for _, name := range t.keys {
		key[name] = item[name]
	}
	return key
}

// sameKey reports whether two items have the same primary key.
func (t table) sameKey(a, b attributes) bool { return reflect.DeepEqual(t.key(a), t.key(b)) }

// Key returns the primary key of an item.
func Key(item map[string]types.AttributeValue) map[string]types.AttributeValue {
	return own().key(item)
}

// Number is a number as DynamoDB has it: decimal digits, such as "12.5". "" is no number.
type Number string

// Int returns a whole number.
func Int(n int64) Number { return Number(strconv.FormatInt(n, 10)) }

// MarshalDynamoDBAttributeValue writes a number for package attributevalue.
func (n Number) MarshalDynamoDBAttributeValue() (types.AttributeValue, error) {
	if n == "" {
		return &types.AttributeValueMemberNULL{Value: true}, nil
	}
	return &types.AttributeValueMemberN{Value: string(n)}, nil
}

// UnmarshalDynamoDBAttributeValue reads a number for package attributevalue.
func (n *Number) UnmarshalDynamoDBAttributeValue(v types.AttributeValue) error {
	switch v := v.(type) {
	case *types.AttributeValueMemberN:
		*n = Number(v.Value)
	case *types.AttributeValueMemberNULL:
		*n = ""
	default:
		return fmt.Errorf("want a number, not a %T", v)
	}
	return nil
}

// part is a part of a key: a fixed text, or a value with its name.
type part struct {
	name, text string
	digits     int
}

func fixed(text string) part                       { return part{text: text} }
func value(name, text string) part                 { return part{name: name, text: text} }
func digits(name string, n Number, width int) part { return part{name, string(n), width} }

// scaled writes a number without its point, and from the lowest number on if it may be negative.
// One that the digits cannot hold stays as it is, for padded to refuse.
func scaled(name string, n Number, width, decimals int, negative bool) part {
	p := digits(name, n, width)
	if number, ok := new(big.Rat).SetString(string(n)); ok {
		number.Mul(number, new(big.Rat).SetInt(tenTo(decimals)))
		if negative {
			number.Add(number, lowest(width))
		}
		p.text = number.RatString()
	}
	return p
}

func tenTo(n int) *big.Int { return new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(n)), nil) }

// lowest returns how far below 0 the numbers of a width begin.
func lowest(width int) *big.Rat {
	return new(big.Rat).SetFrac(tenTo(width), big.NewInt(2))
}

// unscaled is a number that scaled has written, for split to read.
type unscaled struct {
	to              *Number
	width, decimals int
	negative        bool
}

func (u unscaled) read(text string) {
	n, ok := new(big.Rat).SetString(text)
	if !ok {
		return
	}
	if u.negative {
		n.Sub(n, lowest(u.width))
	}
	n.Quo(n, new(big.Rat).SetInt(tenTo(u.decimals)))
	digits, _ := n.FloatPrec()
	*u.to = Number(n.FloatString(digits))
}

// padded returns the text of a part. Numbers have zeros in front, so that they sort as numbers do.
func (p part) padded() (string, error) {
	if p.digits == 0 {
		return p.text, nil
	}
	if len(p.text) > p.digits || strings.Trim(p.text, "0123456789") != "" {
		return "", fmt.Errorf("%s is %s: only whole numbers of up to %d digits, not below 0, "+
			"can be part of a key", p.name, p.text, p.digits)
	}
	return strings.Repeat("0", p.digits-len(p.text)) + p.text, nil
}

// keys makes the values of keys, and remembers the first error.
type keys struct{ err error }

func (k *keys) fail(err error) {
	if k.err == nil {
		k.err = err
	}
}

// join returns the parts of a key as one string, or nil if a value is empty.
func (k *keys) join(parts ...part) types.AttributeValue {
	var b strings.Builder
	for i, p := range parts {
		if p.text == "" {
			return nil
		}
		text, err := p.padded()
		if err != nil {
			k.fail(err)
		}
		if p.name != "" && i+1 < len(parts) && strings.Contains(text, parts[i+1].text[:1]) {
			k.fail(fmt.Errorf("%s is %q: a value with %q cannot come before another part of a key",
				p.name, text, parts[i+1].text[:1]))
		}
		b.WriteString(text)
	}
	return text(b.String())
}

// need fails if a request has no value for a key.
func (k *keys) need(v types.AttributeValue) types.AttributeValue {
	if v == nil {
		k.fail(errors.New("a value of the request is empty"))
	}
	return v
}

// item removes what is empty, and fails if the item then has no primary key.
func (k *keys) item(item attributes) (attributes, error) {
	for name, v := range item {
		if v == nil {
			delete(item, name)
		}
	}
	for name, v := range Key(item) {
		if v == nil {
			k.fail(fmt.Errorf("the item has no %s", name))
		}
	}
	return item, k.err
}

func text(s string) types.AttributeValue {
	if s == "" {
		return nil
	}
	return &types.AttributeValueMemberS{Value: s}
}

func numeric(n Number) types.AttributeValue {
	if n == "" {
		return nil
	}
	return &types.AttributeValueMemberN{Value: string(n)}
}

func binary(b []byte) types.AttributeValue {
	if len(b) == 0 {
		return nil
	}
	return &types.AttributeValueMemberB{Value: b}
}

func boolean(b bool) types.AttributeValue { return &types.AttributeValueMemberBOOL{Value: b} }

func list(l []types.AttributeValue) types.AttributeValue {
	if l == nil {
		return nil
	}
	return &types.AttributeValueMemberL{Value: l}
}

func members(m attributes) types.AttributeValue {
	if m == nil {
		return nil
	}
	return &types.AttributeValueMemberM{Value: m}
}

func vector(v []float64) types.AttributeValue {
	if v == nil {
		return nil
	}
	return list(numbers(v))
}

func numbers(v []float64) []types.AttributeValue {
	l := make([]types.AttributeValue, len(v))
	for i, x := range v {
		l[i] = numeric(Number(strconv.FormatFloat(x, 'f', -1, 64)))
	}
	return l
}

// when returns the value of a key that only some items have.
func when(condition bool, v types.AttributeValue) types.AttributeValue {
	if !condition {
		return nil
	}
	return v
}

// beginning returns the beginning of a value. It fails if the text goes on into the next part of a
// key.
func (k *keys) beginning(name, text, next string) string {
	if strings.Contains(text, next) {
		k.fail(fmt.Errorf("%s is %q: it cannot have %q, which follows it in keys", name, text,
			next))
	}
	return text
}
