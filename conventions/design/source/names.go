package source

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"
)

// camel returns a name as models have it: order_item, ORDER-ITEM and orderItem are OrderItem.
func camel(name string) string {
	var b strings.Builder
	for _, word := range strings.FieldsFunc(name,
		func(r rune) bool {
			return r > unicode.MaxASCII || !unicode.IsLetter(r) && !unicode.IsDigit(r)
		}) {
		if len(word) > 1 && word == strings.ToUpper(word) {
			word = strings.ToLower(word)
		}
		b.WriteString(strings.ToUpper(word[:1]) + word[1:])
	}
	if text := b.String(); text != "" && unicode.IsLetter(rune(text[0])) {
		return text
	}
	return "Model" + b.String()
}

// words returns the name of a model as words: OrderItem is order item.
func words(model string) string {
	var b strings.Builder
	for i, r := range model {
		if unicode.IsUpper(r) && i > 0 {
			b.WriteByte(' ')
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}

// plural returns the plural of a word.
func plural(word string) string {
	for _, end := range []string{"s", "x", "z", "ch", "sh"} {
		if strings.HasSuffix(word, end) {
			return word + "es"
		}
	}
	if stem, ok := strings.CutSuffix(word, "y"); ok && stem != "" &&
		!strings.ContainsAny(stem[len(stem)-1:], "aeiou") {
		return stem + "ies"
	}
	return word + "s"
}

// singular returns the singular of a plural.
func singular(word string) string {
	if stem, ok := strings.CutSuffix(word, "ies"); ok {
		return stem + "y"
	}
	for _, end := range []string{"sses", "xes", "ches", "shes"} {
		if strings.HasSuffix(word, end) {
			return strings.TrimSuffix(word, "es")
		}
	}
	if strings.HasSuffix(word, "ss") {
		return word
	}
	return strings.TrimSuffix(word, "s")
}

// and joins names: a, b and c.
func and(names []string) string {
	if len(names) < 2 {
		return strings.Join(names, "")
	}
	return strings.Join(names[:len(names)-1], ", ") + " and " + names[len(names)-1]
}

// tableName returns a name that a table can have.
func tableName(name string) string {
	name = strings.Map(func(r rune) rune {
		if r < unicode.MaxASCII &&
			(unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("_-.", r)) {
			return r
		}
		return '-'
	}, name)
	if len(name) < 3 {
		return strings.TrimPrefix(name+"-table", "-")
	}
	return name[:min(len(name), 255)]
}

// free returns a name that is not taken: the one that is given, or that with a number.
func free(name string, taken func(string) bool) string {
	with := name
	for i := 2; taken(with); i++ {
		with = fmt.Sprintf("%s%d", name, i)
	}
	return with
}

// unique returns a list with each element once.
func unique(names []string) []string {
	var list []string
	for _, name := range names {
		if !slices.Contains(list, name) {
			list = append(list, name)
		}
	}
	return list
}

// lowerFirst returns a text with a small letter first.
func lowerFirst(text string) string {
	return string(unicode.ToLower(rune(text[0]))) + text[1:]
}

// lazily compiles a regular expression when it is first used: few programs that have this package
// read such sources.
func lazily(pattern string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(pattern) })
}
