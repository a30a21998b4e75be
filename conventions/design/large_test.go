package design

import (
	"fmt"
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// BenchmarkMake plans the guide's table, and a large design whose search is not exact.
func BenchmarkMake(b *testing.B) {
	for name, d := range map[string]*Design{"guide": guideDesign(), "large": largeDesign()} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				_, err := Make(d)
				require.NoError(b, err)
			}
		})
	}
}

// TestLarge plans designs of the largest size: the search stays within its bound, and gives the
// same plan again.
func TestLarge(t *testing.T) {
	for _, c := range []struct {
		name   string
		models int
		equal  int
	}{{"many models", MaxModels, 2}, {"many patterns of a model", 10, 3}} {
		t.Run(c.name, func(t *testing.T) {
			if c.models < MaxModels && os.Getenv("TEST_FULL") == "" {
				t.Skip("it is slow: run it with TEST_FULL=true")
			}
			d := widestDesign(c.models, c.equal)
			p, err := Make(d)
			require.NoError(t, err)
			assert.False(t, p.Search.Exact)
			assert.LessOrEqual(t, p.Search.Layouts, searchWidth)
			assert.Len(t, p.Queries, MaxPatterns)
			t.Run("again", func(t *testing.T) {
				if os.Getenv("TEST_FULL") == "" {
					t.Skip("it is slow: run it with TEST_FULL=true")
				}
				again, err := Make(d)
				require.NoError(t, err)
				assert.Equal(t, p.Markdown(), again.Markdown())
			})
		})
	}
}

// widestDesign has as many patterns as a design may have, each by several attributes.
func widestDesign(models, equal int) *Design {
	const attributes = 12
	d := &Design{Table: "widest"}
	for i := range models {
		m := Model{
			Name: fmt.Sprint("M", i), Key: []string{"id"},
			Attributes: []Attribute{{Name: "id", Type: String, Format: UUID},
				{Name: "at", Type: String, Format: Timestamp}},
		}
		for j := range attributes {
			m.Attributes = append(m.Attributes, Attribute{Name: fmt.Sprint("a", j), Type: String})
		}
		for j := range MaxPatterns / models {
			p := Pattern{Name: fmt.Sprint(m.Name, " ", j), Model: m.Name, Order: "at"}
			for k := range equal {
				p.Equal = append(p.Equal, fmt.Sprint("a", (i+j+k)%attributes))
			}
			d.Patterns = append(d.Patterns, p)
		}
		d.Models = append(d.Models, m)
	}
	return d
}

// largeDesign has 40 models with five patterns each.
func largeDesign() *Design {
	d := &Design{Table: "large"}
	for i := range 40 {
		m := Model{
			Name: fmt.Sprint("M", i), Key: []string{"id"},
			Attributes: []Attribute{{Name: "id", Type: String, Format: UUID},
				{Name: "at", Type: String, Format: Timestamp}},
		}
		for j := range 5 {
			name := fmt.Sprint("a", (i+j)%7)
			m.Attributes = append(m.Attributes, Attribute{Name: name, Type: String})
			d.Patterns = append(d.Patterns,
				Pattern{Name: fmt.Sprint(m.Name, " by ", name), Model: m.Name,
					Equal: []string{name}, Order: "at"})
		}
		d.Models = append(d.Models, m)
	}
	return d
}
