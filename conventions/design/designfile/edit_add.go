package designfile

import (
	"bytes"
	"strings"

	"go.yaml.in/yaml/v3"
)

// addMember adds a member to an object.
func (e *editor) addMember(in *yaml.Node, name string, value *yaml.Node) {
	if in.Style&yaml.FlowStyle != 0 || len(in.Content) == 0 {
		e.addFlow(in, text(name)+": "+flowOf(value))
		return
	}
	indent := strings.Repeat(" ", in.Content[0].Column-1)
	if isBlock(value) {
		e.addLines(in.Content[len(in.Content)-1], indent+text(name)+":"+
			e.elements(value, indent+"  "))
		return
	}
	// Beside those that take one line: lists of many lines come last.
	after := in.Content[len(in.Content)-1]
	for i := 1; i < len(in.Content); i += 2 {
		if isBlock(in.Content[i]) && i > 1 {
			after = in.Content[i-2]
			break
		}
	}
	e.addLines(after, indent+text(name)+": "+flowOf(value))
}

// isBlock reports whether a list or an object has, or gets, lines of its own.
func isBlock(n *yaml.Node) bool {
	if len(n.Content) == 0 {
		return false
	}
	isJSON := n.Kind == yaml.SequenceNode && n.Content[0].Kind == yaml.MappingNode
	return n.Style&yaml.FlowStyle == 0 || isJSON
}

// addElement adds an element to a list. A model takes lines, and all else one line.
func (e *editor) addElement(in, value *yaml.Node) {
	if in.Style&yaml.FlowStyle != 0 || len(in.Content) == 0 {
		e.addFlow(in, flowOf(value))
		return
	}
	indent := strings.Repeat(" ", in.Column-1)
	e.addLines(in.Content[len(in.Content)-1], strings.TrimPrefix(
		e.element(value, indent), e.newLine))
}

// elements returns the elements of a list, each in lines of its own.
func (e *editor) elements(list *yaml.Node, indent string) string {
	var b strings.Builder
	for _, v := range list.Content {
		b.WriteString(e.element(v, indent))
	}
	return b.String()
}

func (e *editor) element(v *yaml.Node, indent string) string {
	if find(v, "attributes") < 0 || find(v, "key") < 0 {
		return e.newLine + indent + "- " + flowOf(v)
	}
	var b strings.Builder
	for i := 0; i+1 < len(v.Content); i += 2 {
		b.WriteString(e.newLine + indent + map[bool]string{true: "- ", false: "  "}[i == 0] +
			text(v.Content[i].Value) + ":")
		if value := v.Content[i+1]; v.Content[i].Value == "attributes" && len(value.Content) > 0 {
			b.WriteString(e.elements(value, indent+"    "))
		} else {
			b.WriteString(" " + flowOf(value))
		}
	}
	return b.String()
}

// addLines adds lines below a node.
func (e *editor) addLines(after *yaml.Node, lines string) {
	to := e.end(after)
	end := e.lineEnd(to)
	if rest := bytes.TrimSpace(e.text[to:end]); len(rest) > 0 && rest[0] != '#' {
		e.fail(inText)
	}
	e.replace(end, end, e.newLine+lines)
}

// addFlow adds a part to a list or an object between brackets.
func (e *editor) addFlow(in *yaml.Node, part string) {
	at := e.start(in) + 1
	if len(in.Content) > 0 {
		at, part = e.end(in.Content[len(in.Content)-1]), ", "+part
	}
	e.end(in) // fails if there are no brackets
	e.replace(at, at, part)
}

// flowOf writes a value in one line.
func flowOf(n *yaml.Node) string {
	parts := []string{}
	switch n.Kind {
	case yaml.MappingNode:
		for i := 0; i+1 < len(n.Content); i += 2 {
			parts = append(parts, quotedText(n.Content[i].Value)+": "+flowOf(n.Content[i+1]))
		}
		return "{" + strings.Join(parts, ", ") + "}"
	case yaml.SequenceNode:
		for _, v := range n.Content {
			parts = append(parts, flowOf(v))
		}
		return "[" + strings.Join(parts, ", ") + "]"
	}
	if n.Tag == "!!str" {
		return quotedText(n.Value)
	}
	return n.Value
}

// quotedText is text, with quotes also if it is empty.
func quotedText(s string) string {
	if s == "" {
		return `""`
	}
	return text(s)
}
