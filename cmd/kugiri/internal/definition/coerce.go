package definition

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"strconv"
)

// coercer stores values of templates in structures. Templates may write numbers and booleans as
// strings, and the other way round.
type coercer struct {
	*reader
	named func(field string) string // returns the member of a field
	shown bool                      // a tool has shown it, which also shows what is not set
}

// store stores a value. It notes members that no field has, and values of another type.
func (c *coercer) store(at place, value any, to reflect.Value) {
	switch {
	case value == nil:
	case to.Kind() == reflect.Pointer:
		to.Set(reflect.New(to.Type().Elem()))
		c.store(at, value, to.Elem())
	case to.Kind() == reflect.Interface:
		to.Set(reflect.ValueOf(value))
	case to.Kind() == reflect.Slice:
		c.storeList(at, value, to)
	case to.Kind() == reflect.Struct:
		c.storeMembers(at, value, to)
	default:
		if err := storeScalar(value, to); err != nil {
			c.note(at, "%v", err)
		}
	}
}

func (c *coercer) storeList(at place, value any, to reflect.Value) {
	list, ok := value.([]any)
	if !ok {
		list = []any{value} // templates of one element may leave the list out
	}
	for i, element := range list {
		if element == nil {
			continue
		}
		into := reflect.New(to.Type().Elem()).Elem()
		c.store(c.lines.element(at, list, i), element, into)
		to.Set(reflect.Append(to, into))
	}
}

func (c *coercer) storeMembers(at place, value any, to reflect.Value) {
	members, ok := value.(map[string]any)
	if !ok {
		c.note(at, "want an object, not %v", value)
		return
	}
	known := map[string]int{}
	for i := range to.NumField() {
		if field := to.Type().Field(i); field.IsExported() {
			known[c.named(field.Name)] = i
		}
	}
	for _, name := range sortedKeys(members) {
		if i, ok := known[name]; ok {
			c.store(c.lines.member(at, members, name), members[name], to.Field(i))
		} else if !c.shown || !unset(members[name]) {
			c.note(c.lines.member(at, members, name), "is not read")
		}
	}
}

// unset reports whether a value is one that tools write for what is not set.
func unset(value any) bool {
	list, isList := value.([]any)
	return value == nil || value == "" || value == false || isList && len(list) == 0
}

// storeScalar stores a string, a number or a boolean.
func storeScalar(value any, to reflect.Value) error {
	text, err := scalarText(value)
	if err != nil {
		return err
	}
	switch to.Kind() {
	case reflect.String:
		to.SetString(text)
	case reflect.Bool:
		b, err := strconv.ParseBool(text)
		if err != nil {
			return fmt.Errorf("want true or false, not %q", text)
		}
		to.SetBool(b)
	case reflect.Float64:
		f, err := strconv.ParseFloat(text, 64)
		if err != nil {
			return fmt.Errorf("want a number, not %q", text)
		}
		to.SetFloat(f)
	case reflect.Int32, reflect.Int64:
		n, err := strconv.ParseInt(text, 10, to.Type().Bits())
		if err != nil {
			return fmt.Errorf("want a number, not %q", text)
		}
		to.SetInt(n)
	default:
		return fmt.Errorf("is not read")
	}
	return nil
}

// scalarText returns a string, a number or a boolean as a text.
func scalarText(value any) (string, error) {
	switch v := value.(type) {
	case string:
		return v, nil
	case bool:
		return strconv.FormatBool(v), nil
	case int:
		return strconv.Itoa(v), nil
	case int64:
		return strconv.FormatInt(v, 10), nil
	case float64:
		if v == math.Trunc(v) && math.Abs(v) < 1<<53 {
			return strconv.FormatInt(int64(v), 10), nil
		}
		return strconv.FormatFloat(v, 'g', -1, 64), nil
	}
	return "", errors.New("want a text, not a list or an object")
}
