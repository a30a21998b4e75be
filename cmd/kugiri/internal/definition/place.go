package definition

import (
	"fmt"
	"reflect"
)

// place is where something in a file is: the line, and the names that lead to it.
type place struct {
	file string
	line int    // 0: unknown
	path string // "" is the file itself
}

func (p place) String() string {
	text := p.file
	if p.line > 0 {
		text += fmt.Sprintf(":%d", p.line)
	}
	if p.path != "" {
		text += ": " + p.path
	}
	return text
}

// within returns the place of a part whose line is unknown.
func (p place) within(name string) place {
	if p.path != "" && name[0] != '[' {
		p.path += "."
	}
	p.path += name
	return p
}

// lines knows on which lines of their files the parts of objects and lists are. An object or a list
// is known by its address, so lines keeps them all.
type lines map[uintptr]origin

type origin struct {
	value    any // keeps anything else from getting its address
	file     string
	members  map[string]int
	elements []int
}

func (l lines) add(value any, o origin) {
	if at, ok := address(value); ok {
		o.value = value
		l[at] = o
	}
}

// copy gives a value the lines of the one that it was made from.
func (l lines) copy(to, from any) {
	if at, ok := address(from); ok {
		if o, known := l[at]; known {
			l.add(to, o)
		}
	}
}

// address returns the address of an object or a list. Empty lists have none.
func address(value any) (uintptr, bool) {
	switch v := value.(type) {
	case map[string]any:
		return reflect.ValueOf(v).Pointer(), v != nil
	case []any:
		return reflect.ValueOf(v).Pointer(), len(v) > 0
	}
	return 0, false
}

// member returns the place of a member of an object that is at a place.
func (l lines) member(p place, object any, name string) place {
	p = p.within(name)
	if at, ok := address(object); ok {
		if line := l[at].members[name]; line > 0 {
			p.file, p.line = l[at].file, line
		}
	}
	return p
}

// element returns the place of an element of a list that is at a place.
func (l lines) element(p place, list []any, i int) place {
	p = p.within(fmt.Sprintf("[%d]", i))
	if at, ok := address(list); ok && i < len(l[at].elements) {
		p.file, p.line = l[at].file, l[at].elements[i]
	}
	return p
}
