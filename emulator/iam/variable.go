package iam

import "strings"

// expand replaces the policy variables of a value by their values, on which it calls quote (IAM
// User Guide, "IAM policy elements: Variables and tags"). ok is false if a variable has no single
// value and no default.
func (r *Request) expand(value string, variables bool, quote func(string) string) (expanded string,
	ok bool) {
	if !variables || !strings.Contains(value, "${") {
		return value, true
	}
	var b strings.Builder
	for {
		before, rest, found := strings.Cut(value, "${")
		name, after, closed := strings.Cut(rest, "}")
		if !found || !closed {
			b.WriteString(value)
			return b.String(), true
		}
		b.WriteString(before)
		text, ok := r.variable(name)
		if !ok {
			return "", false
		}
		b.WriteString(quote(text))
		value = after
	}
}

// variable returns the value of a variable, or its default: "key, 'default'".
func (r *Request) variable(text string) (value string, ok bool) {
	switch text {
	case "*", "?", "$":
		return text, true
	}
	name, preset, hasPreset := strings.Cut(text, ",")
	if values := r.lookup(strings.ToLower(strings.TrimSpace(name))); len(values) == 1 {
		return values[0], true
	}
	preset = strings.TrimSpace(preset)
	if !hasPreset || len(preset) < 2 || preset[0] != '\'' || preset[len(preset)-1] != '\'' {
		return "", false
	}
	return preset[1 : len(preset)-1], true
}

func unquoted(text string) string { return text }
