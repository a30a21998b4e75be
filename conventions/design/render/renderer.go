package render

import (
	"encoding/json"

	"github.com/kugiri-db/kugiri/conventions/design"
	"github.com/kugiri-db/kugiri/conventions/design/consuming"
)

// renderer holds what several files need.
type renderer struct {
	plan *design.Plan
	rows []row // the samples
	code *code

	construct string // the class of the table's construct
	logical   string // the name of its resource in a template

	consuming *consuming.Consumer // nil if the plan needs no consumer of a stream
	shapes    []consuming.Shape
}

func newRenderer(p *design.Plan) (*renderer, error) {
	rows, err := samples(p)
	if err != nil {
		return nil, err
	}
	r := &renderer{plan: p, rows: rows, code: newCode(p), consuming: consuming.Of(p)}
	if r.consuming != nil {
		r.shapes, err = consuming.Shapes(p)
	}
	return r, err
}

// indented writes a value as JSON.
func indented(v any) ([]byte, error) {
	text, err := json.MarshalIndent(v, "", "  ")
	return append(text, '\n'), err
}
