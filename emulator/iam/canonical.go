package iam

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
)

// Canonical returns a policy's document as the service keeps it: without white space, with the
// elements in one order, lists of one string as the string, and accounts as the ARNs of their root
// users. (ack-api-quirks, DDB-TABLE-351 to 355, probes of the service.)
func (p *Policy) Canonical(partition string) string {
	var b bytes.Buffer
	w := canonicalWriter{&b, partition}
	w.object(p.source, documentOrder, w.documentMember)
	if p.HasVersion() {
		return b.String()
	}
	return `{"Version":"` + version2008 + `",` + b.String()[1:]
}

// HasVersion reports whether the document has a Version. One without it is not the same as one that
// states the default.
func (p *Policy) HasVersion() bool { return p.version != "" }

// canonicalWriter writes documents that parseDocument accepted.
type canonicalWriter struct {
	*bytes.Buffer
	partition string
}

// The elements of a document and of a statement, in their order.
var (
	documentOrder  = []string{"Version", "Id", "Statement"}
	statementOrder = []string{"Sid", "Effect", "Principal", "NotPrincipal", "Action", "NotAction",
		"Resource", "NotResource", "Condition"}
)

// wellNamed reports whether no object of a document has a member twice, the elements are named
// exactly, and none is null. Package json would accept all of that, and the canonical form would
// then mean something else.
func wellNamed(document json.RawMessage) bool {
	for _, m := range membersOf(document) {
		if m.name != "Statement" {
			continue
		}
		for _, s := range elementsOf(m.value) {
			if !distinct(s, statementOrder) {
				return false
			}
		}
	}
	return distinct(document, documentOrder)
}

// distinct reports whether an object has each member once and none of them is null, also the
// objects in it. With names, its members must be among them.
func distinct(object json.RawMessage, names []string) bool {
	seen := map[string]bool{}
	for _, m := range membersOf(object) {
		if seen[m.name] || string(m.value) == "null" || names != nil &&
			!slices.Contains(names, m.name) {
			return false
		}
		seen[m.name] = true
		if m.value[0] == '{' && !distinct(m.value, nil) {
			return false
		}
	}
	return true
}

// member is a member of a JSON object.
type member struct {
	name  string
	value json.RawMessage
}

// membersOf returns the members of an object in their order.
func membersOf(text json.RawMessage) (all []member) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.Token()
	for d.More() {
		name, _ := d.Token()
		var value json.RawMessage
		d.Decode(&value)
		all = append(all, member{name.(string), value})
	}
	return all
}

// elementsOf returns the elements of a list, or a value that stands for a list of one.
func elementsOf(text json.RawMessage) (all []json.RawMessage) {
	if text[0] != '[' || json.Unmarshal(text, &all) != nil {
		return []json.RawMessage{text}
	}
	return all
}

// object writes the members of an object, those of an order first, with write for each value.
func (w canonicalWriter) object(text json.RawMessage, order []string, write func(member)) {
	members := membersOf(text)
	place := func(m member) int {
		if i := slices.Index(order, m.name); i >= 0 {
			return i
		}
		return len(order)
	}
	slices.SortStableFunc(members, func(a, b member) int { return place(a) - place(b) })
	w.WriteByte('{')
	for i, m := range members {
		if i > 0 {
			w.WriteByte(',')
		}
		w.text(m.name)
		w.WriteByte(':')
		write(m)
	}
	w.WriteByte('}')
}

func (w canonicalWriter) documentMember(m member) {
	if m.name != "Statement" {
		w.strings(m.value, unquoted)
		return
	}
	w.WriteByte('[')
	for i, s := range elementsOf(m.value) {
		if i > 0 {
			w.WriteByte(',')
		}
		w.object(s, statementOrder, w.statementMember)
	}
	w.WriteByte(']')
}

func (w canonicalWriter) statementMember(m member) {
	switch m.name {
	case "Effect":
		w.strings(m.value,
			func(effect string) string {
				return strings.ToUpper(effect[:1]) + strings.ToLower(effect[1:])
			})
	case "Condition":
		w.object(m.value, nil, func(operator member) {
			w.object(operator.value, nil, func(key member) { w.strings(key.value, unquoted) })
		})
	case "Principal", "NotPrincipal":
		if m.value[0] == '"' {
			w.strings(m.value, unquoted)
			return
		}
		w.object(m.value, nil, func(kind member) { w.principals(kind.value) })
	default:
		w.strings(m.value, unquoted)
	}
}

// principals writes a list of principals, each once.
func (w canonicalWriter) principals(text json.RawMessage) {
	var names []json.RawMessage
	for _, element := range elementsOf(text) {
		var name string
		json.Unmarshal(element, &name)
		if validAccount(name) {
			name = "arn:" + w.partition + ":iam::" + name + ":root"
		}
		quoted, _ := json.Marshal(name)
		if !slices.ContainsFunc(names,
			func(n json.RawMessage) bool { return bytes.Equal(n, quoted) }) {
			names = append(names, quoted)
		}
	}
	list, _ := json.Marshal(names)
	w.strings(list, unquoted)
}

// strings writes a list of strings, or its only one.
func (w canonicalWriter) strings(text json.RawMessage, change func(string) string) {
	elements := elementsOf(text)
	if len(elements) != 1 {
		w.WriteByte('[')
		defer w.WriteByte(']')
	}
	for i, e := range elements {
		if i > 0 {
			w.WriteByte(',')
		}
		var value string
		if json.Unmarshal(e, &value) != nil {
			value = string(e) // a number or boolean
		}
		w.text(change(value))
	}
}

// text writes a string without escapes that JSON does not need.
func (w canonicalWriter) text(value string) {
	e := json.NewEncoder(w.Buffer)
	e.SetEscapeHTML(false)
	e.Encode(value)
	w.Truncate(w.Len() - 1) // the new line of Encode
}

// WithoutVersion returns a policy with the default version as if it were not stated.
func (p *Policy) WithoutVersion() *Policy {
	c := *p
	c.version = ""
	return &c
}
