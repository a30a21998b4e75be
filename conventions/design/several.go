package design

import "fmt"

// severalNotes says what reads of several values and of a filter cost.
func severalNotes(p *Plan) (notes []Note) {
	for i := range p.Design.Patterns {
		pattern := &p.Design.Patterns[i]
		if name, n := pattern.in(); name != "" {
			how := fmt.Sprintf("a Query for each of the %d values of %s, whose results the reader "+
				"merges", n, name)
			if p.Queries[i].Operation == BatchGetItem {
				how = fmt.Sprintf("one BatchGetItem for %d values of %s, at most %d in a request", n,
					name, batchSize)
			}
			notes = append(notes, Note{Step: 7, About: pattern.Name, Text: "takes " + how})
		}
		if len(pattern.Filter) > 0 {
			notes = append(notes, filterNote(p, i))
		}
	}
	return notes
}

// filterNote says what a pattern reads and drops. A result that takes several pages is a warning.
func filterNote(p *Plan, i int) Note {
	pattern := &p.Design.Patterns[i]
	read := p.Design.Evaluated(pattern)
	n := Note{Step: 7, About: pattern.Name, Text: fmt.Sprintf("reads %s items for %s, and its "+
		"filter drops the others: they cost what a result of all would. With %s in equal it would "+
		"read only its own, by a key of its own", Grouped(read, 0), Grouped(resultOf(&p.Design, pattern), 0),
		pattern.Filter[0])}
	if pages := read * p.readBytes(i) / pageBytes; pages > 1 {
		n.Warning = true
		n.Text += fmt.Sprintf(". A result takes %s pages of 1 MB", Grouped(pages+0.5, 0))
	}
	return n
}

// latestNotes warns of patterns whose newest children take several pages.
func latestNotes(p *Plan) (notes []Note) {
	for i := range p.Queries {
		_, n := p.Design.Patterns[i].Newest()
		if bytes := float64(n+1) * p.readBytes(i); n > 0 && bytes > pageBytes {
			notes = append(notes, warning(p.Queries[i].Pattern, "reads %s, and a page has at most "+
				"1 MB: go on from LastEvaluatedKey, or ask for fewer", sizeText(bytes)))
		}
	}
	return notes
}
