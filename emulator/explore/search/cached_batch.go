package search

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"net/http"

	"github.com/kugiri-db/kugiri/conventions/policy/request"
	"github.com/kugiri-db/kugiri/storage/item"
	"github.com/kugiri-db/kugiri/storage/item/jsontext"
)

// batch is the answer of a BatchGetItem that was asked in parts.
type batch struct {
	answer map[string]any // the members of a part's answer besides the items
	items  map[string][]json.RawMessage
}

// add adds the answer of a part. That of a cache consumes nothing, and leaves nothing unprocessed.
func (b *batch) add(part *http.Response, cached bool) error {
	text, err := io.ReadAll(part.Body)
	part.Body.Close()
	var found struct{ Responses map[string][]json.RawMessage }
	var all map[string]any
	err = errors.Join(err, json.Unmarshal(text, &found), json.Unmarshal(text, &all))
	if err != nil {
		return err
	}
	if b.items == nil {
		b.items = map[string][]json.RawMessage{}
	}
	for table, list := range found.Responses {
		b.items[table] = append(b.items[table], list...)
	}
	if b.answer == nil || !cached {
		b.answer = all
	}
	return nil
}

// response is the answer, without the checksum that it has as a whole.
func (b *batch) response() *http.Response {
	b.answer["Responses"] = b.items
	text := mustJSON(b.answer)
	return &http.Response{
		Status: "200 OK", StatusCode: http.StatusOK,
		Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header:        http.Header{"Content-Type": {"application/x-amz-json-1.0"}},
		Body:          io.NopCloser(bytes.NewReader(text)),
		ContentLength: int64(len(text)),
	}
}

// narrowed is the body of a BatchGetItem with some of its keys.
func narrowed(schemas map[string]request.KeySchema, st *step, has func(*touch) bool) []byte {
	var in map[string]any
	var tables struct {
		RequestItems map[string]map[string]json.RawMessage
	}
	if json.Unmarshal(st.body, &in) != nil || json.Unmarshal(st.body, &tables) != nil {
		return st.body
	}
	for name, of := range maps.Clone(tables.RequestItems) {
		var keys, some []json.RawMessage
		if json.Unmarshal(of["Keys"], &keys) != nil {
			return st.body
		}
		for _, key := range keys {
			s := jsontext.NewScanner(string(key))
			it, err := item.ParseAttributes(&s)
			if err != nil {
				return st.body
			}
			x := st.print.touchOf(name, keyOf(schemas[name], it.Item))
			if x != nil && has(x) {
				some = append(some, key)
			}
		}
		if len(some) == 0 {
			delete(tables.RequestItems, name)
			continue
		}
		of["Keys"] = mustJSON(some)
	}
	in["RequestItems"] = tables.RequestItems
	return mustJSON(in)
}

// mustJSON is for values that were JSON before.
func mustJSON(v any) []byte {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return text
}
