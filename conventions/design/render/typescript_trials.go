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
	var arguments, undo, taken, stale []string
	var samples [][]string // the samples of each argument
	argument := func(i int, names []string) string {
		if trial.takes[i].many {
			return "[" + strings.Join(names, ", ") + "]"
		}
		return names[0]
	}
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
			if take.puts {
				undo = append(undo, scriptRewinds(t, trial.putOf(take.model),
					rowOf(t.renderer, take.model, take.number(n)))...)
			}
		}
		samples, arguments = append(samples, names), append(arguments, argument(i, names))
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
	for _, s := range trial.stale {
		old := slices.Clone(arguments)
		for i := range trial.takes {
			if trial.takes[i].model == s.model {
				first := fmt.Sprintf("change(%s, %s)", samples[i][0], scriptQuote(s.attribute))
				old[i] = argument(i, append([]string{first}, samples[i][1:]...))
			}
		}
		stale = append(stale, call(old))
	}
	out.add("    return {\n      undo: [%s],\n      do: %s,\n      taken: [%s],\n      stale: [%s],\n"+
		"      tallies: %s,\n    };\n  },", strings.Join(undo, ", "), call(arguments),
		strings.Join(taken, ", "), strings.Join(stale, ", "), t.scriptTallies(trial))
}

// pick writes a sample of a model.
func (t *typescript) pick(model string, n int) string {
	return fmt.Sprintf("samples.pick(%s, %d, code.%s)", scriptQuote(model), n,
		readName(t.types[model]))
}
