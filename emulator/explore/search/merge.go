package search

import (
	"bufio"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/kugiri-db/kugiri/storage/budget"
)

// ReportEnvironment is the variable that names the file to which a search adds its PartReport, as a
// line of JSON.
const ReportEnvironment = "KUGIRI_EXPLORE_REPORT"

// PartReport is the report of a part of a search, for Merge.
type PartReport struct {
	Name        string        `json:"name"` // the test's name
	Part        Part          `json:"part"`
	Options     string        `json:"options"`     // options that have to be the same
	Program     string        `json:"program"`     // stands for what the parts divide
	Beginnings  string        `json:"beginnings"`  // stands for how they divided it
	Complete    bool          `json:"complete"`    // all orders of the part were tried
	Preemptions *int          `json:"preemptions"` // all orders with so many were, if not
	Runs        int           `json:"runs"`        // runs of the part itself
	Orders      string        `json:"orders"`      // orders of the whole, at most
	Text        string        `json:"text"`        // the text of the Report
	Failures    []PartFailure `json:"failures,omitempty"`
}

// PartFailure is a failure that a part has found.
type PartFailure struct {
	Kind   string `json:"kind"`
	Text   string `json:"text"`
	Replay string `json:"replay"` // the command that runs its schedule
}

// The limits of a file of reports.
const (
	maxReports  = 64 << 20 // bytes
	mostReports = 1 << 16
)

// ReadReports reads the reports of a file: one in a line.
func ReadReports(in io.Reader) (list []PartReport, err error) {
	lines := bufio.NewReader(io.LimitReader(in, maxReports+1))
	size := 0
	for n := 1; ; n++ {
		line, end := lines.ReadBytes('\n')
		if size += len(line); size > maxReports {
			return nil, fmt.Errorf("there are more than %d MB of reports", maxReports>>20)
		}
		if text := strings.TrimSpace(string(line)); text != "" {
			if err := budget.CheckMarks(line); err != nil {
				return nil, fmt.Errorf("line %d: %w", n, err)
			}
			var p PartReport
			if err := json.Unmarshal([]byte(text), &p); err != nil {
				return nil, fmt.Errorf("line %d is no report: %w", n, err)
			}
			if p.Name == "" || p.Part.Of < 1 || p.Part.Of > maxParts || p.Part.Number < 1 ||
				p.Part.Number > p.Part.Of {
				return nil, fmt.Errorf("line %d is no report of a part of a search", n)
			}
			if len(list) == mostReports {
				return nil, fmt.Errorf("there are more than %d reports", mostReports)
			}
			list = append(list, p)
		}
		switch {
		case end == io.EOF:
			return list, nil
		case end != nil:
			return nil, end
		}
	}
}

// Merged reports what the parts of a search have tried together.
type Merged struct {
	Name     string        `json:"name"`
	Parts    int           `json:"parts"`
	Missing  []int         `json:"missing,omitempty"` // numbers of parts
	Complete bool          `json:"complete"`          // all orders were tried
	Runs     int           `json:"runs"`
	Text     string        `json:"text"`
	Failures []PartFailure `json:"failures,omitempty"`
}

// Merge joins the reports of the parts of searches: one Merged for each name. It returns an error
// if two of them are no parts of one search.
func Merge(reports []PartReport) (list []Merged, err error) {
	byName := map[string][]PartReport{}
	for _, p := range reports {
		byName[p.Name] = append(byName[p.Name], p)
	}
	for _, name := range slices.Sorted(maps.Keys(byName)) {
		m, err := join(byName[name])
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		list = append(list, *m)
	}
	return list, nil
}

// join joins the reports of one search.
func join(parts []PartReport) (*Merged, error) {
	slices.SortStableFunc(parts, func(a, b PartReport) int {
		return cmp.Or(a.Part.Of-b.Part.Of, a.Part.Number-b.Part.Number)
	})
	first := &parts[0]
	m := &Merged{Name: first.Name, Parts: first.Part.Of, Complete: true}
	there := map[int]bool{}
	for i := range parts {
		p := &parts[i]
		if err := first.mustFit(p); err != nil {
			return nil, err
		}
		if there[p.Part.Number] {
			return nil, fmt.Errorf("%v is there twice: merge the reports of one run of all parts, "+
				"and give each search a name of its own", p.Part)
		}
		there[p.Part.Number] = true
		m.Runs += p.Runs
		m.Complete = m.Complete && p.Complete
		for _, f := range p.Failures {
			if !slices.ContainsFunc(m.Failures, func(other PartFailure) bool {
				return other.Kind == f.Kind && other.Text == f.Text
			}) {
				m.Failures = append(m.Failures, f)
			}
		}
	}
	for n := 1; n <= m.Parts; n++ {
		if !there[n] {
			m.Missing, m.Complete = append(m.Missing, n), false
		}
	}
	m.Text = m.say(parts)
	return m, nil
}

// mustFit returns an error if another report is of another search, or of another division of it.
func (p *PartReport) mustFit(other *PartReport) error {
	var what, one, two string
	switch {
	case p.Part.Of != other.Part.Of:
		return fmt.Errorf("there is %v, and %v: they are not of one division", p.Part, other.Part)
	case p.Options != other.Options:
		what, one, two = "options", p.Options, other.Options
	case p.Program != other.Program:
		what, one, two = "programs", p.Program, other.Program
	case p.Complete && other.Complete && p.Beginnings != other.Beginnings:
		what, one, two = "divisions", p.Beginnings, other.Beginnings
	default:
		return nil
	}
	return fmt.Errorf("%v and %v are of different %s, so they say nothing together:\n  %s\n  %s",
		p.Part, other.Part, what, one, two)
}

// say is the claim of the parts together.
func (m *Merged) say(parts []PartReport) string {
	text := fmt.Sprintf("%s: %s, %s of %s orders: ", m.Name, count(m.Parts, "part"),
		count(m.Runs, "run"), parts[0].Orders)
	switch {
	case len(m.Missing) > 0:
		text += "not all orders were tried: " + missingText(m.Missing, m.Parts)
	case len(m.Failures) > 0:
		return text + count(len(m.Failures), "failure") + ", at which parts of the search have ended"
	case m.Complete:
		return text + "all orders were tried"
	default:
		text += "not all orders were tried"
		if n, ok := boundOf(parts); ok {
			text += ", but all with " + preemptions(n)
		}
	}
	for _, p := range parts {
		if !p.Complete {
			text += "\n  " + strings.ReplaceAll(p.Text, "\n", "\n  ")
		}
	}
	return text
}

// boundOf returns up to how many preemptions all orders were tried in all parts.
func boundOf(parts []PartReport) (most int, ok bool) {
	for _, p := range parts {
		switch {
		case p.Complete:
		case p.Preemptions == nil:
			return 0, false
		case !ok || *p.Preemptions < most:
			most, ok = *p.Preemptions, true
		}
	}
	return most, ok
}

func missingText(numbers []int, of int) string {
	var names []string
	for _, n := range numbers {
		names = append(names, fmt.Sprint(n))
	}
	if len(names) == 1 {
		return fmt.Sprintf("part %s of %d is missing", names[0], of)
	}
	return fmt.Sprintf("parts %s of %d are missing", strings.Join(names, ", "), of)
}
