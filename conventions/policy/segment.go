package policy

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/kugiri-db/kugiri/conventions"
)

// SegmentType is the type of a segment of a key.
type SegmentType uint8

// The types of segments. A segment is never empty and never has a "#".
const (
	Any       SegmentType = iota
	Literal               // Values[0]
	ULID                  // 01HX7MBJK3V9WQBZ7XNDK5ZT2M
	Enum                  // one of Values
	Date                  // 2024-01-15
	Month                 // 2024-01
	Timestamp             // 2024-01-15T10:30:00Z, with or without a fraction of a second
	Number                // decimal digits: 001
	Tenant                // a tenant; if tenants are declared, one of them
	Status                // the status of the item, which changes; only for keys of indexes
)

var segmentTypeNames = [...]string{"any", "literal", "ulid", "enum", "date", "month", "timestamp",
	"number", "tenant", "status"}

func (t SegmentType) String() string { return nameOf(segmentTypeNames[:], int(t)) }

// Segment is one part of a key between separators. Name is for people, and empty for a literal.
// Lead is fixed text in front of the variable part: Post_ in Post_{created:timestamp}.
type Segment struct {
	Name   string
	Type   SegmentType
	Values []string
	Lead   string
}

// isFixed reports whether the policy lists all values of the segment.
func (s *Segment) isFixed() bool { return s.Type == Literal || s.Type == Enum }

// String returns the segment in the form of a pattern.
func (s Segment) String() string {
	switch {
	case s.Type == Literal && len(s.Values) > 0:
		return s.Values[0]
	case s.Type == Enum:
		values := strings.Join(s.Values, "|")
		if len(s.Values) == 1 {
			values += "|"
		}
		return "{" + s.Name + ":" + values + "}"
	case s.Type == Any:
		return s.Lead + "{" + s.Name + "}"
	}
	return s.Lead + "{" + s.Name + ":" + s.Type.String() + "}"
}

func patternText(segments []Segment) string {
	texts := make([]string, len(segments))
	for i, s := range segments {
		texts[i] = s.String()
	}
	return strings.Join(texts, conventions.KeySeparator)
}

// ParsePattern parses segments in the form of a key, with variable parts in braces:
// ORDER_ITEM#{order:ulid}#{item:number}. {name} has the type Any. {name:a|b} is an enumeration, and
// {name:a|} one with a single value. Post_{created:timestamp} begins with Post_. String writes this
// form.
func ParsePattern(pattern string) ([]Segment, error) {
	if pattern == "" {
		return nil, nil
	}
	parts := strings.Split(pattern, conventions.KeySeparator)
	segments := make([]Segment, len(parts))
	for i, part := range parts {
		s, err := parseSegment(part)
		if err != nil {
			return nil, fmt.Errorf("segment %d of the pattern %.100q: %w", i+1, pattern, err)
		}
		segments[i] = s
	}
	return segments, nil
}

// Pattern is ParsePattern for constant patterns. It panics if the pattern is wrong.
func Pattern(pattern string) []Segment {
	segments, err := ParsePattern(pattern)
	if err != nil {
		panic(err)
	}
	return segments
}

func parseSegment(text string) (Segment, error) {
	lead, inner, braced := strings.Cut(text, "{")
	if !braced {
		s := Segment{Type: Literal, Values: []string{text}}
		return s, s.check()
	}
	inner, closed := strings.CutSuffix(inner, "}")
	if !closed {
		return Segment{}, fmt.Errorf("%.100q has no closing brace", text)
	}
	name, typeName, typed := strings.Cut(inner, ":")
	s := Segment{Name: name, Lead: lead}
	switch i := slices.Index(segmentTypeNames[:], typeName); {
	case !typed:
	case strings.Contains(typeName, "|"):
		s.Type = Enum
		for value := range strings.SplitSeq(typeName, "|") {
			if value != "" {
				s.Values = append(s.Values, value)
			}
		}
	case i < 0 || SegmentType(i) == Literal || SegmentType(i) == Enum:
		return Segment{}, fmt.Errorf(
			"%.100q is no type: use any, ulid, date, month, timestamp, number, tenant, status or a|b|c", typeName)
	default:
		s.Type = SegmentType(i)
	}
	return s, s.check()
}

