package proof

import (
	"fmt"
	"os"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/conventions/design"
	"github.com/kugiri-db/kugiri/conventions/design/designfile"
)

// TestWords checks what a plan loses without what a design says of updates, skew and uniqueness.
func TestWords(t *testing.T) {
	without := map[string]func(m *design.Model){
		"updates": func(m *design.Model) {
			m.Updates, m.Changes = m.AllUpdates(), nil
			for i := range m.Attributes { // its attributes do not change then
				if a := &m.Attributes[i]; a.Kept != "" && a.Of != "" {
					a.Kept = ""
				}
			}
		},
		"skew": func(m *design.Model) {
			for i := range m.Attributes {
				m.Attributes[i].Zipf, m.Attributes[i].Largest = 0, 0
			}
		},
		"unique": func(m *design.Model) { m.Unique = nil },
	}
	for _, name := range []string{"fleet", "chat", "network"} {
		text := readFile(t, "testdata/"+name+".yaml")
		began := time.Now()
		plan, err := designfile.Plan(text)
		require.NoError(t, err)
		t.Logf("%s: %d models, %d patterns, %d indexes, %s, %.2f USD, planned in %s", name,
			len(plan.Design.Models), len(plan.Queries), len(plan.Indexes), warned(plan),
			month(plan), time.Since(began))
		if os.Getenv("TEST_FULL") != "" { // what a report compares, in money
			r := plan.Report(design.ListPrices())
			for _, c := range slices.Concat(r.Counters, r.Copies, r.Feeds, r.Tables) {
				t.Logf("%s: %s: %.2f USD (%s)", name, c.Name, c.Dollars, c.Because)
			}
			t.Logf("%s: %s", name, r.OneOrSeveral)
		}
		for word, remove := range without {
			d, err := designfile.Parse(text)
			require.NoError(t, err)
			for i := range d.Models {
				remove(&d.Models[i])
			}
			for i := range d.Patterns {
				// the pattern reads by what was unique, or by the key
				if p := &d.Patterns[i]; word == "unique" && p.One {
					p.One, p.Returned = false, 1
				}
			}
			other, err := design.Make(d)
			require.NoError(t, err, "%s without %s", name, word)
			t.Logf("%s without %s: %d models, %d indexes, %s, %.2f USD", name, word,
				len(other.Design.Models), len(other.Indexes), warned(other), month(other))
			if word != "skew" {
				assert.NotEqual(t, plan.Markdown(), other.Markdown(), "%s without %s", name, word)
			}
			if word == "unique" {
				assert.Less(t, month(other), month(plan), "%s without guards", name)
				assert.Less(t, len(other.Design.Models), len(plan.Design.Models))
			}
		}
	}
}

func month(p *design.Plan) float64 { return p.Cost(design.ListPrices()).Total() }

// warned says how many warnings a plan has.
func warned(p *design.Plan) string {
	n := 0
	for _, note := range p.Notes {
		if note.Warning {
			n++
		}
	}
	return fmt.Sprintf("%d warnings", n)
}
