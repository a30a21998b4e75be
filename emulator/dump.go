package emulator

import (
	"bufio"
	"slices"
	"strconv"
	"strings"

	"github.com/kugiri-db/kugiri/emulator/internal/keys"
	"github.com/kugiri-db/kugiri/storage"
	"github.com/kugiri-db/kugiri/storage/item"
)

// sortByKey sorts items by the texts of their keys, which order as the key attributes do.
func sortByKey(items []item.Item, key *storage.KeySchema) {
	type keyed struct {
		text string
		item item.Item
	}
	all := make([]keyed, len(items))
	for i, it := range items {
		k, _ := key.Encode(it)
		all[i] = keyed{k.Text, it}
	}
	slices.SortFunc(all, func(a, b keyed) int { return strings.Compare(a.text, b.text) })
	for i := range all {
		items[i] = all[i].item
	}
}

func dumpItem(w *bufio.Writer, key *storage.KeySchema, it item.Item) {
	for _, attributes := range [...][]storage.KeyAttribute{key.Hash, key.Range} {
		for _, a := range attributes {
			w.WriteString(dumpName(a.Name) + ": ")
			dumpValue(w, it.Get(a.Name))
			w.WriteByte('\n')
		}
	}
	for name, v := range it.All() {
		if !keys.IsAttribute(key, name) {
			w.WriteString("  " + dumpName(name) + ": ")
			dumpValue(w, v)
			w.WriteByte('\n')
		}
	}
}

// dumpName quotes a name that could be mistaken.
func dumpName(name string) string {
	plain := name != "" &&
		strings.Trim(name,
			"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.#$@") == ""
	if plain {
		return name
	}
	return strconv.Quote(name)
}

func dumpValue(w *bufio.Writer, v item.Value) {
	switch v.Type() {
	case item.S:
		w.WriteString(strconv.Quote(v.Str()))
	case item.N:
		w.WriteString(v.Num())
	case item.B:
		w.WriteString(`b"` + v.Base64() + `"`)
	case item.BOOL:
		w.WriteString(strconv.FormatBool(v.Bool()))
	case item.NULL:
		w.WriteString("null")
	case item.L:
		dumpList(w, "[", v, "]")
	case item.SS, item.NS, item.BS:
		dumpList(w, "<<", v, ">>")
	case item.M:
		dumpMap(w, v)
	}
}

func dumpList(w *bufio.Writer, before string, v item.Value, after string) {
	w.WriteString(before)
	separator := ""
	for elem := range v.Elems() {
		w.WriteString(separator)
		dumpValue(w, elem)
		separator = ", "
	}
	w.WriteString(after)
}

func dumpMap(w *bufio.Writer, v item.Value) {
	w.WriteByte('{')
	separator := ""
	for name, field := range v.Fields() {
		w.WriteString(separator + dumpName(name) + ": ")
		dumpValue(w, field)
		separator = ", "
	}
	w.WriteByte('}')
}