// check returns an error for a segment that no key can have.
func (s *Segment) check() error {
	if s.Type > Status {
		return fmt.Errorf("%d is no type of segments", s.Type)
	}
	if s.isFixed() != (len(s.Values) > 0) || s.Type == Literal && len(s.Values) != 1 {
		return fmt.Errorf("a segment of type %s has %d values", s.Type, len(s.Values))
	}
	if s.Type != Literal && s.Name == "" {
		return fmt.Errorf("a segment that varies needs a name")
	}
	if s.Lead != "" && s.isFixed() {
		return fmt.Errorf("%.100q stands before a list of values: write it into each of them",
			s.Lead)
	}
	if strings.ContainsAny(s.Lead, "{}#@|") {
		return fmt.Errorf("%.100q holds one of {}#@|", s.Lead)
	}
	if strings.ContainsAny(s.Name, "{}#:|") {
		return fmt.Errorf("the name %.100q holds one of {}#:|", s.Name)
	}
	for _, v := range s.Values {
		if v == "" {
			return fmt.Errorf("it is empty")
		}
		if strings.ContainsAny(v, "{}#@|") {
			return fmt.Errorf("%.100q holds one of {}#@|", v)
		}
	}
	return nil
}

// accepts reports whether text is a value of the segment. known has the known tenants; nil allows
// all.
func (s *Segment) accepts(text string, known map[string]bool) bool {
	text, ok := strings.CutPrefix(text, s.Lead)
	if !ok {
		return false
	}
	switch s.Type {
	case Any, Status:
		return text != ""
	case Literal:
		return text == s.Values[0]
	case Enum:
		return slices.Contains(s.Values, text)
	case ULID:
		return conventions.IsULID(text)
	case Number:
		return text != "" && strings.Trim(text, "0123456789") == ""
	case Tenant:
		return text != "" && (known == nil || known[text])
	}
	return isTime(s.Type, text)
}

// isTime reports whether text is a time in the form of the type.
func isTime(t SegmentType, text string) bool {
	layout := time.RFC3339Nano
	switch t {
	case Date:
		layout = time.DateOnly
	case Month:
		layout = "2006-01"
	default:
		if !strings.HasSuffix(text, "Z") { // times in other zones do not sort correctly
			return false
		}
	}
	_, err := time.Parse(layout, text)
	return err == nil
}

// leads reports whether text begins with the fixed text of the segment.
func (s *Segment) leads(text string) bool {
	if s.isFixed() {
		return s.accepts(text, nil)
	}
	return strings.HasPrefix(text, s.Lead)
}

// overlaps reports whether a text can be a value of both segments. Two types of free text differ by
// their form.
func (s *Segment) overlaps(o *Segment) bool {
	switch {
	case s.isFixed() && o.isFixed():
		return slices.ContainsFunc(s.Values,
			func(v string) bool { return slices.Contains(o.Values, v) })
	case s.isFixed():
		return slices.ContainsFunc(s.Values, func(v string) bool { return o.accepts(v, nil) })
	case o.isFixed():
		return o.overlaps(s)
	case !s.begins(o.Lead) && !o.begins(s.Lead):
		return false
	}
	return s.isText() || o.isText() || s.Type == o.Type
}

// isText reports whether a segment accepts text of any form.
func (s *Segment) isText() bool { return s.Type == Any || s.Type == Tenant || s.Type == Status }

// begins reports whether a value of the segment can begin with text.
func (s *Segment) begins(text string) bool {
	if s.isFixed() {
		return slices.ContainsFunc(s.Values,
			func(v string) bool { return strings.HasPrefix(v, text) })
	}
	if len(text) <= len(s.Lead) {
		return strings.HasPrefix(s.Lead, text)
	}
	text, ok := strings.CutPrefix(text, s.Lead)
	if s.isText() {
		return ok
	}
	return ok && strings.Trim(text, s.alphabet()) == ""
}

// alphabet returns the characters of a segment that is not text.
func (s *Segment) alphabet() string {
	switch s.Type {
	case ULID:
		return "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
	case Number:
		return "0123456789"
	}
	return "0123456789-:.TZ"
}
