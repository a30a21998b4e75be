package designfile

import (
	"bytes"
	"fmt"
	"maps"
	"math"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode"

	"github.com/kugiri-db/kugiri/conventions/design"
)

// Write writes a design as a file that Parse reads. comments has texts by the path of the field
// that they stand above: models[0].key. Those of "" begin the file.
func Write(d *design.Design, comments map[string]string) []byte {
	w := &writer{comments: comments}
	w.comment("", "")
	w.field("", "table", text(d.Table))
	if d.From != "" {
		w.field("", "from", text(d.From))
	}
	if d.Separator != "" {
		w.field("", "separator", strconv.Quote(d.Separator))
	}
	if d.Indexes != 0 {
		w.field("", "indexes", strconv.Itoa(d.Indexes))
	}
	if d.Simplicity != 0 {
		w.field("", "simplicity", number(d.Simplicity)+" USD")
	}
	if d.Prefixes != "" {
		w.field("", "prefixes", string(d.Prefixes))
	}
	if d.Keys != "" {
		w.field("", "keys", string(d.Keys))
	}
	if t := d.Tenants; t != nil {
		w.field("", "tenants",
			flow(member{"attribute", text(t.Attribute)}, member{"common", text(t.Common)},
				member{"children", string(t.Children)}))
	}
	if len(d.Names) > 0 {
		w.field("", "names", textMap(d.Names))
	}
	w.models(d.Models)
	w.comment("", "patterns")
	w.line("patterns:")
	for i := range d.Patterns {
		w.comment("  ", fmt.Sprintf("patterns[%d]", i))
		w.line("  - %s", pattern(&d.Patterns[i]))
	}
	if len(d.Transactions) > 0 {
		w.line("transactions:")
	}
	for i := range d.Transactions {
		w.comment("  ", fmt.Sprintf("transactions[%d]", i))
		t := &d.Transactions[i]
		w.line("  - %s", flow(member{"name", text(t.Name)}, member{"puts", written(t.Puts)},
			member{"updates", written(t.Updates)}, member{"rate", number(t.Rate)}))
	}
	return w.Bytes()
}

// writer writes a design file line by line.
type writer struct {
	bytes.Buffer
	comments map[string]string
}

func (w *writer) line(format string, args ...any) { fmt.Fprintf(w, format+"\n", args...) }

// width is how wide lines of comments are.
const width = 100

// comment writes the comment of a path, without characters that YAML has not.
func (w *writer) comment(indent, path string) {
	for _, paragraph := range strings.Split(w.comments[path], "\n") {
		line := ""
		for _, word := range strings.FieldsFunc(paragraph,
			func(r rune) bool { return unicode.IsSpace(r) || !unicode.IsGraphic(r) }) {
			if line != "" && len(indent)+len("# ")+len(line)+1+len(word) > width {
				w.line("%s# %s", indent, line)
				line = ""
			}
			line = strings.TrimPrefix(line+" "+word, " ")
		}
		if line != "" {
			w.line("%s# %s", indent, line)
		}
	}
}

// field writes a field of the design with its comment.
func (w *writer) field(indent, name, value string) {
	w.comment(indent, name)
	w.line("%s%s: %s", indent, name, value)
}

func (w *writer) models(models []design.Model) {
	w.line("models:")
	for i := range models {
		m, path := &models[i], fmt.Sprintf("models[%d]", i)
		w.comment("  ", path)
		w.line("  - name: %s", text(m.Name))
		for _, f := range present(
			member{"table", text(m.Table)},
			member{"key", texts(m.Key)}, member{"primary", text(m.Primary)},
			member{"items", count(m.Items)},
			member{"puts", number(m.Puts)},
			member{"updates", updates(m)}, member{"deletes", number(m.Deletes)},
			member{"peak", number(m.Peak)}, member{"recovery", flag(m.Recovery)},
			member{"ttl", text(m.TTL)},
			member{"versions", flag(m.Versions)}, member{"unique", unique(m.Unique)},
		) {
			w.comment("    ", path+"."+f.name)
			w.line("    %s: %s", f.name, f.value)
		}
		w.comment("    ", path+".attributes")
		w.line("    attributes:")
		for j := range m.Attributes {
			w.comment("      ", fmt.Sprintf("%s.attributes[%d]", path, j))
			w.line("      - %s", attribute(&m.Attributes[j]))
		}
	}
}

// updates writes the rate of updates, or a list of what they change.
func updates(m *design.Model) string {
	if len(m.Changes) == 0 {
		return number(m.Updates)
	}
	var list []string
	for _, c := range m.Changes {
		list = append(list, flow(member{"of", oneOrMore(c.Of)}, member{"rate", number(c.Rate)}))
	}
	if m.Updates > 0 {
		list = append(list, flow(member{"rate", number(m.Updates)}))
	}
	return "[" + strings.Join(list, ", ") + "]"
}

// unique writes lists of attributes, one of one attribute as its name.
func unique(lists [][]string) string {
	var all []string
	for _, names := range lists {
		all = append(all, oneOrMore(names))
	}
	return inBrackets(all)
}

// written writes what a transaction writes of models.
func written(list []design.Written) string {
	var all []string
	for _, w := range list {
		if len(w.Of)+len(w.Takes)+len(w.Gives) == 0 && w.Count == 0 {
			all = append(all, text(w.Model))
			continue
		}
		all = append(all, flow(member{"model", text(w.Model)}, member{"of", oneOrMore(w.Of)},
			member{"takes", oneOrMore(w.Takes)}, member{"gives", oneOrMore(w.Gives)},
			member{"count", count(int64(w.Count))}))
	}
	return inBrackets(all)
}

