package emulator

import (
	"fmt"
	"net/http/httptest"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/assert"

	"github.com/kugiri-db/kugiri/emulator/internal/httpd"
)

// TestCloneIsItsOwn: what a clone says stays as it is when the memory of the request
// and that of the event are used again, and none of it lies there.
func TestCloneIsItsOwn(t *testing.T) {
	x := newItemTest(t)
	x.emulator.Observe(func(*Event) {})
	named := eventCases[0]
	named.operation = "Query"
	named.body =
		`{"TableName":"ranged","KeyConditionExpression":"#p = :p","FilterExpression":"#x = :p","ExpressionAttributeNames":{"#p":"pk","#x":"a name"},"ExpressionAttributeValues":{":p":{"S":"a"}}}`
	legacy := named
	legacy.body =
		`{"TableName":"ranged","KeyConditions":{"pk":{"ComparisonOperator":"EQ","AttributeValueList":[{"S":"a"}]}},"QueryFilter":{"a name":{"ComparisonOperator":"NULL"}}}`
	for i, c := range append(slices.Clone(eventCases), named, legacy) {
		r := httptest.NewRequest("POST", "/", strings.NewReader(c.body))
		r.Header.Set("X-Amz-Target", "DynamoDB_20120810."+c.operation)
		r.Header.Set("Authorization",
			"AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20260101/us-east-1/dynamodb/aws4_request, SignedHeaders=host;x-amz-date, Signature=0")
		r.Header.Set("X-Amz-Date", "20260101T000000Z")
		received := &httpd.Request{Body: make([]byte, 0, len(c.body)+100)}
		ev := x.emulator.observers.Begin(r, x.emulator.Now)
		body, err := x.emulator.front.Call(r, received, nil, ev)
		assert.NoError(t, err, "%d %s", i, body)

		shown := new(Event)
		shown.show(&ev.Event)
		clone := shown.Clone()
		again := clone.Clone()
		said, items := eventText(shown), shown.Items()
		assert.Equal(t, said, eventText(clone))
		memory := [][]byte{received.Body[:cap(received.Body)], received.Decoded.Reset()}
		for _, b := range memory {
			for n := range b {
				b[n] = '?'
			}
		}
		for n := range ev.Tables {
			ev.Tables[n] = "another"
		}
		x.emulator.front.Tell(ev, nil) // clears it
		name := fmt.Sprintf("%d %s: %s", i, c.operation, c.body)
		assert.Equal(t, said, eventText(clone), name)
		assert.Equal(t, said, eventText(again), name)
		assert.Equal(t, items, again.Items(), name)
		for _, b := range memory {
			assert.Empty(t, stringsWithin(reflect.ValueOf(clone), b), name)
		}
		assert.Empty(t, pointersOf(reflect.ValueOf(clone)),
			"%s: what a request or a table has may change", name)
	}
}

// stringsWithin are the strings that a value holds, at any depth, in the memory of b.
func stringsWithin(v reflect.Value, b []byte) (found []string) {
	walk(v, func(v reflect.Value) {
		if v.Kind() != reflect.String || v.Len() == 0 {
			return
		}
		at, from := uintptr(unsafe.Pointer(unsafe.StringData(v.String()))), uintptr(
			unsafe.Pointer(unsafe.SliceData(b)))
		if at >= from && at < from+uintptr(len(b)) {
			found = append(found, v.String())
		}
	})
	return found
}

// pointersOf are the types of the pointers, functions and maps within an event, but that of its
// time to a location.
func pointersOf(event reflect.Value) (found []string) {
	walk(event.Elem(), func(v reflect.Value) {
		if slices.Contains(
			[]reflect.Kind{reflect.Pointer, reflect.Func, reflect.Map, reflect.Interface},
			v.Kind()) && !v.IsNil() {
			found = append(found, v.Type().String())
		}
	})
	return slices.DeleteFunc(found, func(name string) bool { return name == "*time.Location" })
}

// walk visits a value and all that it holds.
func walk(v reflect.Value, visit func(reflect.Value)) {
	visit(v)
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() && v.Type().String() != "*time.Location" {
			walk(v.Elem(), visit)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			walk(v.Field(i), visit)
		}
	case reflect.Slice:
		for i := range v.Len() {
			walk(v.Index(i), visit)
		}
	}
}
