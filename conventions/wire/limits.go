package wire

import (
	"cmp"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode/utf16"
	"unicode/utf8"
	"unsafe"

	"github.com/kugiri-db/kugiri/conventions/api"
)

// limits are the constraints of one type.
type limits struct {
	api.Constraint
	matches func(string) bool // whether a string matches Pattern; nil without one
	keys    *limits           // the constraints on a map's keys
	name    *limits           // the constraints on a value that is neither empty nor an ARN
	length  bool              // the length is checked before the pattern
	points  bool              // the length counts code points
}

// limitsOf returns the constraints on a type, or nil.
func limitsOf(t reflect.Type) *limits {
	c, ok := api.ConstraintOf(t)
	if !ok {
		return nil
	}
	c.Enum = asPrinted(c.Enum)
	l := &limits{Constraint: c, matches: matcher(c.Pattern), length: api.LengthFirst(t),
		points: api.InCodePoints(t)}
	if c.Keys != nil {
		l.keys = limitsOf(c.Keys)
	}
	if name := api.NameOf(t); name != nil {
		l.name = limitsOf(name)
	}
	return l
}

// asPrinted sorts the values of an enumeration as messages list them: by their slot in a table of
// 32 slots by Java's String.hashCode, and those of a slot from the last of the model to the first.
// That explains all lists that users have reported, such as Kinesis's [AFTER_SEQUENCE_NUMBER,
// LATEST, AT_TIMESTAMP, AT_SEQUENCE_NUMBER, TRIM_HORIZON], and service facts V.1.9.
func asPrinted(values []string) []string {
	slot := func(s string) int { return int(javaHash(s) % 32) }
	printed := slices.Clone(values)
	slices.Reverse(printed)
	slices.SortStableFunc(printed, func(a, b string) int { return cmp.Compare(slot(a), slot(b)) })
	return printed
}

// matcher returns a function that matches whole strings. The pattern of names has code of its own,
// and other patterns are compiled when they are first needed.
func matcher(pattern string) func(string) bool {
	switch pattern {
	case "":
		return nil
	case api.NamePattern:
		return isName
	}
	compiled := sync.OnceValue(
		func() *regexp.Regexp { return regexp.MustCompile(`^(?:` + goPattern(pattern) + `)$`) })
	return func(s string) bool { return compiled().MatchString(s) }
}

// isName reports whether a string matches api.NamePattern.
func isName(s string) bool {
	for i := range len(s) {
		switch c := s[i]; {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9',
			c == '_', c == '.', c == '-':
		default:
			return false
		}
	}
	return s != ""
}

// hold reports whether the value at p, which is not absent, satisfies l. nil is satisfied by all.
func (l *limits) hold(pl *plan, p unsafe.Pointer) bool {
	if l == nil {
		return true
	}
	switch pl.kind {
	case kindString:
		return l.holdString(*(*string)(p))
	case kindInt:
		return l.within(*(*int64)(p))
	case kindList, kindMap:
		return l.within(int64((*collection)(p).len))
	}
	return true
}

// of returns the constraints on a string.
func (l *limits) of(s string) *limits {
	if l.name == nil || s == "" || strings.HasPrefix(s, "arn:") {
		return l
	}
	return l.name
}

func (l *limits) holdString(s string) bool {
	l = l.of(s)
	if l.Enum != nil {
		return slices.Contains(l.Enum, s)
	}
	n := int64(len(s))
	if n > l.Max && l.Max > 0 || n < 3*l.Min {
		n = l.lengthOf(s)
	}
	return l.within(n) && (l.matches == nil || l.matches(s))
}

// within reports whether a length or a number is in the range of l.
func (l *limits) within(n int64) bool {
	return n >= l.Min && (l.Max == 0 || n <= l.Max)
}

// lengthOf returns the length of a string as the service counts it.
func (l *limits) lengthOf(s string) int64 {
	if l.points {
		return int64(utf8.RuneCountInString(s))
	}
	return length(s)
}

// length returns the length of a string in Java.
func length(s string) int64 {
	n := 0
	for _, r := range s {
		n += utf16.RuneLen(r)
	}
	return int64(n)
}

// broken returns the rules that the value at p violates, in the service's order.
func (l *limits) broken(pl *plan, p unsafe.Pointer) []broken {
	if l.hold(pl, p) {
		return nil
	}
	switch pl.kind {
	case kindString:
		return l.brokenString(*(*string)(p))
	case kindInt:
		return l.outside("value", *(*int64)(p))
	}
	return l.outside("length", int64((*collection)(p).len))
}

func (l *limits) brokenString(s string) []broken {
	l = l.of(s)
	if l.Enum != nil {
		return []broken{{l.enumRule(), RuleEnum}}
	}
	rules := l.outside("length", l.lengthOf(s))
	if l.matches != nil && !l.matches(s) {
		rules = append(rules, broken{l.patternRule(), RulePattern})
	}
	if len(rules) == 2 && !l.length {
		slices.Reverse(rules)
	}
	return rules
}

func (l *limits) outside(what string, n int64) []broken {
	switch {
	case n < l.Min:
		return []broken{{minRule(what, l.Min), RuleRange}}
	case l.Max > 0 && n > l.Max:
		return []broken{{maxRule(what, l.Max), RuleRange}}
	}
	return nil
}

// all lists all constraints on a type, as messages do for the elements of a collection.
func (l *limits) all(k kind) string {
	if l.name != nil {
		l = l.name
	}
	what := "length"
	if k == kindInt {
		what = "value"
	}
	var rules []string
	if l.Max > 0 {
		rules = append(rules, maxRule(what, l.Max))
	}
	if l.Min > 0 {
		rules = append(rules, minRule(what, l.Min))
	}
	if l.matches != nil {
		rules = append(rules, l.patternRule())
	}
	if l.Enum != nil {
		rules = append(rules, l.enumRule())
	}
	return "[" + strings.Join(rules, ", ") + "]"
}

func minRule(what string, n int64) string {
	return "Member must have " + what + " greater than or equal to " + strconv.FormatInt(n, 10)
}

func maxRule(what string, n int64) string {
	return "Member must have " + what + " less than or equal to " + strconv.FormatInt(n, 10)
}

func (l *limits) patternRule() string {
	return "Member must satisfy regular expression pattern: " + l.Pattern
}

func (l *limits) enumRule() string {
	return "Member must satisfy enum value set: [" + strings.Join(l.Enum, ", ") + "]"
}

// javaClasses has what the patterns of the model, which are Java's, have and Go's have not.
var javaClasses = strings.NewReplacer(`\p{Print}`, `[ -~]`, `\uD800\uDC00-\uDBFF\uDFFF`,
	`\x{10000}-\x{10FFFF}`,
	`\u0020`, `\x{20}`, `\uD7FF`, `\x{D7FF}`, `\uE000`, `\x{E000}`, `\uFFFD`, `\x{FFFD}`)

// goPattern returns a pattern of the model as Go's.
func goPattern(pattern string) string { return javaClasses.Replace(pattern) }
