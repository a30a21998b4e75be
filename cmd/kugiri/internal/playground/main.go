//go:build js && wasm

// Command playground is a Kugiri with its console for a page: it runs in the browser, and nothing
// leaves it. conformance/cmd/playground makes the page.
//
// It gives the page an object kugiri with two functions. request(method, path, headers, body) takes
// an object of headers and a Uint8Array, and returns a promise of {status, headers, body}.
// begin(policy) throws all data away, and begins again with the sample tables and with a policy, ""
// for none. It returns a promise of nothing, or of the text of what is wrong with the policy.
package main

import (
	"bytes"
	_ "embed"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"syscall/js"

	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/console"
	"github.com/kugiri-db/kugiri/conventions/policy/policyfile"
	"github.com/kugiri-db/kugiri/emulator"
	"github.com/kugiri-db/kugiri/emulator/admin"
	"github.com/kugiri-db/kugiri/emulator/seed"
)

// sample holds the tables that the page begins with.
//
//go:embed sample.json
var sample []byte

// Who has the sample tables.
const (
	accessKey = "test"
	region    = "us-east-1"
)

// handler answers the page: the current emulator.
var handler atomic.Pointer[http.Handler]

func main() {
	if err := begin(""); err != nil {
		panic(err) // the sample is part of the program
	}
	js.Global().Set("kugiri", js.ValueOf(map[string]any{
		"request": promised(
			func(args []js.Value) any {
				return request(args[0].String(), args[1].String(), args[2], args[3])
			}),
		"begin": promised(func(args []js.Value) any {
			if err := begin(args[0].String()); err != nil {
				return err.Error()
			}
			return nil
		}),
	}))
	select {}
}

// begin makes an emulator with the sample tables and a policy.
func begin(policy string) error {
	data, err := seed.Read("sample.json", bytes.NewReader(sample))
	if err != nil {
		return err
	}
	seeded := emulator.New()
	if err := data.Load(seeded.HTTPClient(accessKey, region)); err != nil {
		return err
	}
	var entities []console.Entity
	opts := []emulator.Option{emulator.WithInitialData(seeded, accessKey, region),
		emulator.WithSharedData()}
	if policy != "" {
		engine, err := policyfile.Compile([]byte(policy))
		if err != nil {
			return err
		}
		parsed, err := policyfile.Parse([]byte(policy))
		if err != nil {
			return err
		}
		entities = console.Entities(parsed)
		opts = append(opts, emulator.WithPolicy(engine))
	}
	opts = append(opts, emulator.WithRoute(console.Path, func(e *emulator.Emulator) http.Handler {
		return console.Handler(console.Local(e, "playground", entities),
			func(h http.Handler) http.Handler { return h })
	}), admin.Enable(admin.Options{}))
	h := emulator.New(opts...).Handler()
	handler.Store(&h)
	return nil
}

// request sends a request of the page to the emulator, and returns the answer.
func request(method, path string, headers, body js.Value) any {
	content := make([]byte, body.Length())
	js.CopyBytesToGo(content, body)
	r := httptest.NewRequest(method, path, bytes.NewReader(content))
	r.Host, r.RemoteAddr = "localhost", "127.0.0.1:1"
	entries := js.Global().Get("Object").Call("entries", headers)
	for i := range entries.Length() {
		r.Header.Set(entries.Index(i).Index(0).String(), entries.Index(i).Index(1).String())
	}
	w := httptest.NewRecorder()
	(*handler.Load()).ServeHTTP(w, r)
	answered := map[string]any{}
	for name := range w.Header() {
		answered[name] = w.Header().Get(name)
	}
	answer := js.Global().Get("Uint8Array").New(w.Body.Len())
	js.CopyBytesToJS(answer, w.Body.Bytes())
	return map[string]any{"status": w.Code, "headers": answered, "body": answer}
}

// promised returns a function for the page that returns a promise of what f returns.
func promised(f func(args []js.Value) any) js.Func {
	return js.FuncOf(func(_ js.Value, args []js.Value) any {
		return js.Global().Get("Promise").New(js.FuncOf(func(_ js.Value, settle []js.Value) any {
			go settle[0].Invoke(f(args))
			return nil
		}))
	})
}