// oneOrMore writes names as a list, or one as itself.
func oneOrMore(names []string) string {
	if len(names) == 1 {
		return text(names[0])
	}
	return texts(names)
}

func inBrackets(all []string) string {
	if len(all) == 0 {
		return ""
	}
	return "[" + strings.Join(all, ", ") + "]"
}

// skew writes how frequent values are.
func skew(zipf float64) string {
	if zipf == 0 {
		return ""
	}
	return design.FormatSkew(zipf)
}

func attribute(a *design.Attribute) string {
	if reflect.DeepEqual(*a, design.Attribute{Name: a.Name, Type: design.String}) {
		return text(a.Name)
	}
	typ := string(a.Type)
	if a.Type == design.String {
		typ = ""
	}
	return flow(
		member{"name", text(a.Name)}, member{"type", typ}, member{"format", string(a.Format)},
		member{"bytes", count(int64(a.Bytes))},
		member{"values", count(a.Values)}, member{"skew", skew(a.Zipf)},
		member{"largest", count(a.Largest)}, member{"dimensions", count(int64(a.Dimensions))},
		member{"decimals", count(int64(a.Decimals))}, member{"negative", flag(a.Negative)},
		member{"constant", text(a.Constant)},
		member{"mutable", flag(a.Mutable)}, member{"begins", text(a.Begins)},
		member{"stays", stays(a.Stays)},
		member{"optional", part(a.Optional)}, member{"of", text(a.Of)},
		member{"counts", text(a.Counts)}, member{"sums", text(a.Sums)},
		member{"numbers", text(a.Numbers)}, member{"last", text(a.Last)},
		member{"where", textMap(a.Where)},
		member{"kept", string(a.Kept)}, member{"by", text(a.By)},
	)
}

func pattern(p *design.Pattern) string {
	return flow(
		member{"name", text(p.Name)}, member{"model", text(p.Model)},
		member{"models", texts(p.Models)}, member{"equal", texts(p.Equal)},
		member{"where", textMap(p.Where)}, member{"in", countMap(p.In)},
		member{"filter", texts(p.Filter)}, member{"latest", countMap(p.Latest)},
		member{"range", text(p.Range)},
		member{"begins", text(p.Begins)}, member{"order", text(p.Order)},
		member{"similar", text(p.Similar)}, member{"through", text(p.Through)},
		member{"fanout", string(p.Fanout)}, member{"deletes", string(p.Deletes)},
		member{"descending", flag(p.Descending)},
		member{"one", flag(p.One)},
		member{"consistent", flag(p.Consistent)}, member{"attributes", texts(p.Attributes)},
		member{"period", string(p.Period)},
		member{"shards", count(int64(p.Shards))}, member{"rate", number(p.Rate)},
		member{"returned", number(p.Returned)},
	)
}

// member is a field of an object. Without a value it is not written.
type member struct{ name, value string }

func present(members ...member) []member {
	return slices.DeleteFunc(members, func(m member) bool { return m.value == "" })
}

// flow writes an object in one line.
func flow(members ...member) string {
	list := present(members...)
	parts := make([]string, len(list))
	for i, m := range list {
		parts[i] = m.name + ": " + m.value
	}
	return "{" + strings.Join(parts, ", ") + "}"
}

func flag(is bool) string {
	if is {
		return "true"
	}
	return ""
}

func count(n int64) string {
	if n == 0 {
		return ""
	}
	return strconv.FormatInt(n, 10)
}

func number(n float64) string {
	if n == 0 {
		return ""
	}
	return strconv.FormatFloat(n, 'f', -1, 64)
}

func texts(list []string) string {
	if len(list) == 0 {
		return ""
	}
	quoted := make([]string, len(list))
	for i, s := range list {
		quoted[i] = text(s)
	}
	return "[" + strings.Join(quoted, ", ") + "]"
}

func textMap(of map[string]string) string {
	if len(of) == 0 {
		return ""
	}
	var list []member
	for _, name := range slices.Sorted(maps.Keys(of)) {
		list = append(list, member{text(name), text(of[name])})
	}
	return flow(list...)
}

// stays writes how long items stay in states.
func stays(of map[string]time.Duration) string {
	if len(of) == 0 {
		return ""
	}
	var list []member
	for _, state := range slices.Sorted(maps.Keys(of)) {
		list = append(list, member{text(state), design.FormatStay(of[state])})
	}
	return flow(list...)
}

func countMap(of map[string]int) string {
	if len(of) == 0 {
		return ""
	}
	var list []member
	for _, name := range slices.Sorted(maps.Keys(of)) {
		list = append(list, member{text(name), strconv.Itoa(of[name])})
	}
	return flow(list...)
}

// plain matches texts that YAML reads as text without quotes, unless they are words with a meaning.
var plain = sync.OnceValue(
	func() *regexp.Regexp { return regexp.MustCompile(`^\p{L}[\p{L}\p{N} _./()-]*$`) })

// meant are words that some YAML parsers do not read as text.
var meant = []string{"true", "false", "null", "yes", "no", "on", "off", "y", "n"}

// text writes a text, with quotes where it needs them.
func text(s string) string {
	if s == "" || plain().MatchString(s) && !strings.HasSuffix(s, " ") &&
		!slices.Contains(meant, strings.ToLower(s)) {
		return s
	}
	return strconv.QuoteToGraphic(s)
}

// part writes a part of the items as a number of percent.
func part(v float64) string {
	if v == 0 {
		return ""
	}
	return number(math.Round(v*1e8)/1e6) + "%"
}
