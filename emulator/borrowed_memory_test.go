package emulator

import (
	"net/http/httptest"
	"reflect"
	"strings"
	"sync/atomic"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/assert"

	"github.com/kugiri-db/kugiri/emulator/internal/httpd"
)

// TestNothingBorrowedIsKept: after a request nothing that the service holds is a part of its body,
// whose memory the next request reuses. It looks at all that an Emulator leads to, except for the
// variables of closures.
func TestNothingBorrowedIsKept(t *testing.T) {
	x := newItemTest(t)
	x.emulator.Observe(func(*Event) {})
	for _, c := range eventCases {
		r := httptest.NewRequest("POST", "/", strings.NewReader(c.body))
		r.Header.Set("X-Amz-Target", "DynamoDB_20120810."+c.operation)
		r.Header.Set("Authorization", "AWS4-HMAC-SHA256 "+
			"Credential=AKIDEXAMPLE/20260101/us-east-1/dynamodb/aws4_request, "+
			"SignedHeaders=host;x-amz-date, Signature=0")
		r.Header.Set("X-Amz-Date", "20260101T000000Z")
		received := &httpd.Request{Body: make([]byte, 0, len(c.body)+100)}
		ev := x.emulator.observers.Begin(r, x.emulator.Now)
		body, err := x.emulator.front.Call(r, received, nil, ev)
		assert.NoError(t, err, "%s %s", c.body, body)
		x.emulator.front.Tell(ev, nil)
		memory := received.Body[:cap(received.Body)]
		assert.Empty(t, keptOf(x.emulator, memory), "%s %s", c.operation, c.body)
	}
}

// keptOf returns where strings and bytes in a memory are, of all that a value leads to.
func keptOf(of any, memory []byte) []string {
	k := keeping{from: uintptr(unsafe.Pointer(unsafe.SliceData(memory))), seen: map[any]bool{}}
	k.to = k.from + uintptr(len(memory))
	k.walk("", reflect.ValueOf(of))
	return k.found
}

type keeping struct {
	from, to uintptr
	seen     map[any]bool
	found    []string
}

func (k *keeping) check(path string, at uintptr, text string) {
	if at >= k.from && at < k.to && text != "" {
		k.found = append(k.found, path+": "+text)
	}
}

// walk visits a value and all that it leads to, each pointer and map once.
func (k *keeping) walk(path string, v reflect.Value) {
	switch v.Kind() {
	case reflect.String:
		k.check(path, uintptr(unsafe.Pointer(unsafe.StringData(v.String()))), v.String())
	case reflect.Pointer, reflect.Map:
		key := [2]any{v.Pointer(), v.Type()}
		if v.IsNil() || k.seen[key] {
			return
		}
		k.seen[key] = true
		if v.Kind() == reflect.Pointer {
			k.walk(path, v.Elem())
			return
		}
		for i := v.MapRange(); i.Next(); {
			k.walk(path+"[key]", i.Key())
			k.walk(path+"[]", i.Value())
		}
	case reflect.Interface:
		k.walk(path, v.Elem())
	case reflect.Slice:
		if v.Type().Elem().Kind() == reflect.Uint8 {
			k.check(path, v.Pointer(), string(v.Bytes()))
			return
		}
		fallthrough
	case reflect.Array:
		for i := range v.Len() {
			k.walk(path+"[]", v.Index(i))
		}
	case reflect.Struct:
		k.structure(path, v)
	}
}

func (k *keeping) structure(path string, v reflect.Value) {
	switch of := v.Type(); {
	case of.PkgPath() == "sync" && of.Name() == "Pool": // what nobody uses
	case of.PkgPath() == "sync/atomic" && strings.HasPrefix(of.Name(), "Pointer[") && v.CanAddr():
		load := reflect.NewAt(of, unsafe.Pointer(v.UnsafeAddr())).MethodByName("Load")
		k.walk(path, load.Call(nil)[0])
	default:
		for i := range v.NumField() {
			k.walk(path+"."+of.Field(i).Name, v.Field(i))
		}
	}
}

// TestKeptOf: the walk finds what is kept, wherever it is.
func TestKeptOf(t *testing.T) {
	memory := []byte("borrowed")
	text := unsafe.String(unsafe.SliceData(memory), len(memory))
	var pointed atomic.Pointer[string]
	pointed.Store(&text)
	for _, c := range []struct {
		name string
		of   any
		want []string
	}{
		{"a field", &struct{ name string }{text}, []string{".name: borrowed"}},
		{"a part of it", &struct{ name string }{text[2:5]}, []string{".name: rro"}},
		{"a value of a map", map[string]any{"a": text}, []string{"[]: borrowed"}},
		{"a key of a map", map[string]int{text: 1}, []string{"[key]: borrowed"}},
		{"a list of pointers", []*string{&text}, []string{"[]: borrowed"}},
		{"bytes", &struct{ b []byte }{memory}, []string{".b: borrowed"}},
		{"an atomic pointer", &struct{ p *atomic.Pointer[string] }{&pointed},
			[]string{".p: borrowed"}},
		{"a copy", &struct{ name string }{strings.Clone(text)}, nil},
	} {
		t.Run(c.name, func(t *testing.T) { assert.Equal(t, c.want, keptOf(c.of, memory)) })
	}
}
