package seed

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
)

// Client sends requests: an emulator.HTTPClient, whose access key and region are
// where seeds are loaded to and dumped from.
type Client interface {
	Do(*http.Request) (*http.Response, error)
}

// batchSize is how many items are written at a time (API Reference, BatchWriteItem).
const batchSize = 25

// Load creates the tables and writes the items. Tables that items are to be written
// to have to be there, or to be among those of the data; and they have to be ACTIVE
// at once, as they are without emulator.WithTableDelays. The first error ends it;
// what came before it stays.
func (d *Data) Load(c Client) error {
	for _, t := range d.tables {
		if _, err := call(c, "CreateTable", t.input); err != nil {
			return t.errorf("table %s: %w", t.table, err)
		}
	}
	for _, t := range d.ttls {
		in := object(map[string]any{"TableName": t.table, "TimeToLiveSpecification": json.RawMessage(t.spec)})
		if _, err := call(c, "UpdateTimeToLive", in); err != nil {
			return t.errorf("table %s: %w", t.table, err)
		}
	}
	for rest := d.writes; len(rest) > 0; {
		n := 0
		for n < len(rest) && n < batchSize && rest[n].request == nil {
			n++
		}
		batch := rest[:max(n, 1)]
		rest = rest[len(batch):]
		if n > 1 && loadBatch(c, batch) {
			continue
		}
		for i := range batch {
			if err := batch[i].load(c); err != nil {
				return batch[i].fail(err)
			}
		}
	}
	return nil
}

// loadBatch reports whether a batch was written. Otherwise its writes are to be
// made one by one, which finds what is wrong: it may also be that an item is
// there twice, which only a batch must not do.
func loadBatch(c Client, batch []write) bool {
	requests := map[string][]json.RawMessage{}
	for _, w := range batch {
		request := `{"PutRequest":{"Item":` + string(w.put) + `}}`
		if w.put == nil {
			request = `{"DeleteRequest":{"Key":` + string(w.remove) + `}}`
		}
		requests[w.table] = append(requests[w.table], json.RawMessage(request))
	}
	answer, err := call(c, "BatchWriteItem", object(map[string]any{"RequestItems": requests}))
	var left struct{ UnprocessedItems map[string]any }
	return err == nil && json.Unmarshal(answer, &left) == nil && len(left.UnprocessedItems) == 0
}

// load makes one write.
func (w *write) load(c Client) error {
	operation, in := "PutItem", w.request
	switch {
	case w.put != nil:
		in = object(map[string]any{"TableName": w.table, "Item": json.RawMessage(w.put)})
	case w.remove != nil:
		operation, in = "DeleteItem", object(map[string]any{"TableName": w.table, "Key": json.RawMessage(w.remove)})
	}
	_, err := call(c, operation, in)
	if err != nil && w.table != "" {
		return fmt.Errorf("table %s: %w", w.table, err)
	}
	return err
}

// call sends a request and returns the answer; the error is the service's.
func call(c Client, operation string, in []byte) ([]byte, error) {
	r, err := http.NewRequest(http.MethodPost, "http://kugiri/", bytes.NewReader(in))
	if err != nil {
		return nil, err
	}
	r.Header.Set("Content-Type", "application/x-amz-json-1.0")
	r.Header.Set("X-Amz-Target", "DynamoDB_20120810."+operation)
	answer, err := c.Do(r)
	if err != nil {
		return nil, err
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		return nil, err
	}
	if answer.StatusCode == http.StatusOK {
		return text, nil
	}
	return nil, serviceError(answer.Status, text)
}

// serviceError is the error that an answer is.
func serviceError(status string, text []byte) error {
	var fault struct {
		Type    string `json:"__type"`
		Message string `json:"message"` // or Message: names match whatever their case
	}
	if json.Unmarshal(text, &fault) != nil || fault.Type == "" {
		return errors.New(status)
	}
	if i := bytes.IndexByte([]byte(fault.Type), '#'); i >= 0 {
		fault.Type = fault.Type[i+1:]
	}
	return fmt.Errorf("%s: %s", fault.Type, fault.Message)
}
