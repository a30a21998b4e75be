package mask

import (
	"fmt"
	"slices"
	"strings"
)

// Mask says which attributes are masked, and how. The first rule that fits an attribute decides.
type Mask struct{ Rules []Rule }

// Rule says how some attributes are masked.
type Rule struct {
	Tables []string // names of tables; nil is all

	// Path is the names on the way to a value: an attribute, then members of maps; "*" is any name.
	// A list on the way adds no name: the path goes on in each element. Everything inside the value
	// is masked.
	Path []string

	When    *Condition // nil is every item
	Method  Method     // the method for a whole value; unused with Pattern
	Pattern *Pattern   // a pattern of texts; values that do not have it are left to further rules
}

// unique reports whether the rule gives different values different results.
func (r *Rule) unique() bool { return r.Pattern != nil || r.Method.unique() }

// forKeys reports whether the rule may mask keys of items: two items must not get one key.
func (r *Rule) forKeys() bool { return r.unique() && r.When == nil }

// Condition is on an attribute that is text.
type Condition struct {
	Attribute string
	Is        []string // any of these
	Begins    string
}

// Pattern takes a text apart: "USER#{user}#ORDER#{order}" has the parts user and order. A part ends
// where the text after it first occurs.
type Pattern struct {
	Text  string
	Parts map[string]Method

	literals, names []string // literals has one more
}

// check finds what is wrong with a mask. Its error names the field.
func (m *Mask) check() error {
	for i := range m.Rules {
		if err := m.Rules[i].check(); err != nil {
			return &ruleError{fmt.Sprintf("rules[%d]", i), err}
		}
	}
	return nil
}

// ruleError is an error of a rule.
type ruleError struct {
	field string
	err   error
}

func (e *ruleError) Error() string { return e.field + ": " + e.err.Error() }

// FieldMessage returns the field and the message, for the line of the file.
func (e *ruleError) FieldMessage() (field, message string) { return e.field, e.err.Error() }

func (r *Rule) check() error {
	switch {
	case len(r.Path) == 0 || slices.Contains(r.Path, ""):
		return fmt.Errorf(
			`attribute names what is masked, such as "email", "address.street" or "*"`)
	case r.When != nil && r.When.Attribute == "":
		return fmt.Errorf("when needs an attribute, and is or begins")
	case r.Pattern != nil && r.Method.As != "":
		return fmt.Errorf("as and pattern do not go together: parts says what becomes of each part")
	case r.Pattern != nil:
		return r.Pattern.compile()
	case r.Method.As == "":
		return fmt.Errorf(
			"as says what becomes of the value: keep, drop, constant, text, email or date")
	}
	return r.Method.check()
}

func (m *Method) check() error {
	switch {
	case m.As == Constant && m.Value == "":
		return fmt.Errorf("constant needs a value")
	case m.As != Constant && m.Value != "":
		return fmt.Errorf("only constant has a value")
	case m.As != Text && (m.First != 0 || m.Last != 0):
		return fmt.Errorf("only text keeps first or last characters")
	case m.First < 0 || m.Last < 0:
		return fmt.Errorf("first and last are not negative")
	case m.As != Date && m.Days != 0:
		return fmt.Errorf("only date has days")
	case m.Days < 0 || m.Days > 36500:
		return fmt.Errorf("days are from 1 to 36500")
	}
	return nil
}

func (p *Pattern) compile() error {
	p.literals, p.names = nil, nil
	rest := p.Text
	for {
		literal, after, found := strings.Cut(rest, "{")
		p.literals = append(p.literals, literal)
		if !found {
			break
		}
		if len(p.names) > 0 && literal == "" {
			return fmt.Errorf("pattern: there must be text between {%s} and the next part",
				p.names[len(p.names)-1])
		}
		name, after, found := strings.Cut(after, "}")
		if !found || name == "" {
			return fmt.Errorf("pattern: a part is a name in braces, such as {user}")
		}
		p.names, rest = append(p.names, name), after
	}
	if len(p.names) == 0 {
		return fmt.Errorf("pattern: it has no part such as {user}")
	}
	return p.checkParts()
}

func (p *Pattern) checkParts() error {
	for name := range p.Parts {
		if !slices.Contains(p.names, name) {
			return fmt.Errorf("parts: the pattern has no {%s}", name)
		}
	}
	for i, name := range p.names {
		part, ok := p.Parts[name]
		switch {
		case !ok:
			return fmt.Errorf("parts: {%s} is missing: keep lets it stay", name)
		case slices.Contains(p.names[:i], name):
			return fmt.Errorf("pattern: {%s} is there twice", name)
		case !part.unique():
			return fmt.Errorf("parts: {%s} cannot be %s", name, part.As)
		}
		if err := part.check(); err != nil {
			return fmt.Errorf("parts: {%s}: %w", name, err)
		}
	}
	return nil
}

// split takes a text apart. ok is false if the text does not have the pattern.
func (p *Pattern) split(text string) (parts []string, ok bool) {
	rest, ok := strings.CutPrefix(text, p.literals[0])
	if !ok {
		return nil, false
	}
	for _, literal := range p.literals[1:] {
		part, after := rest, ""
		if literal != "" {
			if part, after, ok = strings.Cut(rest, literal); !ok {
				return nil, false
			}
		}
		parts, rest = append(parts, part), after
	}
	return parts, rest == ""
}

// join is the opposite of split.
func (p *Pattern) join(parts []string) string {
	var b strings.Builder
	b.WriteString(p.literals[0])
	for i, part := range parts {
		b.WriteString(part)
		b.WriteString(p.literals[i+1])
	}
	return b.String()
}
