package design

// unsaid warns of models without a number of items and of patterns without a rate. A plan counts
// them as 0, which must not look like a table that costs nothing and has no hot partitions.
func unsaid(p *Plan) (notes []Note) {
	var models, patterns []string
	for i := range p.source.Models {
		if m := &p.source.Models[i]; m.Items == 0 {
			models = append(models, m.Name)
		}
	}
	for i := range p.source.Patterns {
		if pattern := &p.source.Patterns[i]; pattern.Rate == 0 {
			patterns = append(patterns, pattern.Name)
		}
	}
	if len(models) > 0 {
		notes = append(notes, warning(listed(models), "no items are said, so the plan assumes 0: "+
			"storage costs nothing, and no partition is too large. Say how many there will be, "+
			"as in items: 100_000"))
	}
	if len(patterns) > 0 {
		notes = append(notes, warning(listed(patterns), "no rate is said, so the plan assumes "+
			"0 requests a second: reads cost nothing, and no partition is too hot. Say it, as in "+
			"rate: 5"))
	}
	return notes
}
