package metrics

import (
	"bytes"
	"strconv"
	"strings"
)

// text builds a text in the format of Prometheus, version 0.0.4 (Prometheus documentation,
// "Exposition formats").
type text struct{ bytes.Buffer }

// family begins the samples of a metric. kind is counter, gauge or histogram.
func (t *text) family(name, kind, help string) {
	t.WriteString("# HELP " + name + " " + help + "\n# TYPE " + name + " " + kind + "\n")
}

// sample writes a sample. labels alternates names and values.
func (t *text) sample(name string, value float64, labels ...string) {
	t.WriteString(name)
	for i := 0; i < len(labels); i += 2 {
		t.WriteByte("{,"[min(i, 1)])
		t.WriteString(labels[i] + `="` + escapes.Replace(labels[i+1]) + `"`)
	}
	if len(labels) > 0 {
		t.WriteByte('}')
	}
	t.WriteByte(' ')
	t.Write(strconv.AppendFloat(t.AvailableBuffer(), value, 'g', -1, 64))
	t.WriteByte('\n')
}

// escapes escapes the value of a label.
var escapes = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`)
