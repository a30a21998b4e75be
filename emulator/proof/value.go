package proof

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
)

// value writes a value in DynamoDB's JSON.
func value(v any) any { return json.RawMessage(appendValue(nil, v)) }

// appendItem appends an item in DynamoDB's JSON.
func appendItem(b []byte, item map[string]any) []byte {
	b = append(b, '{')
	for i, name := range slices.Sorted(maps.Keys(item)) {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(append(b, quote(name)...), ':')
		b = appendValue(b, item[name])
	}
	return append(b, '}')
}

// appendValue appends a value in DynamoDB's JSON.
func appendValue(b []byte, v any) []byte {
	switch v := v.(type) {
	case string:
		return append(append(append(b, `{"S":`...), quote(v)...), '}')
	case int64:
		return append(strconv.AppendInt(append(b, `{"N":"`...), v, 10), `"}`...)
	case float64:
		return append(strconv.AppendFloat(append(b, `{"N":"`...), v, 'f', -1, 64), `"}`...)
	case []byte:
		return append(base64.StdEncoding.AppendEncode(append(b, `{"B":"`...), v), `"}`...)
	case bool:
		return append(strconv.AppendBool(append(b, `{"BOOL":`...), v), '}')
	case []any:
		b = append(b, `{"L":[`...)
		for i := range v {
			if i > 0 {
				b = append(b, ',')
			}
			b = appendValue(b, v[i])
		}
		return append(b, "]}"...)
	case map[string]any:
		return append(appendItem(append(b, `{"M":`...), v), '}')
	}
	panic(fmt.Sprintf("proof: an attribute is a %T", v))
}

// quote writes a string in JSON.
func quote(s string) []byte {
	plain := func(c byte) bool { return ' ' <= c && c <= '~' && c != '"' && c != '\\' }
	for i := range len(s) {
		if !plain(s[i]) {
			quoted, _ := json.Marshal(s) // strings cannot fail
			return quoted
		}
	}
	return append(append([]byte{'"'}, s...), '"')
}
