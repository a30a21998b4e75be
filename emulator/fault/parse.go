package fault

import (
	"errors"
	"fmt"
	"slices"

	"github.com/kugiri-db/kugiri/storage/budget"
	"github.com/kugiri-db/kugiri/storage/jsontree"
)

// maxFaults is the most faults that Parse reads at a time.
const maxFaults = 1000

// Parse reads faults in their text form: a JSON array of faults, or a single fault.
//
// A fault is {"when":MATCHER,"do":EFFECT,"seed":NUMBER,"mustHit":true}, where only "do" is
// required. An effect is {KIND:PARAMETERS}, or KIND alone if it has no parameters:
//
//	{"throttle":{"reason":"TableWriteKeyRangeThroughputExceeded","index":"by-name"}}
//	{"latency":"50ms"}  {"unprocessed":0.5}  {"shortPages":1}
//	{"staleReads":{"writes":3,"time":"1s"}}  {"laggingIndexes":{"time":"1s"}}
//	"internalServerError"  "serviceUnavailable"  "dropConnection"  "loseResponse"
//	"transactionConflict"  "transactionInProgress"  "expiredIterator"  "limitExceeded"
//	"rateExceeded"
//
// A matcher is an object. It chooses targets that all of its members choose. Members that count are
// asked last, whatever their order in the text:
//
//	"operation", "table", "index", "kinesisStream": a name, or an array of names
//	"key": {"pk":"user#1"}        "access": "read" or "write"
//	"and", "or": [MATCHER, ...]   "not": MATCHER
//	"probability": 0.5   "nth": 3   "every": 3   "first": 3
//	"times", "after": {"count":3,"when":MATCHER}
//
// Parse accepts nothing else. The faults that it returns are valid.
func Parse(text []byte) ([]Fault, error) {
	faults, err := parseFaults(text)
	if err != nil {
		return nil, budget.Brief(fmt.Errorf("fault: %w", err))
	}
	return faults, nil
}

func parseFaults(text []byte) ([]Fault, error) {
	n, err := parseJSON(text)
	if err != nil {
		return nil, err
	}
	list, err := n.array()
	if err != nil {
		list = []node{n}
	}
	if len(list) > maxFaults {
		return nil, fmt.Errorf("there are more than %d faults", maxFaults)
	}
	faults := make([]Fault, len(list))
	for i, n := range list {
		if faults[i], err = parseFault(n); err != nil {
			return nil, fmt.Errorf("number %d: %w", i+1, err)
		}
	}
	return faults, nil
}

func parseFault(n node) (f Fault, err error) {
	err = n.members(map[string]func(node) error{
		"when": func(n node) (err error) { f.When, err = parseMatcher(n, 0); return err },
		"do":   func(n node) (err error) { f.Do, err = parseEffect(n); return err },
		"seed": func(n node) (err error) { f.Seed, err = n.seed(); return err },

		"mustHit": func(n node) (err error) { f.MustHit, err = n.boolean(); return err },
	})
	switch {
	case err != nil:
		return f, err
	case f.Do.Kind == "":
		return f, errors.New(`the member "do" is missing`)
	}
	return f, f.check()
}

func parseEffect(n node) (e Effect, err error) {
	list, ok := n.Value.(jsontree.Object)
	if kind, named := n.Value.(string); named {
		list, ok = jsontree.Object{{Name: kind,
			Value: jsontree.Node{Value: jsontree.Object{}}}}, true
	}
	if !ok || len(list) != 1 {
		return e, errors.New(
			"must be the name of an effect, or an object with one member that has that name")
	}
	e.Kind = Kind(list[0].Name)
	form, known := forms[e.Kind]
	if !known {
		return e, fmt.Errorf("there is no effect %q", e.Kind)
	}
	if err := form.parse(&e, node(list[0].Value)); err != nil {
		return e, fmt.Errorf("%s: %w", e.Kind, err)
	}
	return e, nil
}

