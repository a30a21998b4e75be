package design

import (
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"strings"
	"time"
)

// Samples makes rows of the models: the same rows for the same seed. The first rows of each model
// have sharp edges, where a wrong plan shows: values that models share, equal timestamps, and values
// that begin with each other, such as 1 and 10. It is not safe for concurrent use.
type Samples struct {
	design *Design
	random *rand.Rand
	made   map[string]int64 // by model: how many rows there are
	scale  map[string]int64 // by model: how many rows there will be
}

// NewSamples makes Samples for a design with so many rows of each model.
func NewSamples(d *Design, rows map[string]int64, seed uint64) *Samples {
	return &Samples{design: d, random: rand.New(rand.NewPCG(seed, seed)), made: map[string]int64{}, scale: rows}
}

// sharp are values of strings that begin with each other, or that other models' keys may hold.
var sharp = []string{"1", "10", "2", "a", "A", "post", "100"}

// epoch is the first timestamp.
var epoch = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

// Next returns the next row of a model.
func (s *Samples) Next(model string) Row {
	m := s.design.model(model)
	n := s.made[model]
	s.made[model]++
	row := Row{}
	for i := range m.Attributes {
		a := &m.Attributes[i]
		row[a.Name] = s.value(m, a, n)
	}
	return row
}

// value returns the value of an attribute in row n of a model.
func (s *Samples) value(m *Model, a *Attribute, n int64) any {
	if a.Constant != "" {
		return a.Constant
	}
	if a.Of != "" {
		model, name, _ := strings.Cut(a.Of, ".")
		of := s.design.model(model)
		return s.value(of, of.attribute(name), s.random.Int64N(max(s.scale[model], 1)))
	}
	unique := len(m.Key) > 0 && m.Key[len(m.Key)-1] == a.Name
	number := n
	if !unique {
		number = s.random.Int64N(max(min(s.values(m, a), s.scale[m.Name]), 1))
	}
	return a.number(m.Name, number)
}

// values returns how many values an attribute has. Without a number in the design it is a tenth of
// the rows, so that values repeat.
func (s *Samples) values(m *Model, a *Attribute) int64 {
	if a.Values > 0 {
		return a.Values
	}
	return max(s.scale[m.Name]/10, 3)
}

// number returns value number n of an attribute of a model. All attributes of a type and format have
// the same values, so that models share them; only UUIDs and ULIDs of two attributes are never equal.
func (a *Attribute) number(model string, n int64) any {
	switch {
	case a.Type == Number:
		return n
	case a.Type == Binary:
		return []byte(a.string(model, n))
	case a.Type == Boolean:
		return n%2 == 0
	case a.Type == List:
		return []any{a.string(model, n)}
	case a.Type == Map:
		return map[string]any{"value": a.string(model, n)}
	}
	return a.string(model, n)
}

func (a *Attribute) string(model string, n int64) string {
	switch a.Format {
	case UUID:
		return fmt.Sprintf("%08x-%04x-4000-8000-%012x", uint32(n*2654435761), a.hash(model)&0xFFFF, n)
	case ULID:
		return fmt.Sprintf("01%010d%014d", a.hash(model), n)
	case Timestamp:
		return epoch.Add(time.Duration(n/3) * time.Second).Format("2006-01-02T15:04:05.000Z")
	}
	text := fmt.Sprint(n)
	if n < int64(len(sharp)) {
		text = sharp[n]
	}
	if a.Bytes > len(text) {
		text += strings.Repeat(".", a.Bytes-len(text))
	}
	return text
}

// hash is a number that attributes of different models or names have different ones of.
func (a *Attribute) hash(model string) uint32 {
	h := fnv.New32a()
	_, _ = h.Write([]byte(model + "." + a.Name))
	return h.Sum32()
}
