package seed

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
)

// Client sends requests. An emulator.HTTPClient is one: its access key and region select the tables
// to load or dump.
type Client interface {
	Do(*http.Request) (*http.Response, error)
}

// batchSize is the largest number of writes in a BatchWriteItem request (API Reference,
// BatchWriteItem).
const batchSize = 25

// Load creates the tables and writes the items. The table of each item must exist or be among those
// of the data. New tables must be ACTIVE at once, as they are without emulator.WithTableDelays.
// Load stops at the first error and does not undo earlier writes.
func (d *Data) Load(c Client) error {
	for _, t := range d.tables {
		if _, err := call(c, "CreateTable", t.input); err != nil {
			return t.errorf("table %s: %w", t.table, err)
		}
	}
	for _, t := range d.ttls {
		in := object(map[string]any{
			"TableName": t.table, "TimeToLiveSpecification": json.RawMessage(t.spec),
		})
		if _, err := call(c, "UpdateTimeToLive", in); err != nil {
			return t.errorf("table %s: %w", t.table, err)
		}
	}
	for batch := range d.writes.batches() {
		if len(batch) > 1 && loadBatch(c, batch) {
			continue
		}
		for i := range batch {
			if err := batch[i].load(c); err != nil {
				return batch[i].place().fail(err)
			}
		}
	}
	return nil
}

// loadBatch reports whether a batch was written. If not, the caller makes its writes one by one.
// This finds the wrong one, or succeeds: items may occur twice in the data, but not in one batch.
func loadBatch(c Client, batch []write) bool {
	requests := map[string][]json.RawMessage{}
	for _, w := range batch {
		request := `{"PutRequest":{"Item":` + string(w.text()) + `}}`
		if w.kind == remove {
			request = `{"DeleteRequest":{"Key":` + string(w.text()) + `}}`
		}
		requests[w.table] = append(requests[w.table], json.RawMessage(request))
	}
	answer, err := call(c, "BatchWriteItem", object(map[string]any{"RequestItems": requests}))
	var left struct{ UnprocessedItems map[string]any }
	return err == nil && json.Unmarshal(answer, &left) == nil && len(left.UnprocessedItems) == 0
}

// load makes one write.
func (w *write) load(c Client) error {
	operation, in := "PutItem", w.text()
	switch w.kind {
	case put:
		in = object(map[string]any{"TableName": w.table, "Item": json.RawMessage(in)})
	case remove:
		operation, in = "DeleteItem", object(map[string]any{
			"TableName": w.table, "Key": json.RawMessage(in),
		})
	}
	_, err := call(c, operation, in)
	if err != nil && w.table != "" {
		return fmt.Errorf("table %s: %w", w.table, err)
	}
	return err
}

// call sends a request and returns the answer, or the service's error.
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

// serviceError returns the error in an answer.
func serviceError(status string, text []byte) error {
	var fault struct {
		Type    string `json:"__type"`
		Message string `json:"message"` // also Message: encoding/json ignores case
	}
	if json.Unmarshal(text, &fault) != nil || fault.Type == "" {
		return errors.New(status)
	}
	if i := bytes.IndexByte([]byte(fault.Type), '#'); i >= 0 {
		fault.Type = fault.Type[i+1:]
	}
	return fmt.Errorf("%s: %s", fault.Type, fault.Message)
}
