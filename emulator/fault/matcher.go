package fault

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/kugiri-db/kugiri/storage/item"
)

// Request is a request as matchers see it.
type Request struct {
	Operation string   // "PutItem"
	Targets   []Target // what it touches, in the order of the request; at least one
}

// Target is one thing that a request touches: an item, or a part of a table or index.
type Target struct {
	Table string // its name, "" if the request is about no table
	Index string // its name, "" if the request is about none
	Write bool
	Item  item.Item // what the request says of the item: its key, or all of it for a put; "" if nothing
}

// Matcher chooses requests, and the targets in them. A matcher of targets chooses
// a request if any of its targets is chosen; joined by And, it must be the same
// one. A matcher of requests chooses all targets, or none.
//
// A Matcher is a value without state: what counts does so per installation of the
// fault that it is part of.
type Matcher interface {
	fmt.Stringer
	// start returns the function that chooses, with the state of one installation.
	start(rng *rand.Rand) chooser
	validate(depth int) error
	appendJSON(dst []byte) []byte
}

// chooser returns which targets of a request are chosen, nil for none.
type chooser func(r *Request) []bool

// maxDepth is how deep matchers may be nested.
const maxDepth = 32

// all chooses all targets of a request if yes.
func all(r *Request, yes bool) []bool {
	if !yes {
		return nil
	}
	return slices.Repeat([]bool{true}, len(r.Targets))
}

// some chooses the targets for which f is true.
func some(r *Request, f func(*Target) bool) []bool {
	var chosen []bool
	for i := range r.Targets {
		if f(&r.Targets[i]) {
			if chosen == nil {
				chosen = make([]bool, len(r.Targets))
			}
			chosen[i] = true
		}
	}
	return chosen
}

// names is a matcher by one of several names.
type names struct {
	of   string // operation, table, index
	list []string
}

// Operation chooses requests of operations: "PutItem".
func Operation(list ...string) Matcher { return names{"operation", list} }

// Table chooses what is in one of some tables or their indexes.
func Table(list ...string) Matcher { return names{"table", list} }

// Index chooses what reads one of some indexes.
func Index(list ...string) Matcher { return names{"index", list} }

func (n names) start(*rand.Rand) chooser {
	return func(r *Request) []bool {
		switch n.of {
		case "operation":
			return all(r, slices.Contains(n.list, r.Operation))
		case "table":
			return some(r, func(t *Target) bool { return slices.Contains(n.list, t.Table) })
		}
		return some(r, func(t *Target) bool { return slices.Contains(n.list, t.Index) })
	}
}

func (n names) validate(int) error {
	if len(n.list) == 0 || slices.Contains(n.list, "") {
		return fmt.Errorf("%s: names are missing", n.of)
	}
	return nil
}

// attribute is a matcher by a key attribute.
type attribute struct{ name, value string }

// Key chooses items by an attribute of their keys, as far as the request names
// it: for most operations the whole key, for a Query what KeyConditionExpression
// wants to be equal, for a put all of the item. The value is that of a string, a
// number as DynamoDB writes it, or the bytes of a binary value.
func Key(attributeName, value string) Matcher { return attribute{attributeName, value} }

func (a attribute) start(*rand.Rand) chooser {
	return func(r *Request) []bool {
		return some(r, func(t *Target) bool {
			v, ok := t.Attribute(a.name)
			return ok && v == a.value
		})
	}
}

func (a attribute) validate(int) error {
	if a.name == "" {
		return fmt.Errorf("key: the name of the attribute is missing")
	}
	return nil
}

// Attribute is the value of a string, number or binary attribute of the target's
// item in the form that Key takes; ok is false if the request does not say.
func (t *Target) Attribute(name string) (value string, ok bool) {
	if t.Item == "" {
		return "", false
	}
	switch v := t.Item.Get(name); v.Type() {
	case item.S:
		return v.Str(), true
	case item.N:
		return v.Num(), true
	case item.B:
		return v.Bytes(), true
	}
	return "", false
}

// access is a matcher by whether a target is written.
type access bool

// Reads chooses what is only read, conditions of transactions included.
func Reads() Matcher { return access(false) }

// Writes chooses what is written.
func Writes() Matcher { return access(true) }

func (a access) start(*rand.Rand) chooser {
	return func(r *Request) []bool { return some(r, func(t *Target) bool { return t.Write == bool(a) }) }
}

func (a access) validate(int) error { return nil }

// predicate is a matcher by a function.
type predicate func(operation string, t *Target) bool

// Func chooses the targets for which f is true. f is called by one request at a
// time; it must not send any, nor keep t. Such a matcher has no text that Parse reads.
func Func(f func(operation string, t *Target) bool) Matcher { return predicate(f) }

func (p predicate) start(*rand.Rand) chooser {
	return func(r *Request) []bool {
		return some(r, func(t *Target) bool { return p(r.Operation, t) })
	}
}

func (p predicate) validate(int) error {
	if p == nil {
		return fmt.Errorf("func: there is none")
	}
	return nil
}
