package permit

import (
	"reflect"

	"github.com/kugiri-db/kugiri/conventions/api"
	"github.com/kugiri-db/kugiri/storage/item"
)

// The members of inputs have the same names in all operations. The functions of this file read
// them from any structure that has them.

// textIn returns a string member, "" if it is absent or the structure has no such member.
func textIn(v reflect.Value, name string) string {
	f := v.FieldByName(name)
	if f.IsValid() && f.Kind() == reflect.Pointer {
		f = f.Elem()
	}
	if !f.IsValid() || f.Kind() != reflect.String {
		return ""
	}
	return f.String()
}

// structIn returns a structure that a pointer member names, or the zero Value.
func structIn(v reflect.Value, name string) reflect.Value {
	f := v.FieldByName(name)
	if !f.IsValid() || f.Kind() != reflect.Pointer || f.IsNil() {
		return reflect.Value{}
	}
	return f.Elem()
}

// itemsIn returns the items of a structure: its Item, its Key, or its Keys.
func itemsIn(v reflect.Value) (items []item.Item) {
	for _, name := range [...]string{"Item", "Key"} {
		if f := v.FieldByName(name); f.IsValid() {
			if a, ok := f.Interface().(item.Attributes); ok && a.Item != "" {
				items = append(items, a.Item)
			}
		}
	}
	if f := v.FieldByName("Keys"); f.IsValid() {
		if list, ok := f.Interface().(api.KeyList); ok {
			for i := range list {
				items = append(items, list[i].Item)
			}
		}
	}
	return items
}

// paramsIn returns the valid parameters of a statement.
func paramsIn(v reflect.Value) (values []item.Value) {
	list, _ := v.FieldByName("Parameters").Interface().(api.PreparedStatementParameters)
	for i := range list {
		values = append(values, list[i].Value)
	}
	return values
}

// keysIn returns the keys of a map member, such as Expected.
func keysIn(v reflect.Value, name string) (names []string) {
	f := v.FieldByName(name)
	if !f.IsValid() || f.Kind() != reflect.Slice {
		return nil
	}
	for i := range f.Len() {
		if key := f.Index(i).FieldByName("Key"); key.IsValid() {
			names = append(names, key.String())
		}
	}
	return names
}

// stringsIn returns a member that is a list of strings.
func stringsIn(v reflect.Value, name string) (list []string) {
	f := v.FieldByName(name)
	if !f.IsValid() || f.Kind() != reflect.Slice || f.Type().Elem().Kind() != reflect.String {
		return nil
	}
	for i := range f.Len() {
		list = append(list, f.Index(i).String())
	}
	return list
}

// tagsIn returns the tags of a request.
func tagsIn(v reflect.Value) []api.Tag {
	if f := v.FieldByName("Tags"); f.IsValid() {
		tags, _ := f.Interface().([]api.Tag)
		return tags
	}
	return nil
}

// namesIn returns ExpressionAttributeNames.
func namesIn(v reflect.Value) api.Map[api.AttributeName] {
	if f := v.FieldByName("ExpressionAttributeNames"); f.IsValid() {
		names, _ := f.Interface().(api.Map[api.AttributeName])
		return names
	}
	return nil
}
