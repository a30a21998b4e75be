package designfile

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"
)

// change makes a change of the field that is some steps below a node.
func (e *editor) change(n *yaml.Node, steps []any, value *yaml.Node) {
	for _, s := range steps[:len(steps)-1] {
		at := find(n, s)
		if at < 0 {
			e.fail("there is no such field")
			return
		}
		n = n.Content[at]
	}
	last := steps[len(steps)-1]
	name, isName := last.(string)
	at := find(n, last)
	switch {
	case n.Kind == yaml.MappingNode != isName || n.Kind != yaml.MappingNode &&
		n.Kind != yaml.SequenceNode:
		e.fail(inText)
	case at >= 0 && value == nil:
		e.remove(n, at)
	case at >= 0:
		e.set(n, at, value)
	case value == nil:
	case isName:
		e.addMember(n, name, value)
	case last == len(n.Content):
		e.addElement(n, value)
	default:
		e.fail("there is no such element")
	}
}

// find returns the place of the value of a member, or of an element; -1 if it is not there.
func find(n *yaml.Node, step any) int {
	switch step := step.(type) {
	case string:
		for i := 0; n.Kind == yaml.MappingNode && i < len(n.Content); i += 2 {
			if n.Content[i].Value == step {
				return i + 1
			}
		}
	case int:
		if n.Kind == yaml.SequenceNode && step < len(n.Content) {
			return step
		}
	}
	return -1
}

// start returns where a node begins.
func (e *editor) start(n *yaml.Node) int {
	if n.Line < 1 || n.Line > len(e.lines) {
		e.fail(inText)
		return 0
	}
	at := e.lines[n.Line-1]
	for range n.Column - 1 {
		_, size := utf8.DecodeRune(e.text[at:])
		at += size
	}
	return at
}

// end returns where a node ends.
func (e *editor) end(n *yaml.Node) int {
	at := e.start(n)
	rest := e.text[at:]
	isCollection := n.Kind == yaml.MappingNode || n.Kind == yaml.SequenceNode
	switch {
	case n.Kind == yaml.AliasNode:
		return at + 1 + len(n.Value)
	case isCollection && n.Style&yaml.FlowStyle == 0:
		return e.end(n.Content[len(n.Content)-1])
	case isCollection:
		closes := map[yaml.Kind]byte{yaml.MappingNode: '}', yaml.SequenceNode: ']'}[n.Kind]
		if at++; len(n.Content) > 0 {
			at = e.end(n.Content[len(n.Content)-1])
		}
		if at = e.skip(at); at < len(e.text) && e.text[at] == closes {
			return at + 1
		}
	case n.Style&(yaml.DoubleQuotedStyle|yaml.SingleQuotedStyle) != 0:
		if to := quoted(rest); to > 0 {
			return at + to
		}
	case n.Style&^yaml.TaggedStyle == 0 && n.Value != "" &&
		bytes.HasPrefix(rest, []byte(n.Value)):
		return at + len(n.Value)
	}
	e.fail(inText)
	return at
}

// quoted returns how long the quoted text is that begins a text; 0 if none does.
func quoted(text []byte) int {
	if len(text) == 0 || text[0] != '"' && text[0] != '\'' {
		return 0
	}
	for i := 1; i < len(text); i++ {
		switch {
		case text[i] == '\\' && text[0] == '"':
			i++
		case text[i] != text[0]:
		case text[0] == '\'' && i+1 < len(text) && text[i+1] == '\'':
			i++
		default:
			return i + 1
		}
	}
	return 0
}

// skip returns the place of what follows space, commas and comments.
func (e *editor) skip(at int) int {
	for ; at < len(e.text); at++ {
		switch c := e.text[at]; {
		case c == '#':
			at = e.lineEnd(at) - 1
		case !strings.ContainsRune(" \t\r\n,", rune(c)):
			return at
		}
	}
	return at
}

// lineEnd returns where the line of a place ends.
func (e *editor) lineEnd(at int) int {
	to := bytes.IndexByte(e.text[at:], '\n')
	if to < 0 {
		return len(e.text)
	}
	if to > 0 && e.text[at+to-1] == '\r' {
		to--
	}
	return at + to
}

