package design

import (
	"fmt"
	"math"
)

// costOfSimplicity returns the keys that cost least, if the plan has others because those are
// simpler.
func (p *comparison) costOfSimplicity() []Choice {
	const least = 0.01
	d := p.input()
	d.Simplicity = least
	other, _, err := makeWithout(d, nil)
	if err != nil {
		return nil
	}
	total := other.Cost(p.cost.Prices).Total()
	if total > p.cost.Total()-2*least {
		return nil
	}
	return []Choice{{Name: "keys that cost least", Dollars: total,
		Because: fmt.Sprintf(
			"this is what simplicity costs: simplicity: %.2f USD, beside table, has the plan take them",
			math.Floor(50*(p.cost.Total()-total))/100)}}
}
