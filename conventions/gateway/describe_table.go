package gateway

import (
	"bytes"
	"encoding/json"
	"hash/crc32"
	"io"
	"net/http"
	"strconv"

	"github.com/kugiri-db/kugiri/conventions/policy/request"
)

// describesTable is the operation whose answer counts the items of all tenants.
const describesTable = "DescribeTable"

// hideCounts sets to 0 what the description of a table tells of the number and the size of items,
// unless its caller may be told.
func (g *Gateway) hideCounts(r *http.Response, by request.Caller) error {
	body, err := io.ReadAll(io.LimitReader(r.Body, maxBody))
	if err != nil {
		return err
	}
	_ = r.Body.Close()
	if body, err = g.withoutCounts(body, by); err != nil {
		return err
	}
	r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
	r.Header.Set("Content-Length", strconv.Itoa(len(body)))
	r.Header.Set("X-Amz-Crc32", strconv.FormatUint(uint64(crc32.ChecksumIEEE(body)), 10))
	return nil
}

func (g *Gateway) withoutCounts(body []byte, by request.Caller) ([]byte, error) {
	decoder := json.NewDecoder(bytes.NewReader(body))
	decoder.UseNumber() // times keep their digits
	var answer map[string]any
	if err := decoder.Decode(&answer); err != nil {
		return nil, err
	}
	table, _ := answer["Table"].(map[string]any)
	if name, _ := table["TableName"].(string); g.config.Policy.ShowsCounts(by, name) {
		return body, nil
	}
	hideIn(table)
	for _, kind := range [...]string{"GlobalSecondaryIndexes", "LocalSecondaryIndexes",
		"VectorIndexes"} {
		indexes, _ := table[kind].([]any)
		for _, x := range indexes {
			index, _ := x.(map[string]any)
			hideIn(index)
		}
	}
	return json.Marshal(answer)
}

func hideIn(description map[string]any) {
	for _, name := range [...]string{"ItemCount", "TableSizeBytes", "IndexSizeBytes"} {
		if _, has := description[name]; has {
			description[name] = 0
		}
	}
}
