package transfer

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"sync"
)

// valueStream reads items from JSON that is not one value a line: from lists, from values over
// several lines, and from the requests of BatchWriteItem and PutItem.
type valueStream struct {
	name    string
	plain   bool // items without types
	in      *limitedValue
	decoder *json.Decoder
	within  bool // the stream is inside a list
	waiting []Item
	n       int
}

// maxValue is the largest length of one value: of a request of BatchWriteItem, as the service takes
// it. An item alone has maxLine.
const maxValue = 16 << 20

// errLongItem is the error of an item that no table takes.
var errLongItem = fmt.Errorf("the item is longer than %d bytes, more than any item", maxLine)

// limitedValue ends with an error where one value, item or record is too long. Its reader resets it
// before each.
type limitedValue struct {
	in   io.Reader
	most int
	left int
}

func (l *limitedValue) reset() { l.left = l.most }

func (l *limitedValue) Read(p []byte) (int, error) {
	if l.left <= 0 {
		return 0, fmt.Errorf("one value is longer than %d bytes", l.most)
	}
	n, err := l.in.Read(p)
	l.left -= n
	return n, err
}

func newValues(name string, in io.Reader, plain bool) *valueStream {
	limited := &limitedValue{in: in, most: maxValue}
	return &valueStream{name: name, plain: plain, in: limited, decoder: json.NewDecoder(limited)}
}

// batchStart is how a request of BatchWriteItem begins.
var batchStart = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^\s*\{\s*("[^"]*"\s*:\s*\[\s*\{\s*"(Put|Delete)Request"` +
		`|"RequestItems"\s*:\s*\{|"(PutRequest|DataModel|ModelName|Resources|Table)"\s*:)`)
})

// isValues reports whether JSON is not one item a line, as far as its beginning tells.
func isValues(in *bufio.Reader) bool {
	if _, err := in.Peek(1); err != nil {
		return false
	}
	text, _ := in.Peek(in.Buffered())
	text = bytes.TrimLeft(text, " \t\r\n")
	if bytes.HasPrefix(text, []byte("[")) || batchStart().Match(text) {
		return true
	}
	line, _, ended := bytes.Cut(text, []byte("\n"))
	var syntax *json.SyntaxError
	var any json.RawMessage
	return ended && errors.As(json.Unmarshal(line, &any), &syntax) &&
		int(syntax.Offset) >= len(bytes.TrimRight(line, " \t\r"))
}

// Next implements Reader.
func (v *valueStream) Next() (Sourced, error) {
	for len(v.waiting) == 0 {
		text, err := v.value()
		if err == io.EOF {
			return Sourced{}, io.EOF
		}
		if err == nil {
			v.waiting, err = v.items(text)
		}
		if err != nil {
			return Sourced{}, fmt.Errorf("%s: item %d: %w", v.name, v.n+1, err)
		}
	}
	item := v.waiting[0]
	v.waiting = v.waiting[1:]
	v.n++
	return Sourced{item, fmt.Sprintf("%s: item %d", v.name, v.n)}, nil
}

// value returns the next value that is not within another one, or the next element of a list.
func (v *valueStream) value() (json.RawMessage, error) {
	for {
		v.in.reset()
		if v.within && !v.decoder.More() {
			if _, err := v.decoder.Token(); err != nil { // ]
				return nil, unexpected(err)
			}
			v.within = false
		}
		if !v.within {
			start, err := v.start()
			if err != nil {
				return nil, err
			}
			if start == '[' {
				if _, err := v.decoder.Token(); err != nil {
					return nil, err
				}
				v.within = true
				continue
			}
		}
		var text json.RawMessage
		if err := v.decoder.Decode(&text); err != nil {
			return nil, unexpected(err)
		}
		return text, nil
	}
}

