package wire

import (
	"math"
	"reflect"
	"strconv"
	"strings"
	"unsafe"

	"github.com/kugiri-db/kugiri/conventions/api"
	"github.com/kugiri-db/kugiri/storage/item"
	"github.com/kugiri-db/kugiri/storage/item/jsontext"
)

// maxSkipped is how deep an unknown member may be nested.
const maxSkipped = 100

// decoder reads one request.
type decoder struct {
	s      jsontext.Scanner
	items  *item.Scratch // memory for items
	memory *Memory       // memory for everything else
}

// value reads a value. A null leaves the memory at p as it is: absent or zero.
func (d *decoder) value(pl *plan, p unsafe.Pointer) error {
	if c := d.s.Byte(); c == 'n' || c <= ' ' && d.s.Peek() == 'n' {
		if !d.s.Next('n') {
			return item.ErrSyntax
		}
		return nil
	}
	switch pl.kind {
	case kindString:
		return d.str(pl, (*string)(p))
	case kindInt:
		return d.integer(pl, (*int64)(p))
	case kindFloat:
		return d.float(pl, (*float64)(p))
	case kindBool:
		return d.boolean(pl, (*bool)(p))
	case kindStruct:
		return d.structure(pl, p)
	case kindList:
		return d.list(pl, p)
	case kindMap:
		return d.object(pl, p)
	case kindPointer:
		return d.pointer(pl.elem, (*unsafe.Pointer)(p))
	case kindAttributes:
		return d.attributes(pl, (*item.Attributes)(p))
	case kindAttributeValue:
		return d.attributeValue(pl, (*api.AttributeValue)(p))
	}
	return item.ErrSyntax // only answers have such values
}

// pointer reads a value into new memory and sets p to its address.
func (d *decoder) pointer(pl *plan, p *unsafe.Pointer) error {
	switch pl.kind {
	case kindString:
		v := d.memory.text()
		*p = unsafe.Pointer(v)
		return d.str(pl, v)
	case kindInt:
		v := new(int64)
		*p = unsafe.Pointer(v)
		return d.integer(pl, v)
	case kindFloat:
		v := new(float64)
		*p = unsafe.Pointer(v)
		return d.float(pl, v)
	case kindBool:
		v := new(bool)
		*p = unsafe.Pointer(v)
		return d.boolean(pl, v)
	}
	v := d.memory.take(pl, 1)
	*p = v
	return d.value(pl, v)
}

// attributes reads an item or a key. item.ParseAttributes itself reports other values as the
// service does for a member of a structure. For the value of a list or map the error is another
// one.
func (d *decoder) attributes(pl *plan, p *item.Attributes) (err error) {
	if pl.held && d.s.Peek() != '{' {
		return d.mismatch(pl)
	}
	*p, err = d.items.ParseAttributes(&d.s)
	return err
}

// attributeValue reads an attribute value. item.ParseValue itself reports other values as the
// service does for the value of a list or map. For a member of a structure the error is another
// one.
func (d *decoder) attributeValue(pl *plan, p *api.AttributeValue) error {
	if !pl.held && d.s.Peek() != '{' {
		return d.mismatch(pl)
	}
	v, invalid, err := item.ParseValue(&d.s)
	*p = api.AttributeValue{Value: v, Present: true, Invalid: invalid}
	return err
}

func (d *decoder) str(pl *plan, p *string) (err error) {
	s, plain := d.s.PlainString()
	if !plain {
		if d.s.Peek() != '"' {
			return d.mismatch(pl)
		}
		s, err = d.text()
	}
	*p = s
	return err
}

// text reads a string and resolves its escapes.
func (d *decoder) text() (string, error) {
	raw, escaped, err := d.s.String()
	if err != nil {
		return "", item.ErrSyntax
	}
	if escaped {
		raw = jsontext.Unquote(raw)
	}
	return raw, nil
}

// integer reads an integer. It truncates decimals, as the service does.
func (d *decoder) integer(pl *plan, p *int64) error {
	if d.s.Peek() != '0' {
		return d.mismatch(pl)
	}
	raw, err := d.s.Number()
	if err != nil {
		return item.ErrSyntax
	}
	n, err := strconv.ParseInt(raw, 10, 64)
	if err != nil {
		f, err := strconv.ParseFloat(raw, 64)
		if err != nil || math.Abs(f) >= 1<<63 {
			return cannotConvert(raw, pl)
		}
		n = int64(f)
	}
	if pl.narrow && int64(int32(n)) != n {
		return cannotConvert(raw, pl)
	}
	*p = n
	return nil
}

func (d *decoder) float(pl *plan, p *float64) error {
	if d.s.Peek() != '0' {
		return d.mismatch(pl)
	}
	raw, err := d.s.Number()
	if err != nil {
		return item.ErrSyntax
	}
	f, err := strconv.ParseFloat(raw, 64)
	if err != nil {
		return cannotConvert(raw, pl)
	}
	*p = f
	return nil
}

func (d *decoder) boolean(pl *plan, p *bool) error {
	switch k := d.s.Peek(); k {
	case 't', 'f':
		if !d.s.Next(k) {
			return item.ErrSyntax
		}
		*p = k == 't'
		return nil
	case '"':
		before := d.s
		if raw, _, err := d.s.String(); err == nil {
			if truth, ok := item.TruthOf(`"` + raw + `"`); ok {
				*p = truth
				return nil
			}
		}
		d.s = before
	}
	return d.mismatch(pl)
}

