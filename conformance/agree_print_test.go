package conformance

import (
	"strings"

	"github.com/kugiri-db/kugiri/expr"
	"github.com/kugiri-db/kugiri/expr/partiql"
)

// asPrinted sends expressions and a statement as they are, and in their plain form.
func (x *agreeing) asPrinted() {
	x.printed("Scan", expr.KindFilter, x.gen.condition(2), "")
	x.printed("Scan", expr.KindProjection, x.gen.path()+","+x.gen.path(), "")
	key := `,"Key":` + x.gen.key("both")
	x.printed("UpdateItem", expr.KindUpdate, x.gen.update(), key)
	x.printed("DeleteItem", expr.KindCondition, x.gen.condition(2), key)
	x.printedStatement(x.gen.statement())
}

// printed sends an expression, and its plain form, to a fork each.
func (x *agreeing) printed(op string, kind expr.Kind, text, more string) {
	plain, err := expr.Format(kind, text)
	if err != nil {
		return
	}
	again, err := expr.Format(kind, plain)
	x.same(outcome{answer: plain}, outcome{answer: again, err: errText(err)}, x.service, x.service,
		"the plain form of "+text)
	more += x.gen.names(text) + `}`
	send := func(text string) string {
		return `{"TableName":"both",` + quoted(string(kind)) + `:` + quoted(text) + more
	}
	f, g := x.service.Fork(), x.service.Fork()
	a, _ := outcomeOf(x.raw(f, op, send(text)))
	b, _ := outcomeOf(x.raw(g, op, send(plain)))
	x.same(a, b, f, g, op+" and its plain form: "+send(text)+" "+plain)
}

// printedStatement sends a statement, and its plain form, to a fork each.
func (x *agreeing) printedStatement(body string) {
	text := parseJSON(body).(map[string]any)["Statement"].(string)
	parsed, err := partiql.ParseCached(text)
	if err != nil {
		return
	}
	plain := strings.Replace(body, quoted(text), quoted(parsed.String()), 1)
	f, g := x.service.Fork(), x.service.Fork()
	a, _ := outcomeOf(x.raw(f, "ExecuteStatement", body))
	b, _ := outcomeOf(x.raw(g, "ExecuteStatement", plain))
	x.same(a, b, f, g, "a statement and its plain form: "+body+" "+parsed.String())
}

func errText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}
