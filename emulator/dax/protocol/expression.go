package protocol

import (
	"strconv"
	"strings"

	"github.com/kugiri-db/kugiri/emulator/dax/cbor"
	"github.com/kugiri-db/kugiri/storage/item/jsontext"
)

// Functions of the trees.
const (
	fnEqual     = 0
	fnLessEqual = 5
	fnAnd       = 6
	fnOr        = 7
	fnNot       = 8
	fnBetween   = 9
	fnIn        = 10
	fnVariable  = 17
	fnPath      = 18
	fnSet       = 19 // the first action of an update
	fnPlus      = 25
	fnMinus     = 26
)

// comparators and functions, by their numbers.
var (
	comparators = []string{"=", "<>", "<", ">=", ">", "<="}
	functions   = map[int64]string{
		11: "attribute_exists", 12: "attribute_not_exists", 13: "attribute_type",
		14: "begins_with", 15: "contains", 16: "size", 23: "if_not_exists", 24: "list_append",
	}
)

// format is the first element of every expression.
const format = 1

// maxExpression limits the text of an expression: the service's own limit is 4 KB.
const maxExpression = 64 << 10

// scope holds the placeholders of the expressions of a request.
type scope struct {
	names  []string       // #0, #1, ...
	index  map[string]int // the indexes of names
	values []byte         // members of ExpressionAttributeValues
	named  int            // bytes of names
	valued *room          // room for values
}

// check returns an error if the names have more than maxValues bytes.
func (p *scope) check() error {
	if p.named > maxValues {
		return ErrBody
	}
	return nil
}

// appendTo appends the placeholders as members of a request.
func (p *scope) appendTo(dst []byte) []byte {
	if len(p.names) > 0 {
		dst = append(dst, `,"ExpressionAttributeNames":{`...)
		for i, name := range p.names {
			dst = append(comma(dst, i), `"#`...)
			dst = append(strconv.AppendInt(dst, int64(i), 10), `":`...)
			dst = jsontext.AppendQuoted(dst, name)
		}
		dst = append(dst, '}')
	}
	if len(p.values) > 0 {
		dst = append(append(dst, `,"ExpressionAttributeValues":{`...), p.values...)
		dst = append(dst, '}')
	}
	return dst
}

// name appends the placeholder of a name.
func (p *scope) name(dst []byte, name string) []byte {
	i, ok := p.index[name]
	if !ok {
		if p.index == nil {
			p.index = map[string]int{}
		}
		i = len(p.names)
		if p.named += len(name); p.named > maxValues {
			return dst // check tells
		}
		p.index[name] = i
		p.names = append(p.names, name)
	}
	return strconv.AppendInt(append(dst, '#'), int64(i), 10)
}

// printer prints one expression.
type printer struct {
	*scope
	letter byte // begins the names of its values, which are numbered within each expression
	text   []byte
}

// condition prints a condition, a filter or a key condition.
func (p *scope) condition(data []byte, letter byte) (string, error) {
	w := printer{scope: p, letter: letter}
	return w.print(data, func(r *cbor.Reader) error { return w.tree(r, fnOr) })
}

// update prints an update.
func (p *scope) update(data []byte) (string, error) {
	w := printer{scope: p, letter: 'u'}
	return w.print(data, w.actions)
}

// print prints [format, tree, [value, ...]].
func (w *printer) print(data []byte, tree func(*cbor.Reader) error) (string, error) {
	r := cbor.NewReader(data)
	parts := 0
	err := r.Each(func(i, _ int) error {
		parts++
		switch i {
		case 0:
			if n, err := r.Int(); err != nil || n != format {
				return cbor.ErrMalformed
			}
			return nil
		case 1:
			return tree(r)
		case 2:
			return w.valuesOf(r)
		}
		return cbor.ErrMalformed
	})
	if err != nil || parts != 3 || !r.Done() {
		return "", malformed(err)
	}
	return string(w.text), nil
}

func malformed(err error) error {
	if err == nil {
		return cbor.ErrMalformed
	}
	return err
}

// valuesOf collects the values of an expression.
func (w *printer) valuesOf(r *cbor.Reader) error {
	if w.valued == nil {
		w.valued = &room{maxValues, ErrBody}
	}
	return r.Each(func(i, _ int) (err error) {
		if err := w.valued.take(1); err != nil {
			return err
		}
		if len(w.values) > 0 {
			w.values = append(w.values, ',')
		}
		w.values = append(w.values, '"', ':', w.letter)
		w.values = append(strconv.AppendInt(w.values, int64(i), 10), `":`...)
		w.values, err = appendValue(w.values, r, w.valued)
		return err
	})
}

func (w *printer) add(s string) { w.text = append(w.text, s...) }

// call reads [function, argument, ...], and calls f before each argument, which f reads.
func call(r *cbor.Reader, head func(fn int64) error, f func(i int) error) error {
	return r.Each(func(i, _ int) error {
		if i > 0 {
			return f(i - 1)
		}
		fn, err := r.Int()
		if err == nil {
			err = head(fn)
		}
		return err
	})
}