// structure reads the members that the plan has, and skips all others.
func (d *decoder) structure(pl *plan, p unsafe.Pointer) error {
	if !d.s.Next('{') {
		return d.mismatch(pl)
	}
	if d.s.Next('}') {
		return nil
	}
	var seen uint64
	next := 0 // requests mostly have the members in the order of the model
	for {
		i, err := d.member(pl, next)
		switch {
		case err != nil:
			return err
		case i < 0:
			err = d.skip()
		case seen&(1<<i) != 0:
			return item.ErrDuplicateName(pl.members[i].name)
		default:
			seen |= 1 << i
			next = i + 1
			m := &pl.members[i]
			err = d.value(m.plan, unsafe.Add(p, m.offset))
		}
		if err != nil {
			return err
		}
		if more, err := d.more('}'); !more {
			return err
		}
	}
}

func (d *decoder) skip() error {
	if d.s.Skip(maxSkipped) != nil {
		return item.ErrSyntax
	}
	return nil
}

// member reads the name of a member and the colon. It returns the number of the member, or -1. next
// is the likely number.
func (d *decoder) member(pl *plan, next int) (int, error) {
	if i := pl.findHere(d.s.Rest(), next); i >= 0 {
		d.s.Advance(len(pl.members[i].opening))
		return i, nil
	}
	name, err := d.name()
	return pl.find(name, next), err
}

// name reads the name of a member and the colon.
func (d *decoder) name() (string, error) {
	if name, plain := d.s.PlainName(); plain {
		return name, nil
	}
	name, err := d.text()
	if err == nil && !d.s.Next(':') {
		err = item.ErrSyntax
	}
	return name, err
}

// more reads what follows an element of a list or object. It reports true for a comma and false for
// the closing delimiter.
func (d *decoder) more(closing jsontext.Kind) (bool, error) {
	switch {
	case d.s.Take(','):
		return true, nil
	case d.s.Take(byte(closing)), d.s.Next(closing):
		return false, nil
	case d.s.Next(','):
		return true, nil
	}
	return false, item.ErrSyntax
}

// findHere returns the number of the member whose opening text begins with. It tries the member
// from first, and then the following ones. It returns -1 if it finds none here: text may still
// begin with a member, in another form.
func (pl *plan) findHere(text string, from int) int {
	if len(text) < headBytes {
		return -1
	}
	w := jsontext.Word(text)
	for range pl.heads {
		if from >= len(pl.heads) {
			from = 0
		}
		if h := &pl.heads[from]; w&h.mask == h.word &&
			strings.HasPrefix(text, pl.members[from].opening) {
			return from
		}
		from++
	}
	return -1
}

// find returns the number of a member, or -1. It tries the member from first.
func (pl *plan) find(name string, from int) int {
	n := len(pl.members)
	for range n {
		if from >= n {
			from = 0
		}
		if pl.members[from].name == name {
			return from
		}
		from++
	}
	return -1
}

// list reads a list. An empty list is not nil, because nil means absent.
func (d *decoder) list(pl *plan, p unsafe.Pointer) error {
	if !d.s.Next('[') {
		return d.mismatch(pl)
	}
	l := (*collection)(p)
	l.data = unsafe.Pointer(&empty)
	if d.s.Next(']') {
		return nil
	}
	for {
		if err := d.value(pl.elem, d.grow(pl, l)); err != nil {
			return err
		}
		if more, err := d.more(']'); !more {
			pl.expect(l.len)
			return err
		}
	}
}

// empty is the memory of collections without elements.
var empty struct{}

// mostExpected is the largest number of elements for which grow reserves memory in advance.
const mostExpected = 128

// expect notes how many elements a collection had. The next one is likely to have as many.
func (pl *plan) expect(n int) {
	if n := int32(min(n, mostExpected)); pl.last.Load() != n {
		pl.last.Store(n)
	}
}

// grow adds a zero element to a collection and returns its address.
func (d *decoder) grow(pl *plan, l *collection) unsafe.Pointer {
	switch {
	case l.len < l.cap:
	case l.cap == 0:
		l.cap = max(1, int(pl.last.Load()))
		l.data = d.memory.take(pl, l.cap)
	default: // twice the capacity
		reflect.NewAt(pl.typ, unsafe.Pointer(l)).Elem().Grow(1)
	}
	l.len++
	return unsafe.Add(l.data, uintptr(l.len-1)*pl.stride)
}

// object reads a map, in the order of the request.
func (d *decoder) object(pl *plan, p unsafe.Pointer) error {
	if !d.s.Next('{') {
		return d.mismatch(pl)
	}
	l := (*collection)(p)
	l.data = unsafe.Pointer(&empty)
	if d.s.Next('}') {
		return nil
	}
	keys := keySet{plan: pl, list: l}
	for {
		name, err := d.name()
		if err != nil {
			return err
		}
		if !keys.add(name) {
			return item.ErrDuplicateName(name)
		}
		e := d.grow(pl, l)
		*(*string)(e) = name
		if err := d.value(pl.elem, unsafe.Add(e, entryKeyBytes)); err != nil {
			return err
		}
		if more, err := d.more('}'); !more {
			pl.expect(l.len)
			return err
		}
	}
}

// keySet finds duplicate keys in a map. It compares a few keys one by one, and puts many into an
// index.
type keySet struct {
	plan  *plan
	list  *collection
	index map[string]bool
}

func (k *keySet) add(name string) bool {
	const few = 16
	n := k.list.len
	if n >= few && k.index == nil {
		k.index = make(map[string]bool, 2*few)
		for i := range n {
			k.index[k.key(i)] = true
		}
	}
	if k.index != nil {
		had := k.index[name]
		k.index[name] = true
		return !had
	}
	for i := range n {
		if k.key(i) == name {
			return false
		}
	}
	return true
}

func (k *keySet) key(i int) string {
	key, _ := k.plan.at(unsafe.Pointer(k.list), i)
	return *key
}