// matcherNames lists the members of matchers in the order in which they are asked. Those that do
// not count are first.
var matcherNames = []string{
	"operation", "table", "index", "kinesisStream", "key", "access", "not", "or", "and",
	"probability", "nth", "every", "first", "after", "times",
}

func parseMatcher(n node, depth int) (Matcher, error) {
	list, ok := n.Value.(jsontree.Object)
	switch {
	case !ok:
		return nil, errors.New("must be an object")
	case len(list) == 0:
		return nil, errors.New("there is nothing in it")
	case depth > maxDepth:
		return nil, fmt.Errorf("nested too deep, the limit is %d", maxDepth)
	}
	ranked := make([]Matcher, len(matcherNames))
	for _, m := range list {
		rank := slices.Index(matcherNames, m.Name)
		if rank < 0 {
			return nil, fmt.Errorf("there is no matcher %q", m.Name)
		}
		var err error
		if ranked[rank], err = parseNamed(m.Name, node(m.Value), depth+1); err != nil {
			return nil, fmt.Errorf("%s: %w", m.Name, err)
		}
	}
	ranked = slices.DeleteFunc(ranked, func(m Matcher) bool { return m == nil })
	if len(ranked) == 1 {
		return ranked[0], nil
	}
	return And(ranked...), nil
}

// parseNamed parses the value of one member of a matcher.
func parseNamed(name string, n node, depth int) (Matcher, error) {
	switch name {
	case "operation", "table", "index", "kinesisStream":
		list, err := parseNames(n)
		return names{name, list}, err
	case "key":
		return parseKey(n)
	case "access":
		return parseAccess(n)
	case "not":
		of, err := parseMatcher(n, depth)
		return not{of}, err
	case "and":
		list, err := parseMatchers(n, depth)
		return and(list), err
	case "or":
		list, err := parseMatchers(n, depth)
		return or(list), err
	case "probability":
		p, err := n.float()
		return chance(p), err
	case "times", "after":
		return parsePart(name, n, depth)
	}
	i, err := n.integer()
	return count{name, i}, err
}

// parseNames parses a name or a list of names.
func parseNames(n node) ([]string, error) {
	if one, err := n.text(); err == nil {
		return []string{one}, nil
	}
	elems, err := n.array()
	if err != nil {
		return nil, errors.New("must be a string, or an array of strings")
	}
	list := make([]string, len(elems))
	for i := range elems {
		if list[i], err = elems[i].text(); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// parseKey parses the attributes of a key. All of them must match.
func parseKey(n node) (Matcher, error) {
	list, ok := n.Value.(jsontree.Object)
	if !ok || len(list) == 0 {
		return nil, errors.New("must be an object of attributes")
	}
	attributes := make([]Matcher, len(list))
	for i, m := range list {
		value, err := node(m.Value).text()
		if err != nil {
			return nil, fmt.Errorf("%s: %w", m.Name, err)
		}
		attributes[i] = attribute{m.Name, value}
	}
	if len(attributes) == 1 {
		return attributes[0], nil
	}
	return And(attributes...), nil
}

func parseAccess(n node) (Matcher, error) {
	switch s, _ := n.text(); s {
	case "read":
		return Reads(), nil
	case "write":
		return Writes(), nil
	}
	return nil, errors.New(`must be "read" or "write"`)
}

func parseMatchers(n node, depth int) ([]Matcher, error) {
	elems, err := n.array()
	if err != nil {
		return nil, err
	}
	list := make([]Matcher, len(elems))
	for i := range elems {
		if list[i], err = parseMatcher(elems[i], depth); err != nil {
			return nil, err
		}
	}
	return list, nil
}

func parsePart(kind string, n node, depth int) (Matcher, error) {
	p := part{kind: kind}
	err := n.members(map[string]func(node) error{
		"count": func(n node) (err error) { p.n, err = n.integer(); return err },
		"when":  func(n node) (err error) { p.of, err = parseMatcher(n, depth); return err },
	})
	if err == nil && p.of == nil {
		err = errors.New(`the member "when" is missing`)
	}
	return p, err
}
