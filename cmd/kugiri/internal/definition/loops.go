package definition

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// forEach begins the names of loops (CloudFormation User Guide, "Fn::ForEach").
const forEach = "Fn::ForEach::"

var errLoop = errors.New("want an identifier, a list and an object")

// loops makes members of the loops in a section of a template.
type loops struct {
	*stack
	values map[string]string // values of the loops around, by their identifiers
}

// unroll returns a section with the members that its loops make. A loop that cannot be resolved is
// noted and left out.
func (s *stack) unroll(at place, root map[string]any, section string) map[string]any {
	v, _ := root[section].(map[string]any)
	if !hasLoops(v) {
		return v
	}
	at = s.lines.member(at, root, section)
	if !slices.Contains(transforms(root), languageExtensions) {
		s.note(at, "Fn::ForEach needs Transform: %s", languageExtensions)
		return v
	}
	l := &loops{s, map[string]string{}}
	unrolled, _ := l.value(at, v).(map[string]any)
	return unrolled
}

func hasLoops(v any) bool {
	switch v := v.(type) {
	case []any:
		return slices.ContainsFunc(v, hasLoops)
	case map[string]any:
		for name, member := range v {
			if strings.HasPrefix(name, forEach) || hasLoops(member) {
				return true
			}
		}
	}
	return false
}

// value returns a value in which identifiers have the values of the loops around.
func (l *loops) value(at place, v any) any {
	if l.budget.Step() != nil {
		return nil // the reading of the file ends
	}
	switch v := v.(type) {
	case string:
		return l.text(v)
	case []any:
		list := make([]any, len(v))
		for i, element := range v {
			list[i] = l.value(l.lines.element(at, v, i), element)
		}
		l.lines.copy(list, v)
		return list
	case map[string]any:
		if name, _ := v["Ref"].(string); len(v) == 1 {
			if value, ok := l.values[name]; ok {
				return value
			}
		}
		return l.object(at, v)
	}
	return v
}

func (l *loops) object(at place, v map[string]any) map[string]any {
	object := make(map[string]any, len(v))
	o := origin{file: at.file, members: map[string]int{}}
	set := func(here place, name string, member any) {
		if _, twice := object[name]; twice {
			l.note(here, "is there twice: a loop makes it as well")
		}
		object[name], o.members[name], o.file = member, here.line, here.file
	}
	for _, name := range sortedKeys(v) {
		here := l.lines.member(at, v, name)
		if !strings.HasPrefix(name, forEach) {
			set(here, l.text(name), l.value(here, v[name]))
			continue
		}
		if err := l.loop(here, v[name], set); err != nil {
			l.note(here, "is left out: %v", err)
		}
	}
	l.lines.add(object, o)
	return object
}

// loop sets the members that a loop makes.
func (l *loops) loop(at place, v any, set func(here place, name string, member any)) error {
	arguments, _ := v.([]any)
	if len(arguments) != 3 {
		return errLoop
	}
	identifier, ok1 := arguments[0].(string)
	body, ok2 := arguments[2].(map[string]any)
	if !ok1 || !ok2 {
		return errLoop
	}
	evaluated, err := l.eval(l.value(at, arguments[1]))
	if err != nil {
		return err
	}
	list, ok := evaluated.([]any)
	if !ok {
		return errLoop
	}
	within := l.lines.element(at, arguments, 2)
	for _, element := range list {
		value, err := scalarText(element)
		if err != nil {
			return fmt.Errorf("the list: %w", err)
		}
		round := &loops{l.stack, maps.Clone(l.values)}
		round.values[identifier] = value
		made := round.object(within, body)
		for _, name := range sortedKeys(made) {
			set(l.lines.member(within, made, name), name, made[name])
		}
	}
	return nil
}

// text returns a text with the values of ${Identifier}, and of &{Identifier} without the characters
// that a logical ID cannot have.
func (l *loops) text(text string) string {
	for _, identifier := range sortedKeys(l.values) {
		value := l.values[identifier]
		text = l.replaced(text, "${"+identifier+"}", value)
		text = l.replaced(text, "&{"+identifier+"}", strings.Map(alphanumeric, value))
	}
	return text
}

func (l *loops) replaced(text, name, value string) string {
	n := strings.Count(text, name)
	if n == 0 || l.budget.Bytes(int64(len(text)+n*len(value))) != nil {
		return text
	}
	return strings.ReplaceAll(text, name, value)
}

// alphanumeric drops characters that are neither letters nor digits of ASCII.
func alphanumeric(c rune) rune {
	if c >= '0' && c <= '9' || c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z' {
		return c
	}
	return -1
}
