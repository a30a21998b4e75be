package design

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestHeaviest checks how frequent the most frequent value is.
func TestHeaviest(t *testing.T) {
	for _, c := range []struct {
		name string
		a    Attribute
		want float64
	}{
		{"all values alike", Attribute{Values: 100}, 0.01},
		{"as many values as items", Attribute{}, 0.001},
		{"a largest number", Attribute{Values: 100, Largest: 250}, 0.25},
		{"a largest number below the mean", Attribute{Values: 2, Largest: 10}, 0.5},
		{"Zipf's law over three values", Attribute{Values: 3, Zipf: 2}, 1 / (1 + 1.0/4 + 1.0/9)},
		{"a constant", Attribute{Constant: "x"}, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.a.Name = "a"
			m := &Model{Items: 1000, Attributes: []Attribute{c.a}}
			assert.InDelta(t, c.want, m.Heaviest("a"), 1e-9)
		})
	}
}

// TestZeta checks the sum against one without a shortcut.
func TestZeta(t *testing.T) {
	for _, s := range []float64{1.01, 1.1, 2, 5} {
		sum := 0.0
		for k := 1.0; k <= 200_000; k++ {
			sum += math.Pow(k, -s)
		}
		assert.InEpsilon(t, sum, zeta(s, 200_000), 1e-6, s)
	}
}

// socialDesign has posts by users of whom some have many more followers than others.
func socialDesign(change func(user *Attribute)) *Design {
	user := Attribute{Name: "user", Type: String, Format: UUID, Values: 1_000_000}
	change(&user)
	return &Design{
		Table: "social",
		Models: []Model{{Name: "Follow", Key: []string{"user", "follower"}, Items: 100_000_000,
			Puts: 10_000, Attributes: []Attribute{
				user, {Name: "follower", Type: String, Format: UUID}}}},
		Patterns: []Pattern{
			{Name: "followers", Model: "Follow", Equal: []string{"user"}, Rate: 20_000},
		},
	}
}

// TestSkew checks what a plan says of the most frequent partition key.
func TestSkew(t *testing.T) {
	alike := advised(t, socialDesign(func(*Attribute) {}))
	assert.NotContains(t, alike, "most frequent")
	assert.NotContains(t, alike, "warning")
	for _, c := range []struct {
		name   string
		change func(user *Attribute)
		want   []string
	}{
		{"a user with a fifth of all followers",
			func(user *Attribute) { user.Largest = 20_000_000 },
			[]string{
				"7. Follow: the most frequent user of social has 20,000,000 of its items, 3.3 GB, and " +
					"takes 2,000.0 write units and 2,000.0 read units per second",
				"7. warning: social: gets 2000 write units per second of Follow under the most frequent " +
					"partition key, and a partition takes 1000: add shards: 3 to followers",
			}},
		{"Zipf's law", func(user *Attribute) { user.Zipf = 1.5 }, []string{
			"7. warning: followers: reads 3831 units per second of the most frequent partition key",
			"7. warning: social: gets 3831 write units per second of Follow under the most frequent",
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			text := advised(t, socialDesign(c.change))
			for _, want := range c.want {
				assert.Contains(t, text, want)
			}
		})
	}
}

// TestSkewedPartition checks the size of the most frequent partition key.
func TestSkewedPartition(t *testing.T) {
	d := socialDesign(func(user *Attribute) { user.Largest = 300_000_000 })
	d.Models[0].Items = 1_000_000_000
	assert.Contains(t, advised(t, d),
		"7. followers: reads a partition key with 21 GB, the most frequent one. No limit is on that")
}

// TestSkewedSpread checks that shards divide the most frequent partition key.
func TestSkewedSpread(t *testing.T) {
	d := socialDesign(func(user *Attribute) { user.Largest = 20_000_000 })
	d.Patterns[0].Shards = 10
	text := advised(t, d)
	assert.NotContains(t, text, "warning: social: gets")
	_, err := ParseSkew("zipf 1.1 and more")
	require.Error(t, err)
}
