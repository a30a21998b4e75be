package expr

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/storage/item"
	"github.com/kugiri-db/kugiri/storage/item/jsontext"
)

// newItem reads an attribute map in wire form; "" gives "".
func newItem(t testing.TB, text string) item.Item {
	t.Helper()
	if text == "" {
		return ""
	}
	s := jsontext.NewScanner(text)
	attrs, err := item.ParseAttributes(&s)
	require.NoError(t, err, text)
	require.Nil(t, attrs.Invalid, text)
	require.NoError(t, s.End(), text)
	return attrs.Item
}

// newValue reads an attribute value in wire form; "" gives "".
func newValue(t testing.TB, text string) item.Value {
	t.Helper()
	if text == "" {
		return ""
	}
	return newItem(t, `{"v":`+text+`}`).Get("v")
}

// newScope reads names ("#a=b #c=d") and values in wire form.
func newScope(t testing.TB, names, values string) *Scope {
	t.Helper()
	var ns []Name
	for _, pair := range strings.Fields(names) {
		placeholder, attribute, _ := strings.Cut(pair, "=")
		ns = append(ns, Name{placeholder, attribute})
	}
	s, err := NewScope(ns, newItem(t, values))
	require.NoError(t, err)
	return s
}

// requireError requires an error with the text, or none for "".
func requireError(t testing.TB, want string, err error) {
	t.Helper()
	if want == "" {
		require.NoError(t, err)
		return
	}
	require.EqualError(t, err, want)
	require.IsType(t, Error(""), err)
}