// tree prints a function and its arguments. within is the operator around it, which decides about
// parentheses: the service refuses those that are not needed.
func (w *printer) tree(r *cbor.Reader, within int64) error {
	if len(w.text) > maxExpression {
		return cbor.ErrTooLarge
	}
	var fn int64
	var close string
	count := 0
	err := call(r, func(n int64) error {
		fn = n
		switch name := functions[fn]; {
		case name != "":
			w.add(name + "(")
			close = ")"
		case fn == fnOr && within != fnOr || fn == fnAnd && within == fnNot:
			w.add("(")
			close = ")"
		}
		if fn == fnNot {
			w.add("NOT ")
		}
		return nil
	}, func(i int) error {
		count++
		return w.argument(r, fn, i)
	})
	w.add(close)
	if err == nil && !fits(fn, count) {
		err = cbor.ErrMalformed
	}
	return err
}

// fits reports whether a function takes a number of arguments. How many its name in the text takes
// is for the service to say.
func fits(fn int64, arguments int) bool {
	switch {
	case fn >= fnEqual && fn <= fnOr, fn == fnIn, fn == fnPlus, fn == fnMinus:
		return arguments == 2
	case fn == fnNot, fn == fnVariable:
		return arguments == 1
	case fn == fnBetween:
		return arguments == 3
	}
	return arguments > 0
}

// argument prints an argument with what comes before it.
func (w *printer) argument(r *cbor.Reader, fn int64, i int) error {
	switch {
	case functions[fn] != "":
		if i > 0 {
			w.add(", ")
		}
	case fn >= fnEqual && fn <= fnLessEqual && i == 1:
		w.add(" " + comparators[fn] + " ")
	case fn >= fnEqual && fn <= fnLessEqual:
	case fn == fnAnd || fn == fnOr:
		if i > 0 {
			w.add(map[bool]string{true: " AND ", false: " OR "}[fn == fnAnd])
		}
		return w.tree(r, fn)
	case fn == fnNot:
		return w.tree(r, fn)
	case fn == fnBetween:
		w.add([]string{"", " BETWEEN ", " AND "}[min(i, 2)])
	case fn == fnIn && i == 1:
		return w.list(r)
	case fn == fnIn:
	case fn == fnPlus && i == 1:
		w.add(" + ")
	case fn == fnMinus && i == 1:
		w.add(" - ")
	case fn == fnPlus || fn == fnMinus:
	case fn == fnVariable:
		id, err := r.Int()
		if err != nil || id < 0 {
			return cbor.ErrMalformed
		}
		w.text = strconv.AppendInt(append(w.text, ':', w.letter), id, 10)
		return nil
	case fn == fnPath:
		return w.element(r, i)
	default:
		return cbor.ErrMalformed
	}
	return w.tree(r, fnNot)
}

// list prints the list of an IN.
func (w *printer) list(r *cbor.Reader) error {
	w.add(" IN (")
	err := r.Each(func(i, _ int) error {
		if i > 0 {
			w.add(", ")
		}
		return w.tree(r, fnNot)
	})
	w.add(")")
	return err
}

// element prints an element of a path.
func (w *printer) element(r *cbor.Reader, i int) error {
	e, err := readElement(r)
	switch {
	case err != nil:
		return err
	case e.name == "" && i == 0:
		return cbor.ErrMalformed
	case e.name == "":
		w.add("[" + strconv.FormatInt(e.index, 10) + "]")
		return nil
	case i > 0:
		w.add(".")
	}
	w.text = w.scope.name(w.text, e.name)
	return nil
}

// actions prints the actions of an update, those of a kind together.
func (w *printer) actions(r *cbor.Reader) error {
	clauses := [...]string{"SET ", "ADD ", "DELETE ", "REMOVE "} // fnSet to fnRemove
	var texts [len(clauses)][]byte
	err := r.Each(func(int, int) error {
		var kind int64
		err := call(r, func(fn int64) error {
			if kind = fn - fnSet; kind < 0 || kind >= int64(len(clauses)) {
				return cbor.ErrMalformed
			}
			w.text = texts[kind]
			if len(w.text) > 0 {
				w.add(", ")
			}
			return nil
		}, func(i int) error {
			switch {
			case i > 1:
				return cbor.ErrMalformed
			case i == 1 && kind == 0:
				w.add(" = ")
			case i == 1:
				w.add(" ")
			}
			return w.tree(r, fnNot)
		})
		if err == nil {
			texts[kind] = w.text
		}
		return err
	})
	w.text = nil
	for i, text := range texts {
		if len(text) > 0 {
			w.add(" " + clauses[i] + string(text))
		}
	}
	w.text = []byte(strings.TrimPrefix(string(w.text), " "))
	return err
}
