package fault

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/kugiri-db/kugiri/conventions/catalog"
	"github.com/kugiri-db/kugiri/storage/item"
)

// Request describes a request for matchers.
type Request struct {
	Operation string   // "PutItem"
	Targets   []Target // what the request reads or writes, in its order; at least one
}

// Target is one thing that a request reads or writes: an item, or a part of a table or index.
type Target struct {
	Table string // "" if the request has no table
	Index string // "" if the request has no index
	Write bool
	// the part of the item that the request has: its key, or all of it for a put; "" if none
	Item item.Item

	KinesisStream string // the ARN of the stream that a change is sent to; "" for requests
}

// Matcher chooses requests and their targets. A matcher of targets chooses a request if it chooses
// any of the targets. Matchers in an And must choose the same target. A matcher of requests chooses
// all targets or none.
//
// A Matcher is a value without state. Counters belong to an installation of the fault.
type Matcher interface {
	fmt.Stringer
	// start returns the function that chooses. The function has the state of one installation.
	start(rng *rand.Rand) chooser
	validate(depth int) error
	appendJSON(dst []byte) []byte
}

// chooser returns which targets of a request are chosen, or nil for none.
type chooser func(r *Request) []bool

// maxDepth is how deep matchers may be nested.
const maxDepth = 32

// all returns all targets of a request if yes is true, and nil otherwise.
func all(r *Request, yes bool) []bool {
	if !yes {
		return nil
	}
	return slices.Repeat([]bool{true}, len(r.Targets))
}

// some returns the targets for which f is true.
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

// names matches one of several names.
type names struct {
	of   string // operation, table, index, kinesisStream
	list []string
}

// Operation chooses requests of operations: "PutItem".
func Operation(list ...string) Matcher { return names{"operation", list} }

// Table chooses targets in the tables, including their indexes.
func Table(list ...string) Matcher { return names{"table", list} }

// Index chooses targets that read the indexes.
func Index(list ...string) Matcher { return names{"index", list} }

// KinesisStream chooses changes on their way to the Kinesis data streams with the ARNs. Only
// effects on such changes can have it: see Kind.Sends.
func KinesisStream(arns ...string) Matcher { return names{"kinesisStream", arns} }

func (n names) start(*rand.Rand) chooser {
	return func(r *Request) []bool {
		switch n.of {
		case "operation":
			return all(r, slices.Contains(n.list, r.Operation))
		case "table":
			return some(r, func(t *Target) bool { return slices.Contains(n.list, t.Table) })
		case "kinesisStream":
			return some(r, func(t *Target) bool { return slices.Contains(n.list, t.KinesisStream) })
		}
		return some(r, func(t *Target) bool { return slices.Contains(n.list, t.Index) })
	}
}

func (n names) validate(int) error {
	if len(n.list) == 0 || slices.Contains(n.list, "") {
		return fmt.Errorf("%s: names are missing", n.of)
	}
	for _, name := range n.list {
		if _, known := catalog.Named(name); n.of == "operation" && !known {
			return fmt.Errorf("operation: there is no operation %q%s", name, suggestion(name))
		}
	}
	return nil
}

// suggestion names the operation that an unknown name begins with, or that begins with it.
func suggestion(name string) string {
	typed := strings.ToLower(name)
	for o := range catalog.All() {
		known := strings.ToLower(o.Name)
		if strings.HasPrefix(typed, known) || len(typed) > 3 && strings.HasPrefix(known, typed) {
			return ": did you mean " + o.Name + "?"
		}
	}
	return ""
}

// attribute matches a key attribute by its value.
type attribute struct{ name, value string }

// Key chooses items by a key attribute, if the request has it. Most operations have the whole key,
// a Query has the attributes that KeyConditionExpression compares with "=", and a put has the whole
// item. The value is a string, a number in DynamoDB's format, or the bytes of a binary value.
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

// Attribute returns the value of a string, number or binary attribute of the target's item, in the
// form that Key takes. ok is false if the request does not have the attribute.
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

// access matches targets that are written, or those that are not.
type access bool

// Reads chooses targets that are only read, including condition checks of transactions.
func Reads() Matcher { return access(false) }

// Writes chooses targets that are written.
func Writes() Matcher { return access(true) }

func (a access) start(*rand.Rand) chooser {
	return func(r *Request) []bool {
		return some(r, func(t *Target) bool { return t.Write == bool(a) })
	}
}

func (a access) validate(int) error { return nil }

// predicate matches by a function.
type predicate func(operation string, t *Target) bool

// Func chooses the targets for which f is true. Only one request at a time calls f. f must neither
// send requests nor keep t. Parse cannot read the text of such a matcher.
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
