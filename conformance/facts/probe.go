package facts

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// Probe is a finding of ack-api-quirks as probes.md lists it.
type Probe struct {
	Number  string // such as "DDB-TABLE-442"
	Page    string // a page of ack-api-quirks, such as "table.md"
	Place   string // the file and the line
	Text    string
	Verdict string
	HeldBy  []string // tests, as those of a Fact
	Reason  string   // the rest of the last cell
}

// Verdicts of probes.
const (
	Same    = "same"    // Kugiri answered so
	Mended  = "mended"  // Kugiri answers so now
	Differs = "differs" // it does not, for a reason
	Outside = "outside" // the finding is about no answer of DynamoDB to a request
)

var (
	probePage   = regexp.MustCompile(`^## ([a-z-]+\.md)$`)
	probeNumber = regexp.MustCompile(`^DDB-[A-Z]+-\d{3}$`)
)

// parseProbes returns the findings in the tables of a file.
func parseProbes(file, text string) ([]Probe, error) {
	var list []Probe
	var faults []error
	page := ""
	for i, line := range strings.Split(text, "\n") {
		place := fmt.Sprintf("%s:%d", file, i+1)
		if m := probePage.FindStringSubmatch(line); m != nil {
			page = m[1]
		}
		if !strings.HasPrefix(line, "| DDB-") {
			continue
		}
		p, err := parseProbe(line)
		if err == nil && page == "" {
			err = errors.New("no page above")
		}
		if err != nil {
			faults = append(faults, fmt.Errorf("%s: %w", place, err))
			continue
		}
		p.Page, p.Place = page, place
		list = append(list, p)
	}
	return list, errors.Join(faults...)
}

// parseProbe reads a row: number, text, verdict, and tests or a reason.
func parseProbe(line string) (p Probe, err error) {
	cells := strings.Split(strings.TrimSuffix(strings.TrimPrefix(line, "| "), " |"), " | ")
	if len(cells) != 4 {
		return p, fmt.Errorf("%d cells in %q; want 4", len(cells), line)
	}
	p = Probe{Number: cells[0], Text: cells[1], Verdict: cells[2], Reason: cells[3]}
	for _, m := range codeSpan.FindAllStringSubmatch(cells[3], -1) {
		if strings.HasPrefix(m[1], "Test") {
			p.HeldBy = append(p.HeldBy, m[1])
			p.Reason = strings.Replace(p.Reason, m[0], "", 1)
		}
	}
	p.Reason = strings.Trim(p.Reason, " ,.")
	switch {
	case !probeNumber.MatchString(p.Number):
		return p, fmt.Errorf("no number in %q", line)
	case p.Text == "":
		return p, fmt.Errorf("%s has no text", p.Number)
	case !slices.Contains([]string{Same, Mended, Differs, Outside}, p.Verdict):
		return p, fmt.Errorf("%s has the verdict %q", p.Number, p.Verdict)
	case p.Verdict == Mended && p.HeldBy == nil:
		return p, fmt.Errorf("%s is mended, but no case holds it", p.Number)
	case p.Verdict == Differs && p.Reason == "":
		return p, fmt.Errorf("%s differs without a reason", p.Number)
	}
	return p, nil
}
