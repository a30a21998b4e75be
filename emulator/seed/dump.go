package seed

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
)

// Dump writes all tables that a client sees into a directory, as files that ReadFiles reads. It
// makes the directory if it does not exist, and overwrites existing files. For a table users,
// users.json holds the output of describe-table, users.items.json that of scan with one item on
// each line, and users.ttl.json that of describe-time-to-live if TTL is enabled. To get all tables
// as of one moment while others write to them, use a client of an Emulator.Fork.
func Dump(c Client, dir string) error {
	tables, err := tablesOf(c)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	for _, t := range tables {
		files, err := t.files()
		if err != nil {
			return fmt.Errorf("table %s: %w", t.name, err)
		}
		for suffix, text := range files {
			if err := os.WriteFile(filepath.Join(dir, t.name+suffix), text, 0o666); err != nil {
				return err
			}
		}
	}
	return nil
}

// dumped is a table and its items.
type dumped struct {
	name        string
	description json.RawMessage // the answer of DescribeTable
	timeToLive  json.RawMessage // the answer of DescribeTimeToLive
	items       []json.RawMessage
}

// tablesOf returns all tables that a client sees, sorted by name.
func tablesOf(c Client) ([]*dumped, error) {
	var tables []*dumped
	for start := ""; ; {
		in := map[string]any{}
		if start != "" {
			in["ExclusiveStartTableName"] = start
		}
		var page struct {
			TableNames             []string
			LastEvaluatedTableName string
		}
		if err := ask(c, "ListTables", in, &page); err != nil {
			return nil, err
		}
		for _, name := range page.TableNames {
			t, err := tableNamed(c, name)
			if err != nil {
				return nil, fmt.Errorf("table %s: %w", name, err)
			}
			tables = append(tables, t)
		}
		if start = page.LastEvaluatedTableName; start == "" {
			return tables, nil
		}
	}
}

func tableNamed(c Client, name string) (*dumped, error) {
	t := &dumped{name: name}
	if err := ask(c, "DescribeTable", map[string]any{"TableName": name},
		&t.description); err != nil {
		return nil, err
	}
	if err := ask(c, "DescribeTimeToLive", map[string]any{"TableName": name},
		&t.timeToLive); err != nil {
		return nil, err
	}
	in := map[string]any{"TableName": name, "ConsistentRead": true}
	for {
		var page struct {
			Items            []json.RawMessage
			LastEvaluatedKey json.RawMessage
		}
		if err := ask(c, "Scan", in, &page); err != nil {
			return nil, err
		}
		t.items = append(t.items, page.Items...)
		if page.LastEvaluatedKey == nil {
			return t, nil
		}
		in["ExclusiveStartKey"] = page.LastEvaluatedKey
	}
}

// ask sends a request and decodes the answer into to.
func ask(c Client, operation string, in map[string]any, to any) error {
	answer, err := call(c, operation, object(in))
	if err != nil {
		return err
	}
	return json.Unmarshal(answer, to)
}

// files returns the files of a table by the part of their names that follows the table's name.
func (t *dumped) files() (map[string][]byte, error) {
	description, err := indented(t.description)
	if err != nil {
		return nil, err
	}
	files := map[string][]byte{".json": description, ".items.json": t.scanned()}
	var is struct {
		TimeToLiveDescription struct{ TimeToLiveStatus string }
	}
	if err := json.Unmarshal(t.timeToLive, &is); err != nil {
		return nil, err
	}
	if is.TimeToLiveDescription.TimeToLiveStatus == "ENABLED" {
		files[".ttl.json"], err = indented(t.timeToLive)
	}
	return files, err
}

// scanned returns the items as scan prints them.
func (t *dumped) scanned() []byte {
	var b bytes.Buffer
	b.WriteString("{\n    \"Items\": [")
	for i, it := range t.items {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString("\n        ")
		b.Write(it)
	}
	if len(t.items) > 0 {
		b.WriteString("\n    ")
	}
	fmt.Fprintf(&b, "],\n    \"Count\": %d,\n    \"ScannedCount\": %d\n}\n", len(t.items),
		len(t.items))
	return b.Bytes()
}

// indented encodes v as the AWS CLI prints it.
func indented(v any) ([]byte, error) {
	text, err := json.MarshalIndent(v, "", "    ")
	return append(text, '\n'), err
}
