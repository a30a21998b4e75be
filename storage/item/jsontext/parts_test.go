package jsontext

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestParts goes through an object or a list twice: once it reads the values, once it does not.
func TestParts(t *testing.T) {
	const depth = 2
	for _, c := range []struct {
		name, text string
		parts      []string
		rest       string
	}{
		{"no members", " { } 1", nil, " 1"},
		{"members", ` { "a" : 1 , "b":[{}] } x`, []string{"a=1", "b=[{}]"}, " x"},
		{"a name twice", `{"a":1,"a":2}`, []string{"a=1", "a=2"}, ""},
		{"a name with escapes", `{"\u0061\n":null}`, []string{"a\n=null"}, ""},
		{"a value behind a blank", "{\"a\":\n\t\"b\" }", []string{`a="b"`}, ""},
		{"no elements", "[ ]", nil, ""},
		{"elements", `[1, "x" ,{"a":2}], 3`, []string{"0=1", `1="x"`, `2={"a":2}`}, ", 3"},
		{"a number", " 1", nil, "1"},
		{"nothing", "", nil, ""},
		{"an object that ends early", `{"a":1`, []string{"a=1"}, ""},
		{"a comma before the end", `{"a":1,}`, []string{"a=1"}, "}"},
		{"a name without quotes", `{"a":1,b:2}`, []string{"a=1"}, "b:2}"},
		{"a comma too many", `[1,,2]`, []string{"0=1"}, ",2]"},
		{"no comma", `[1 2]`, []string{"0=1"}, "2]"},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, reads := range []bool{true, false} {
				s := NewScanner(c.text)
				var parts []string
				part := func(of any) bool {
					at := s
					value, err := at.Value(depth)
					if err != nil {
						return false
					}
					if reads {
						s = at
					}
					parts = append(parts, fmt.Sprintf("%v=%s", of, value))
					return true
				}
				if s.Peek() == '[' {
					for i := range s.Elements(depth) {
						if !part(i) {
							break
						}
					}
				} else {
					for name := range s.Members(depth) {
						if !part(name) {
							break
						}
					}
				}
				assert.Equal(t, c.parts, parts)
				assert.Equal(t, c.rest, s.Rest())
			}
		})
	}
}

// TestPartsTooDeep: a loop that does not read what is too deep ends there.
func TestPartsTooDeep(t *testing.T) {
	s := NewScanner(`{"a":[[1]],"b":2}`)
	var names []string
	for name := range s.Members(1) {
		names = append(names, name)
	}
	assert.Equal(t, []string{"a"}, names)
}
