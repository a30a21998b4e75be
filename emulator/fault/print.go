package fault

import (
	"encoding/json"
	"strconv"
)

// String returns the text form, which Parse reads.
func (f Fault) String() string { return string(f.appendJSON(nil)) }

// MarshalJSON returns the text form.
func (f Fault) MarshalJSON() ([]byte, error) { return f.appendJSON(nil), nil }

func (f Fault) appendJSON(dst []byte) []byte {
	dst = append(dst, '{')
	if f.When != nil {
		dst = append(dst, `"when":`...)
		dst = append(f.When.appendJSON(dst), ',')
	}
	dst = append(dst, `"do":`...)
	dst = f.Do.appendJSON(dst)
	if f.Seed != 0 {
		dst = append(dst, `,"seed":`...)
		dst = strconv.AppendUint(dst, f.Seed, 10)
	}
	if f.MustHit {
		dst = append(dst, `,"mustHit":true`...)
	}
	return append(dst, '}')
}

// String returns the text form of an effect, as in the member "do" of a fault.
func (e Effect) String() string { return string(e.appendJSON(nil)) }

func (e Effect) appendJSON(dst []byte) []byte {
	parameters := forms[e.Kind].parameters
	if parameters == nil {
		return appendString(dst, string(e.Kind))
	}
	dst = appendName(dst, string(e.Kind))
	dst = append(dst, parameters(e)...)
	return append(dst, '}')
}

// The text form of the parameters of effects.

func throttleText(e Effect) string {
	return object{}.text("reason", e.Reason).text("index", e.Index).String()
}

func boundText(e Effect) string {
	o := object{}
	if e.Behind.Writes != 0 {
		o = o.member("writes", strconv.Itoa(e.Behind.Writes))
	}
	if e.Behind.Time != 0 {
		o = o.text("time", e.Behind.Time.String())
	}
	return o.String()
}

func regionText(e Effect) string { return object{}.text("region", e.Region).String() }

func regionDelayText(e Effect) string {
	return object{}.text("region", e.Region).text("delay", e.Delay.String()).String()
}

func delayText(e Effect) string   { return quoted(e.Delay.String()) }
func shareText(e Effect) string   { return formatFloat(e.Share) }
func recordsText(e Effect) string { return strconv.Itoa(e.Records) }

// object is the text of a JSON object without its braces.
type object []byte

func (o object) member(name, value string) object {
	if len(o) > 0 {
		o = append(o, ',')
	}
	o = append(appendString(o, name), ':')
	return append(o, value...)
}

// text adds a string member unless it is empty.
func (o object) text(name, value string) object {
	if value == "" {
		return o
	}
	return o.member(name, quoted(value))
}

func (o object) String() string { return "{" + string(o) + "}" }

// The text forms of matchers.

func (n names) String() string     { return string(n.appendJSON(nil)) }
func (a attribute) String() string { return string(a.appendJSON(nil)) }
func (a access) String() string    { return string(a.appendJSON(nil)) }
func (p predicate) String() string { return string(p.appendJSON(nil)) }
func (c count) String() string     { return string(c.appendJSON(nil)) }
func (c chance) String() string    { return string(c.appendJSON(nil)) }
func (p part) String() string      { return string(p.appendJSON(nil)) }
func (a and) String() string       { return string(a.appendJSON(nil)) }
func (o or) String() string        { return string(o.appendJSON(nil)) }
func (n not) String() string       { return string(n.appendJSON(nil)) }

func (n names) appendJSON(dst []byte) []byte {
	dst = appendName(dst, n.of)
	if len(n.list) == 1 {
		return append(appendString(dst, n.list[0]), '}')
	}
	dst = append(dst, '[')
	for i, name := range n.list {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = appendString(dst, name)
	}
	return append(dst, "]}"...)
}

func (a attribute) appendJSON(dst []byte) []byte {
	dst = appendName(appendName(dst, "key"), a.name)
	return append(appendString(dst, a.value), "}}"...)
}

func (a access) appendJSON(dst []byte) []byte {
	if a {
		return append(dst, `{"access":"write"}`...)
	}
	return append(dst, `{"access":"read"}`...)
}

func (p predicate) appendJSON(dst []byte) []byte { return append(dst, `{"func":"of Go"}`...) }

func (c count) appendJSON(dst []byte) []byte {
	return append(strconv.AppendInt(appendName(dst, c.kind), int64(c.n), 10), '}')
}

func (c chance) appendJSON(dst []byte) []byte {
	return append(append(appendName(dst, "probability"), formatFloat(float64(c))...), '}')
}

func (p part) appendJSON(dst []byte) []byte {
	dst = append(appendName(dst, p.kind), `{"count":`...)
	dst = append(strconv.AppendInt(dst, int64(p.n), 10), `,"when":`...)
	return append(p.of.appendJSON(dst), "}}"...)
}

func (a and) appendJSON(dst []byte) []byte { return appendList(dst, "and", a) }
func (o or) appendJSON(dst []byte) []byte  { return appendList(dst, "or", o) }

func (n not) appendJSON(dst []byte) []byte {
	return append(n.of.appendJSON(appendName(dst, "not")), '}')
}

func appendList(dst []byte, name string, ms []Matcher) []byte {
	dst = append(appendName(dst, name), '[')
	for i, m := range ms {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = m.appendJSON(dst)
	}
	return append(dst, "]}"...)
}

// appendName begins an object with the name of its first member.
func appendName(dst []byte, name string) []byte {
	return append(appendString(append(dst, '{'), name), ':')
}

func appendString(dst []byte, s string) []byte { return append(dst, quoted(s)...) }

func quoted(s string) string {
	text, _ := json.Marshal(s) // strings have a form always
	return string(text)
}

func formatFloat(f float64) string { return strconv.FormatFloat(f, 'g', -1, 64) }
