package design

import (
	"fmt"
	"testing"

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

// largeDesign has 40 models with five patterns each.
func largeDesign() *Design {
	d := &Design{Table: "large"}
	for i := range 40 {
		m := Model{Name: fmt.Sprint("M", i), Key: []string{"id"}, Attributes: []Attribute{{Name: "id", Type: String, Format: UUID}, {Name: "at", Type: String, Format: Timestamp}}}
		for j := range 5 {
			name := fmt.Sprint("a", (i+j)%7)
			m.Attributes = append(m.Attributes, Attribute{Name: name, Type: String})
			d.Patterns = append(d.Patterns, Pattern{Name: fmt.Sprint(m.Name, " by ", name), Model: m.Name, Equal: []string{name}, Order: "at"})
		}
		d.Models = append(d.Models, m)
	}
	return d
}