// start returns the first byte of the next value, without reading it.
func (v *valueStream) start() (byte, error) {
	if !v.decoder.More() { // the list is at its end
		if _, err := v.decoder.Token(); err != nil {
			return 0, err
		}
	}
	begin, err := io.ReadAll(io.LimitReader(v.decoder.Buffered(), 1<<10))
	begin = bytes.TrimLeft(begin, " \t\r\n")
	if err != nil || len(begin) == 0 {
		return 0, err
	}
	return begin[0], nil
}

func unexpected(err error) error {
	if errors.Is(err, io.EOF) {
		err = io.ErrUnexpectedEOF
	}
	return fmt.Errorf("not JSON: %w", err)
}

// others say what a value is that is no item, by a member of it.
var others = []struct{ member, is string }{
	{"Resources", "a template: \"kugiri apply\" makes its tables"},
	{"TableDescription", "a description of a table: \"kugiri apply\" makes it"},
	{"KeySchema", "a definition of a table: \"kugiri apply\" makes it"},
}

// items returns the items of a value.
func (v *valueStream) items(text json.RawMessage) ([]Item, error) {
	if len(text) > maxLine && !batchStart().Match(text) {
		return nil, errLongItem
	}
	tree, err := decodeTree(text)
	if err != nil {
		return nil, err
	}
	members, _ := tree.(map[string]any)
	if tables, ok := members["DataModel"].([]any); ok {
		return modelItems(tables)
	}
	if all, is, err := requested(members); is || err != nil {
		return all, err
	}
	typed, err := itemOf(tree)
	if err == nil && (!v.plain || len(typed) > 0) {
		return []Item{typed}, nil
	}
	for _, o := range others {
		if members[o.member] != nil {
			return nil, fmt.Errorf("this is %s", o.is)
		}
	}
	if members != nil && v.plain {
		item, err := plainMap(members, 0)
		return []Item{item}, err
	}
	return nil, err
}

// modelItems returns the items of the table of a model of NoSQL Workbench that has some.
func modelItems(tables []any) (all []Item, err error) {
	from := ""
	for _, t := range tables {
		table, _ := t.(map[string]any)
		list, _ := table["TableData"].([]any)
		name, _ := table["TableName"].(string)
		if all != nil && len(list) > 0 {
			return nil, fmt.Errorf("the model has items of more than one table, %s and %s: "+
				"\"kugiri serve --seed\" begins with them all", from, name)
		}
		for _, element := range list {
			item, err := itemOf(element)
			if err != nil {
				return nil, err
			}
			all, from = append(all, item), name
		}
	}
	if all == nil {
		return nil, errors.New("the model of NoSQL Workbench has no items")
	}
	return all, nil
}

// requested returns the items of requests: of BatchWriteItem, or of PutItem with an item in it.
func requested(members map[string]any) (all []Item, is bool, err error) {
	if tables, ok := members["RequestItems"].(map[string]any); ok {
		members = tables
	}
	if inner, ok := members["Item"].(map[string]any); ok {
		if item, err := itemOf(inner); err == nil && (len(members) == 1 ||
			members["TableName"] != nil) {
			return []Item{item}, true, nil
		}
	}
	if len(members) == 1 && members["PutRequest"] != nil {
		item, err := put(members)
		return []Item{item}, true, err
	}
	for _, list := range members {
		requests, ok := list.([]any)
		if !ok || len(requests) == 0 {
			return nil, false, nil
		}
		for _, request := range requests {
			one, _ := request.(map[string]any)
			if one["PutRequest"] == nil && one["DeleteRequest"] == nil {
				return nil, false, nil
			}
			item, err := put(one)
			if err != nil {
				return nil, true, err
			}
			all = append(all, item)
		}
	}
	if len(members) > 1 && all != nil {
		return nil, true, errors.New("the requests are for more than one table")
	}
	return all, all != nil, nil
}

func put(request map[string]any) (Item, error) {
	members, ok := request["PutRequest"].(map[string]any)
	if !ok {
		return nil, errors.New("a DeleteRequest deletes, and an import only writes")
	}
	return itemOf(members["Item"])
}
