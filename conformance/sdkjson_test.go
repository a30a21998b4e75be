package conformance

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"reflect"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// invoke calls an operation of the SDK with a request in JSON. It returns the answer as a tree of
// encoding/json.
func invoke(ctx context.Context, client any, op, body string) (map[string]any, error) {
	method := reflect.ValueOf(client).MethodByName(op)
	if !method.IsValid() {
		return nil, fmt.Errorf("the SDK has no operation %s", op)
	}
	input := reflect.New(method.Type().In(1).Elem())
	if err := fill(input.Elem(), parseJSON(body)); err != nil {
		return nil, fmt.Errorf("%s %s: %w", op, body, err)
	}
	out := method.Call([]reflect.Value{reflect.ValueOf(ctx), input})
	if err, _ := out[1].Interface().(error); err != nil {
		return nil, err
	}
	answer, _ := tree(out[0]).(map[string]any)
	return answer, nil
}

// parseJSON parses the JSON of a case. Invalid JSON is a defect of the suite.
func parseJSON(text string) any {
	dec := json.NewDecoder(bytes.NewBufferString(text))
	dec.UseNumber()
	var v any
	if err := dec.Decode(&v); err != nil {
		panic(fmt.Sprintf("bad JSON in a case: %v: %s", err, text))
	}
	return v
}

// fill sets an SDK value from a JSON tree.
func fill(v reflect.Value, from any) error {
	switch v.Kind() {
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		return fill(v.Elem(), from)
	case reflect.Interface:
		value, err := attributeValue(from)
		if err == nil {
			v.Set(reflect.ValueOf(value))
		}
		return err
	case reflect.Struct:
		return fillStruct(v, from)
	case reflect.Slice:
		return fillSlice(v, from)
	case reflect.Map:
		return fillMap(v, from)
	}
	return fillScalar(v, from)
}

func fillScalar(v reflect.Value, from any) error {
	switch x := from.(type) {
	case string:
		if v.Kind() == reflect.String {
			v.SetString(x)
			return nil
		}
	case bool:
		if v.Kind() == reflect.Bool {
			v.SetBool(x)
			return nil
		}
	case json.Number:
		if v.CanInt() {
			n, err := x.Int64()
			v.SetInt(n)
			return err
		}
		if v.CanFloat() {
			n, err := x.Float64()
			v.SetFloat(n)
			return err
		}
	}
	return fmt.Errorf("cannot make a %s of %v", v.Type(), from)
}

func fillStruct(v reflect.Value, from any) error {
	if seconds, ok := from.(json.Number); ok && v.Type() == reflect.TypeFor[time.Time]() {
		n, err := seconds.Int64()
		v.Set(reflect.ValueOf(time.Unix(n, 0)))
		return err
	}
	members, ok := from.(map[string]any)
	if !ok {
		return fmt.Errorf("cannot make a %s of %v", v.Type(), from)
	}
	for name, member := range members {
		field := v.FieldByName(name)
		if !field.IsValid() {
			return fmt.Errorf("%s has no member %s", v.Type(), name)
		}
		if err := fill(field, member); err != nil {
			return err
		}
	}
	return nil
}

func fillSlice(v reflect.Value, from any) error {
	if text, ok := from.(string); ok && v.Type().Elem().Kind() == reflect.Uint8 {
		data, err := base64.StdEncoding.DecodeString(text)
		v.SetBytes(data)
		return err
	}
	elements, ok := from.([]any)
	if !ok {
		return fmt.Errorf("cannot make a %s of %v", v.Type(), from)
	}
	v.Set(reflect.MakeSlice(v.Type(), len(elements), len(elements)))
	for i, element := range elements {
		if err := fill(v.Index(i), element); err != nil {
			return err
		}
	}
	return nil
}

func fillMap(v reflect.Value, from any) error {
	members, ok := from.(map[string]any)
	if !ok {
		return fmt.Errorf("cannot make a %s of %v", v.Type(), from)
	}
	v.Set(reflect.MakeMap(v.Type()))
	for name, member := range members {
		element := reflect.New(v.Type().Elem()).Elem()
		if err := fill(element, member); err != nil {
			return err
		}
		v.SetMapIndex(reflect.ValueOf(name), element)
	}
	return nil
}

// attributeValue makes the SDK's union of a wire value such as {"S":"a"}.
func attributeValue(from any) (types.AttributeValue, error) {
	members, ok := from.(map[string]any)
	if !ok || len(members) != 1 {
		return nil, fmt.Errorf("not one attribute value: %v", from)
	}
	for name, member := range members {
		value, ok := map[string]types.AttributeValue{
			"S": &types.AttributeValueMemberS{}, "N": &types.AttributeValueMemberN{},
			"B":  &types.AttributeValueMemberB{},
			"SS": &types.AttributeValueMemberSS{}, "NS": &types.AttributeValueMemberNS{},
			"BS": &types.AttributeValueMemberBS{},
			"M":  &types.AttributeValueMemberM{}, "L": &types.AttributeValueMemberL{},
			"BOOL": &types.AttributeValueMemberBOOL{}, "NULL": &types.AttributeValueMemberNULL{},
		}[name]
		if !ok {
			return nil, fmt.Errorf("no attribute type %s", name)
		}
		return value, fill(reflect.ValueOf(value).Elem().FieldByName("Value"), member)
	}
	panic("unreachable")
}

// tree returns an SDK value as the JSON tree that it came from. It leaves absent members out.
func tree(v reflect.Value) any {
	switch v.Kind() {
	case reflect.Pointer:
		return tree(v.Elem())
	case reflect.Interface:
		value := v.Elem().Elem()
		return map[string]any{
			value.Type().Name()[len("AttributeValueMember"):]: tree(value.FieldByName("Value")),
		}
	case reflect.Struct:
		return structTree(v)
	case reflect.Map:
		members := map[string]any{}
		for _, key := range v.MapKeys() {
			members[key.String()] = tree(v.MapIndex(key))
		}
		return members
	case reflect.Slice:
		if v.Type().Elem().Kind() == reflect.Uint8 {
			return base64.StdEncoding.EncodeToString(v.Bytes())
		}
		elements := make([]any, v.Len())
		for i := range elements {
			elements[i] = tree(v.Index(i))
		}
		return elements
	case reflect.Int32, reflect.Int64:
		return json.Number(fmt.Sprint(v.Int()))
	case reflect.Float64:
		number, _ := json.Marshal(v.Float())
		return json.Number(number)
	case reflect.Bool:
		return v.Bool()
	}
	return v.String()
}

func structTree(v reflect.Value) any {
	if at, ok := v.Interface().(time.Time); ok {
		return json.Number(fmt.Sprint(at.Unix()))
	}
	members := map[string]any{}
	for i := range v.NumField() {
		field := v.Type().Field(i)
		if !field.IsExported() || field.Name == "ResultMetadata" || absent(v.Field(i)) {
			continue
		}
		members[field.Name] = tree(v.Field(i))
	}
	return members
}

func absent(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface, reflect.Slice, reflect.Map:
		return v.IsNil()
	case reflect.String:
		return v.String() == ""
	}
	return false
}