// commented reports whether there are comments within a node.
func commented(n *yaml.Node) bool {
	for _, c := range n.Content {
		if c.HeadComment+c.LineComment+c.FootComment != "" || commented(c) {
			return true
		}
	}
	return false
}

// set replaces the value at a place of a node.
func (e *editor) set(in *yaml.Node, at int, value *yaml.Node) {
	old := in.Content[at]
	if old.Tag == "!!null" && old.Value == "" && in.Kind == yaml.MappingNode {
		colon := e.skip(e.end(in.Content[at-1]))
		if colon < len(e.text) && e.text[colon] == ':' {
			e.replace(colon+1, colon+1, " "+flowOf(value))
			return
		}
	}
	if commented(old) {
		e.fail("there are comments within it: change it in the text")
		return
	}
	with := flowOf(value)
	isBlock := len(old.Content) > 0 && old.Style&yaml.FlowStyle == 0
	if isBlock && old.Column <= in.Content[0].Column {
		with = "  " + with // a list may begin where its name does, and other values may not
	}
	e.replace(e.start(old), e.end(old), with)
}

// remove removes the value at a place of a node, with its name.
func (e *editor) remove(in *yaml.Node, at int) {
	width := 1 // a member takes one more for its name
	if in.Kind == yaml.MappingNode {
		width = 2
	}
	first, next := at-width+1, at+1
	from, to := e.start(in.Content[first]), e.end(in.Content[at])
	switch isFlow := in.Style&yaml.FlowStyle != 0; {
	case len(in.Content) == width:
		e.empty(in)
	case isFlow && next < len(in.Content):
		e.cut(from, to, e.start(in.Content[next]))
	case isFlow:
		before := e.end(in.Content[first-1])
		e.cut(before, before, to)
	default:
		e.removeLines(in, first, to)
	}
}

// cut removes a part of a text, which has no comments from a place on.
func (e *editor) cut(from, last, to int) {
	if bytes.IndexByte(e.text[last:to], '#') >= 0 && from != last {
		e.fail("there is a comment beside it: change it in the text")
	}
	e.replace(from, to, "")
}

// empty removes all of a collection.
func (e *editor) empty(in *yaml.Node) {
	with := map[yaml.Kind]string{yaml.MappingNode: "{}", yaml.SequenceNode: "[]"}[in.Kind]
	if in.Style&yaml.FlowStyle == 0 && in.Column > 0 {
		with = "  " + with
	}
	e.replace(e.start(in), e.end(in), with)
}

// removeLines removes the lines of a member or an element that ends at a place, and the comments
// right above it.
func (e *editor) removeLines(in *yaml.Node, first, to int) {
	n := in.Content[first]
	line := n.Line - 1
	mark := ""
	if in.Kind == yaml.SequenceNode {
		mark = "-"
		for line > 0 && !bytes.HasPrefix(e.lineFrom(line, in.Column), []byte(mark)) {
			line--
		}
	}
	indent := e.indent(line)
	if len(indent) != in.Column-1 || !bytes.HasPrefix(e.lineFrom(line, in.Column), []byte(mark)) {
		if next := first + 2; in.Kind == yaml.MappingNode && next < len(in.Content) {
			e.cut(e.start(n), to, e.start(in.Content[next]))
			return
		}
		e.fail(inText)
		return
	}
	for line > 0 && e.indent(line-1) == indent &&
		bytes.HasPrefix(e.lineFrom(line-1, in.Column), []byte("#")) {
		line--
	}
	from, until := e.lines[line], e.lineEnd(to)
	if rest := bytes.TrimSpace(e.text[to:until]); len(rest) > 0 && rest[0] != '#' {
		e.fail(inText)
	}
	if until += len(e.newLine); until > len(e.text) {
		from, until = max(0, from-len(e.newLine)), len(e.text)
	}
	e.replace(from, until, "")
}

// lineFrom returns a line from a column on, which counts from 1.
func (e *editor) lineFrom(line, column int) []byte {
	from := e.lines[line]
	to := e.lineEnd(from)
	return e.text[min(from+column-1, to):to]
}

// indent returns the space that begins a line.
func (e *editor) indent(line int) string {
	text := e.lineFrom(line, 1)
	return string(text[:len(text)-len(bytes.TrimLeft(text, " "))])
}
