package render

import (
	"encoding/json"

	"github.com/kugiri-db/kugiri/conventions/design"
)

// renderer holds what several files need.
type renderer struct {
	plan *design.Plan
	rows []row // the samples
	code *code

	consuming *consuming // nil if the plan needs no consumer of a stream
}

func newRenderer(p *design.Plan) (*renderer, error) {
	rows, err := samples(p)
	if err != nil {
		return nil, err
	}
	consuming, err := consumingOf(p)
	if err != nil {
		return nil, err
	}
	return &renderer{plan: p, rows: rows, code: newCode(p), consuming: consuming}, nil
}

// indented writes a value as JSON.
func indented(v any) ([]byte, error) {
	text, err := json.MarshalIndent(v, "", "  ")
	return append(text, '\n'), err
}
