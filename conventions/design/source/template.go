package source

import (
	"regexp"
	"strings"
)

// template is the value of a key in a schema: account#${name}.
type template struct {
	names []string // of the attributes in it
	lead  string   // the text before the first attribute
}

// variable matches an attribute of a template: ${name}, or ${number:8:0} with its width and padding.
var variable = regexp.MustCompile(`\$\{([^}:]*)[^}]*\}`)

func parseTemplate(text string) template {
	var t template
	for _, found := range variable.FindAllStringSubmatch(text, -1) {
		if name := strings.TrimSpace(found[1]); name != "" {
			t.names = append(t.names, name)
		}
	}
	t.lead, _, _ = strings.Cut(text, "${")
	return t
}
