package transfer

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"sync"

	"github.com/kugiri-db/kugiri/conventions/workbench"
	"github.com/kugiri-db/kugiri/storage/item/jsontext"
)

// valueStream reads items from JSON that is not one value a line: from lists, from values over
// several lines, and from the requests of BatchWriteItem and PutItem.
type valueStream struct {
	name    string
	plain   bool // items without types
	in      *stream
	within  bool     // the stream is inside a list
	begun   bool     // the list has an element already
	waiting []string // the texts of items
	n       int
	since   int // the position after the last value that has an item
}

// maxValue is the largest length of one value: of a request of BatchWriteItem, as the service takes
// it. An item alone has maxLine.
const maxValue = 16 << 20

// errLongItem is the error of an item that no table takes.
var errLongItem = fmt.Errorf("the item is longer than %d bytes, more than any item", maxLine)

func newValues(name string, in io.Reader, plain bool) *valueStream {
	return &valueStream{name: name, plain: plain, in: newStream(in)}
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
	item, err := v.item()
	if err == io.EOF {
		return Sourced{}, io.EOF
	}
	v.n++
	at := Origin{Name: v.name, Item: v.n}
	if err != nil {
		return Sourced{}, fmt.Errorf("%s: %w", at, err)
	}
	return Sourced{item, at}, nil
}

// item returns the next item. At the end of the stream its error is io.EOF.
func (v *valueStream) item() (Item, error) {
	for len(v.waiting) == 0 {
		value, err := v.value()
		if err != nil {
			return nil, err
		}
		text := string(value)
		if len(text) > maxLine && !batchStart().MatchString(text) {
			return nil, errLongItem
		}
		item, err := typedItem(text)
		if err == nil && (!v.plain || len(item) > 0) {
			v.since = v.in.pos()
			return item, nil
		}
		d := documentOf(text)
		if v.waiting, err = itemsOf(text, d); err != nil {
			return nil, err
		}
		if v.waiting == nil {
			return v.other(text, d)
		}
	}
	v.since = v.in.pos()
	text := v.waiting[0]
	v.waiting = v.waiting[1:]
	item, err := typedItem(text)
	return item, explained(text, err)
}

// value returns the next value that is not within another one, or the next element of a list.
func (v *valueStream) value() ([]byte, error) {
	for {
		if err := v.in.idle(v.since); err != nil {
			return nil, err
		}
		begin, err := v.in.peek()
		switch {
		case err == io.EOF && !v.within:
			return nil, io.EOF
		case err != nil:
			return nil, unexpected(err)
		case !v.within && begin == '[':
			v.in.take()
			v.within, v.begun = true, false
			continue
		case v.within && begin == ']':
			v.in.take()
			v.within = false
			continue
		case v.within && v.begun:
			if err := v.in.next(','); err != nil {
				return nil, unexpected(err)
			}
		}
		v.begun = true
		text, err := v.in.value(maxValue)
		if err != nil {
			return nil, unexpected(err)
		}
		return text, nil
	}
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

// other reads a value that is neither an item with types nor requests.
func (v *valueStream) other(text string, d document) (Item, error) {
	for _, o := range others {
		if d.of[o.member] != "" {
			return nil, fmt.Errorf("this is %s", o.is)
		}
	}
	if v.plain {
		return unmarshalPlain([]byte(text))
	}
	return UnmarshalItem([]byte(text))
}

// itemsOf returns the texts of the items of requests or of a model. It returns nil for what is
// neither.
func itemsOf(text string, d document) ([]string, error) {
	if list := d.of["DataModel"]; isGroup(list, '[') {
		return modelItems(list)
	}
	return requested(text, d)
}

// maxTables is how many tables a model may have, as many as a seed.
const maxTables = 10_000

// modelItems returns the items of the table of a model of NoSQL Workbench that has some.
func modelItems(tables string) (all []string, err error) {
	from, n := "", 0
	eachElement(tables, func(table string) bool {
		var t workbench.Table[modelValue]
		if n++; n > maxTables {
			err = fmt.Errorf("a model has at most %d tables", maxTables)
			return false
		}
		if t, err = workbench.ReadTable(modelValue(table), leaveOut); err != nil {
			return false
		}
		before := len(all)
		eachElement(string(t.TableData), func(item string) bool {
			all = append(all, item)
			return true
		})
		if len(all) == before {
			return true
		}
		if before > 0 {
			err = fmt.Errorf("the model has items of more than one table, %s and %s: "+
				"\"kugiri serve --seed\" begins with them all", from, t.TableName)
		}
		from = t.TableName
		return err == nil
	})
	if err == nil && all == nil {
		err = errors.New("the model of NoSQL Workbench has no items")
	}
	return all, err
}

// modelValue is the text of a value of a model of NoSQL Workbench. An import needs the items alone:
// whatever else of the model is not as it should be is no error.
type modelValue string

// leaveOut leaves out what a model has more.
func leaveOut(string, modelValue) error { return nil }

// IsNull reports whether the value is null.
func (v modelValue) IsNull() bool { return v == "null" }

// Members calls read for each member of an object.
func (v modelValue) Members(read func(name string, v modelValue) error) (err error) {
	eachMember(string(v), func(name, value string) {
		if err == nil {
			err = read(name, modelValue(value))
		}
	})
	return err
}

// Elements calls read for each element of a list.
func (v modelValue) Elements(read func(modelValue) error) (err error) {
	eachElement(string(v), func(value string) bool {
		err = read(modelValue(value))
		return err == nil
	})
	return err
}

// Text reads a string.
func (v modelValue) Text(into *string) error {
	s := jsontext.NewScanner(string(v))
	*into, _ = scanText(&s)
	return nil
}

// requested returns the items of requests: of BatchWriteItem, or of PutItem with an item in it.
func requested(text string, d document) (all []string, err error) {
	if tables := d.of["RequestItems"]; isGroup(tables, '{') {
		text, d = tables, documentOf(tables)
	}
	if inner := d.of["Item"]; isGroup(inner, '{') && (d.members == 1 || d.of["TableName"] != "") {
		if _, err := typedItem(inner); err == nil {
			return []string{inner}, nil
		}
	}
	if d.members == 1 && d.of["PutRequest"] != "" {
		item, err := put(d)
		return []string{item}, err
	}
	only := true // there is nothing but requests
	eachMember(text, func(_, list string) {
		if err != nil {
			return
		}
		before := len(all)
		eachElement(list, func(request string) bool {
			one := documentOf(request)
			if one.of["PutRequest"] == "" && one.of["DeleteRequest"] == "" {
				only = false
				return false
			}
			var item string
			item, err = put(one)
			all = append(all, item)
			return err == nil
		})
		only = only && len(all) > before
	})
	switch {
	case !only:
		return nil, nil
	case err == nil && d.members > 1 && all != nil:
		err = errors.New("the requests are for more than one table")
	}
	return all, err
}

// put returns the item of a request.
func put(request document) (string, error) {
	content := request.of["PutRequest"]
	if !isGroup(content, '{') {
		return "", errors.New("a DeleteRequest deletes, and an import only writes")
	}
	return cmp.Or(documentOf(content).of["Item"], "null"), nil
}
