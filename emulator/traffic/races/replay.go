package races

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"

	"github.com/kugiri-db/kugiri/conventions/catalog"
	"github.com/kugiri-db/kugiri/emulator"
	"github.com/kugiri-db/kugiri/storage/item"
	"github.com/kugiri-db/kugiri/storage/item/jsontext"
)

// keyPart is an attribute of a table's key.
type keyPart struct{ name, kind string }

// template is an emulator with the tables of a recording, and no items.
type template struct {
	base *emulator.Emulator
}

// newTemplate makes the tables.
func newTemplate(tables map[string][]keyPart) (*template, error) {
	s := &template{emulator.New()}
	for table, key := range tables {
		var attributes, schema []map[string]string
		for i, part := range key {
			attributes = append(attributes,
				map[string]string{"AttributeName": part.name, "AttributeType": part.kind})
			schema = append(schema, map[string]string{
				"AttributeName": part.name, "KeyType": [...]string{"HASH", "RANGE"}[i],
			})
		}
		body, err := json.Marshal(map[string]any{
			"TableName": table, "BillingMode": "PAY_PER_REQUEST",
			"AttributeDefinitions": attributes, "KeySchema": schema,
		})
		if err != nil {
			return nil, err
		}
		if status, answer := (play{s.base}).send("CreateTable", body); status != http.StatusOK {
			return nil, fmt.Errorf("races: the table %s cannot be made: %s", table, answer)
		}
	}
	return s, nil
}

// play is one replay, on a fork.
type play struct{ e *emulator.Emulator }

// fork returns a replay on a fork of its own.
func (s *template) fork() play { return play{s.base.Fork()} }

// send sends a request, and returns its status, 0 for none, and the answer.
func (p play) send(operation string, body []byte) (status int, answer string) {
	r, err := http.NewRequest(http.MethodPost, "http://kugiri/", bytes.NewReader(body))
	if err != nil {
		return 0, err.Error()
	}
	r.Header.Set("Content-Type", "application/x-amz-json-1.0")
	named, _ := catalog.Named(operation)
	r.Header.Set("X-Amz-Target", named.Target())
	got, err := p.e.HTTPClient(account, region).Do(r)
	if err != nil {
		return 0, err.Error()
	}
	text, err := io.ReadAll(got.Body)
	_ = got.Body.Close()
	if err != nil {
		return 0, err.Error()
	}
	return got.StatusCode, string(text)
}

const account, region = "races", "us-east-1"

// put puts an item, as it was read.
func (p play) put(table string, it item.Item) {
	name, _ := json.Marshal(table) // a string always has a form in JSON
	p.send("PutItem", []byte(`{"TableName":`+string(name)+`,"Item":`+string(it.JSON())+`}`))
}

// item returns an item, "" for none.
func (p play) item(table string, key item.Item) item.Item {
	found, err := p.e.Item(account, region, table, key)
	if err != nil {
		return ""
	}
	return found
}

// withoutToken returns the body of a request without its token, as another worker would send it.
func withoutToken(body json.RawMessage) json.RawMessage {
	if !strings.Contains(string(body), `"ClientRequestToken"`) {
		return body
	}
	var members map[string]json.RawMessage
	if json.Unmarshal(body, &members) != nil {
		return body
	}
	delete(members, "ClientRequestToken")
	if text, err := json.Marshal(members); err == nil {
		return text
	}
	return body
}

// itemOf reads an item of an answer or a key. It returns "" for any other text.
func itemOf(text json.RawMessage) item.Item {
	var members map[string]json.RawMessage
	if json.Unmarshal(text, &members) != nil || members == nil {
		return ""
	}
	var list []item.Attribute
	for name, raw := range members {
		s := jsontext.NewScanner(string(raw))
		v, invalid, err := item.ParseValue(&s)
		if err != nil || invalid != nil {
			return ""
		}
		list = append(list, item.Attribute{Name: name, Value: v})
	}
	return item.New(list...)
}
