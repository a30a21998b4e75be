package render

import (
	"fmt"
	"slices"
	"strings"
)

// trials writes the trials of the writes for TypeScript.
func (t *typescript) trials() string {
	var out lines
	functions := map[string]string{} // functions by the name of the write
	for w, name := range t.calls {
		functions[w.Name] = "code." + name
	}
	for _, trial := range t.trialsOf() {
		t.trial(&out, trial, functions)
	}
	if out.Len() == 0 {
		return ""
	}
	return "\ntryWrites({\n" + out.String() + "});\n"
}

// trial writes a trial.
func (t *typescript) trial(out *lines, trial *trial, functions map[string]string) {
	var arguments, undo, taken []string
	out.add("  %s: () => {", scriptQuote(trial.Name))
	for i := range trial.takes {
		take := &trial.takes[i]
		names := take.samplesOf(fmt.Sprintf("sample%d", i))
		for n, name := range names {
			value := t.pick(take.model, take.number(n))
			for _, attribute := range take.sets {
				value = fmt.Sprintf("change(%s, %s)", value, scriptQuote(attribute))
			}
			out.add("    const %s = %s;", name, value)
			removal, known := functions["delete "+take.model]
			switch {
			case take.puts && known:
				undo = append(undo, removal+"("+name+")")
			case take.puts:
				undo = append(undo,
					fmt.Sprintf("gone(code.%s(%s))", itemName(t.types[take.model]), name))
			}
		}
		argument := names[0]
		if take.many {
			argument = "[" + strings.Join(names, ", ") + "]"
		}
		arguments = append(arguments, argument)
	}
	call := func(arguments []string) string {
		return functions[trial.Name] + "(" + strings.Join(arguments, ", ") + ")"
	}
	last := len(arguments) - 1
	for i, attributes := range trial.taken {
		if i == 0 {
			out.add("    const other = %s;", t.pick(trial.Model, trial.other))
		}
		var fields []string
		for _, attribute := range attributes {
			fields = append(fields, property(attribute)+": "+member("other", attribute))
		}
		value := "{ ..." + arguments[last] + ", " + strings.Join(fields, ", ") + " }"
		taken = append(taken, call(append(slices.Clone(arguments[:last]), value)))
	}
	out.add("    return {\n      undo: [%s],\n      do: %s,\n      taken: [%s],\n      tallies: %s,\n    };\n  },",
		strings.Join(undo, ", "), call(arguments), strings.Join(taken, ", "),
		t.scriptTallies(trial))
}

// pick writes a sample of a model.
func (t *typescript) pick(model string, n int) string {
	return fmt.Sprintf("samples.pick(%s, %d, code.%s)", scriptQuote(model), n,
		readName(t.types[model]))
}
