package source

import (
	"strings"
)

// variable matches an attribute of a template: ${name}, or ${number:8:0} with its width and
// padding.
var variable = lazily(`\$\{([^}:]*)[^}]*\}`)

// namesIn returns the attributes in the template of a key: name in account#${name}.
func namesIn(template string) []string {
	var names []string
	for _, found := range variable().FindAllStringSubmatch(template, -1) {
		if name := strings.TrimSpace(found[1]); name != "" {
			names = append(names, name)
		}
	}
	return names
}
