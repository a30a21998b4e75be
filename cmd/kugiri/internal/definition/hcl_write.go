package definition

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/hashicorp/hcl/v2/hclsyntax"
)

// hclBody holds the lines of a file or a block of Terraform's language. It is written in the form
// of "terraform fmt". Package hclwrite does the same, but brings a library for tests into the
// program.
type hclBody struct{ lines []hclLine }

// hclLine is an argument, a block, or an empty line.
type hclLine struct {
	argument, value string
	header          string // the header of a block
	block           *hclBody
}

func (b *hclBody) empty() { b.lines = append(b.lines, hclLine{}) }

func (b *hclBody) set(argument, value string) {
	b.lines = append(b.lines, hclLine{argument: argument, value: value})
}

func (b *hclBody) add(kind string, labels ...string) *hclBody {
	block := &hclBody{}
	for _, label := range labels {
		kind += " " + hclQuoted(label)
	}
	b.lines = append(b.lines, hclLine{header: kind, block: block})
	return block
}

// write writes the lines with an indent. The equals signs of neighboring arguments are in a column,
// unless a value has lines of its own.
func (b *hclBody) write(to *strings.Builder, indent string) {
	for i, l := range b.lines {
		switch {
		case l.block != nil:
			fmt.Fprintf(to, "%s%s {\n", indent, l.header)
			l.block.write(to, indent+"  ")
			fmt.Fprintf(to, "%s}\n", indent)
		case l.argument == "":
			to.WriteByte('\n')
		default:
			fmt.Fprintf(to, "%s%-*s = %s\n", indent, b.width(i), l.argument,
				strings.ReplaceAll(l.value, "\n", "\n"+indent))
		}
	}
}

// width returns the width of the argument of a line: that of the widest of its neighbors.
func (b *hclBody) width(line int) int {
	alone := func(l hclLine) bool { return l.argument == "" || strings.Contains(l.value, "\n") }
	if alone(b.lines[line]) {
		return 0
	}
	from, to := line, line
	for from > 0 && !alone(b.lines[from-1]) {
		from--
	}
	for to < len(b.lines) && !alone(b.lines[to]) {
		to++
	}
	width := 0
	for _, l := range b.lines[from:to] {
		width = max(width, utf8.RuneCountInString(l.argument))
	}
	return width
}

// hclValue returns the text of a value.
func hclValue(v reflect.Value) string {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		return hclValue(v.Elem())
	case reflect.Bool, reflect.Int32, reflect.Int64:
		return fmt.Sprint(v.Interface())
	case reflect.Slice:
		list := make([]string, v.Len())
		for i := range list {
			list[i] = hclValue(v.Index(i))
		}
		return "[" + strings.Join(list, ", ") + "]"
	case reflect.Map:
		members := map[string]string{}
		for _, key := range v.MapKeys() {
			members[key.String()] = hclValue(v.MapIndex(key))
		}
		return hclObject(members)
	}
	return hclQuoted(v.String())
}

// hclObject returns the text of an object, in the order of its names.
func hclObject(members map[string]string) string {
	if len(members) == 0 {
		return "{}"
	}
	var inside hclBody
	for _, name := range slices.Sorted(maps.Keys(members)) {
		written := name
		if !hclsyntax.ValidIdentifier(name) {
			written = hclQuoted(name)
		}
		inside.set(written, members[name])
	}
	var b strings.Builder
	b.WriteString("{\n")
	inside.write(&b, "  ")
	b.WriteString("}")
	return b.String()
}

var hclEscapes = strings.NewReplacer("\\", `\\`, `"`, `\"`, "\n", `\n`, "\r", `\r`, "\t", `\t`,
	"${", "$${", "%{", "%%{")

// hclQuoted returns a text as a literal.
func hclQuoted(text string) string {
	var b strings.Builder
	for _, r := range hclEscapes.Replace(text) {
		switch {
		case unicode.IsPrint(r):
			b.WriteRune(r)
		case r < 1<<16:
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			fmt.Fprintf(&b, `\U%08x`, r)
		}
	}
	return `"` + b.String() + `"`
}
