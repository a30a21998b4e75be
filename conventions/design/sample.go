package design

import (
	"cmp"
	"fmt"
	"hash/fnv"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"time"
)

// Samples makes rows of the models: the same rows for the same seed. The first rows of each model
// have sharp edges, where a wrong plan shows: values that models share, equal timestamps, and
// values that begin with each other, such as 1 and 10. It is not safe for concurrent use.
type Samples struct {
	design *Design
	source *rand.PCG
	random *rand.Rand
	seed   uint64
	made   map[string]int64 // how many rows there are, by model
	wanted map[string]int64 // how many rows there shall be, by model
	scale  map[string]int64 // how many rows there will be, by model
	sharp  []string
	// the values by which patterns choose, by attribute, such as "Post.state"
	wheres map[string][]string
	// how far timestamps are apart where patterns have periods, by attribute
	steps map[string]time.Duration
	// whether keys have timestamps of an attribute, so that no two of them are equal
	inKeys map[string]bool
	// the attributes of children by which patterns read the newest of them: some parents have many
	crowded map[string]bool
	// the attributes that have the numbers of a sequence, which are 1 and above
	numbers map[string]bool
	texts   map[string][]string // the first values of an attribute, by attribute
	domain  bool                // values look like those of the domain
}

// NewSamples makes Samples for a design with so many rows of each model, or as many as there can
// be.
func NewSamples(d *Design, rows map[string]int64, seed uint64) *Samples {
	source := rand.NewPCG(seed, seed)
	s := &Samples{design: d, source: source, random: rand.New(source), seed: seed,
		made:   map[string]int64{},
		wanted: rows, scale: maps.Clone(rows), sharp: sharpOf(d),
		wheres: map[string][]string{}, steps: map[string]time.Duration{},
		inKeys: map[string]bool{}, crowded: map[string]bool{},
		numbers: map[string]bool{}, texts: map[string][]string{}}
	for _, m := range d.Models {
		for _, a := range m.Attributes {
			if a.Begins != "" {
				s.wheres[m.Name+"."+a.Name] = a.timed()
			}
		}
	}
	for _, m := range d.Models {
		for _, a := range m.Attributes { // the values whose items are counted
			if a.Numbers != "" {
				s.numbers[a.Numbers] = true
			}
			for _, name := range slices.Sorted(maps.Keys(a.Where)) {
				at := a.counted() + "." + name
				if !slices.Contains(s.wheres[at], a.Where[name]) {
					s.wheres[at] = append(s.wheres[at], a.Where[name])
				}
			}
		}
	}
	for i := range d.Patterns {
		for _, model := range d.Patterns[i].models() {
			s.choose(&d.Patterns[i], model)
		}
	}
	s.elsewhere()
	s.fit()
	return s
}

// elsewhere notes how many rows the models of other tables would have beside these: as many more or
// fewer as the design says.
func (s *Samples) elsewhere() {
	rows, items := int64(0), int64(0)
	for _, m := range s.design.Models {
		rows, items = rows+s.wanted[m.Name], items+m.Items
	}
	s.wanted = maps.Clone(s.wanted)
	for _, m := range s.design.Elsewhere {
		n := s.wanted[m.Name]
		if n == 0 && items > 0 && m.Items > 0 {
			n = int64(float64(rows) * float64(m.Items) / float64(items))
		}
		n = min(max(n, leastElsewhere), max(rows, leastElsewhere))
		if m.Items > 0 {
			n = min(n, m.Items)
		}
		s.wanted[m.Name], s.scale[m.Name] = n, n
	}
}

// leastElsewhere is how many rows a model of another table has at least, if it has as many items.
const leastElsewhere = 12

// choose notes the values that a pattern needs of a model's attributes: those of its Where, and
// timestamps in several periods.
func (s *Samples) choose(p *Pattern, model string) {
	for _, name := range slices.Sorted(maps.Keys(p.Where)) {
		at := model + "." + s.design.AttributeOf(p, model, name)
		if !slices.Contains(s.wheres[at], p.Where[name]) {
			s.wheres[at] = append(s.wheres[at], p.Where[name])
		}
	}
	if p.Latest != nil && model == p.Models[1] {
		for _, name := range p.Equal {
			s.crowded[model+"."+s.design.AttributeOf(p, model, name)] = true
		}
	}
	if p.Period != "" {
		at := model + "." + s.design.AttributeOf(p, model, p.Range)
		s.steps[at] = max(s.steps[at], p.Period.next(epoch).Sub(epoch)/4)
	}
}

// Clone returns Samples that make the rows that s would make next. The random values after that are
// the same as well.
func (s *Samples) Clone() *Samples {
	c := *s
	state, _ := s.source.MarshalBinary() // cannot fail
	c.source = &rand.PCG{}
	_ = c.source.UnmarshalBinary(state)
	c.random, c.made = rand.New(c.source), maps.Clone(s.made)
	return &c
}

// sharp are values of strings that begin with each other.
var sharp = []string{"1", "10", "2", "a", "A", "100"}

// sharpOf returns sharp values, and the texts that keys of a design hold: among the first ones, so
// that attributes with few values have them.
func sharpOf(d *Design) []string {
	var texts []string
	for _, m := range d.Models {
		texts = append(texts, strings.ToLower(m.Name))
		for _, a := range m.Attributes {
			if a.Constant != "" {
				texts = append(texts, a.Constant)
			}
		}
	}
	slices.Sort(texts)
	return slices.Concat(sharp[:2], slices.Compact(texts), sharp[2:])
}

// epoch is the first timestamp.
var epoch = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

// Next returns the next row of a model. Row n of a guard has the values of row n of its model.
func (s *Samples) Next(model string) Row {
	m := s.design.Model(model)
	n := s.made[model]
	s.made[model]++
	switch {
	case m.Reserves != nil:
		of, row := s.reserved(s.design.Model(m.Reserves.Of), n), Row{}
		for i := range m.Attributes {
			if name := m.Attributes[i].Name; of[name] != nil {
				row[name] = of[name]
			}
		}
		return row
	case len(m.Unique) > 0:
		return s.reserved(m, n)
	}
	return s.row(m, n)
}

// reserved returns row n of a model with guards: the same one whatever was made before.
func (s *Samples) reserved(m *Model, n int64) Row {
	random := s.random
	defer func() { s.random = random }()
	name := Attribute{Name: m.Name}
	s.random = rand.New(rand.NewPCG(s.seed^uint64(name.hash("")), uint64(n)))
	return s.row(m, n)
}

// row returns row n of a model.
func (s *Samples) row(m *Model, n int64) Row {
	row := Row{}
	for i := range m.Attributes {
		a := &m.Attributes[i]
		if a.Derived != nil || a.Optional > 0 && s.random.IntN(2) == 0 {
			continue
		}
		row[a.Name] = s.value(m, a, n)
	}
	return row
}

// value returns the value of an attribute in row n of a model.
func (s *Samples) value(m *Model, a *Attribute, n int64) any {
	if a.Constant != "" {
		return a.Constant
	}
	number, inKey := s.keyNumber(m, a, n)
	if m.isUnique(a.Name) {
		number, inKey = n, true
	}
	if !inKey {
		number = s.drawn(m, a, s.distinct(m, a))
	}
	m, a = s.root(m, a)
	if s.numbers[m.Name+"."+a.Name] {
		number++
	}
	if s.steps[m.Name+"."+a.Name] > 0 && !inKey {
		number %= maxPeriods
	}
	return s.number(a, m.Name, number)
}

// drawn returns a number below n. Every third row of children is one of the first parents'.
func (s *Samples) drawn(m *Model, a *Attribute, n int64) int64 {
	if s.crowded[m.Name+"."+a.Name] && s.random.IntN(3) == 0 {
		return 0
	}
	return s.random.Int64N(n)
}

// maxPeriods is how many timestamps there are of an attribute whose values lie in many periods: few
// enough that a request of all periods can be sent.
const maxPeriods = 3000

// values returns how many values an attribute has. Without a number in the design it is a tenth of
// the rows, so that values repeat.
func (s *Samples) values(m *Model, a *Attribute) int64 {
	if a.Values > 0 {
		return a.Values
	}
	return max(s.scale[m.Name]/10, 3)
}

// number returns value number n of an attribute of a model. All attributes of a type and format
// have the same values, so that models share them; only UUIDs and ULIDs of two attributes are never
// equal.
func (s *Samples) number(a *Attribute, model string, n int64) any {
	switch {
	case a.Type == Number && s.domain:
		return domainNumber(s.design.anyModel(model), a, n)
	case a.Type == Number:
		return a.scaled(n)
	case a.Type == Binary:
		return []byte(s.string(a, model, n))
	case a.Type == Boolean:
		return n%2 == 0
	case a.Type == List:
		return []any{s.string(a, model, n)}
	case a.Type == Vector:
		return vector(a.Dimensions, n)
	case a.Type == Map:
		return map[string]any{"value": s.string(a, model, n)}
	}
	return s.string(a, model, n)
}

// scaled returns number n of those that an attribute has: every second one is negative, and all
// have decimals, if the attribute says so.
func (a *Attribute) scaled(n int64) any {
	if a.Negative && n%2 == 1 {
		n = -n
	}
	if a.Decimals > 0 {
		return float64(n) / math.Pow10(a.Decimals)
	}
	return n
}

func (s *Samples) string(a *Attribute, model string, n int64) string {
	switch {
	case s.domain && a.Format == UUID:
		return domainUUID(a.hash(model), n)
	case s.domain && a.Format == ULID:
		return domainULID(a.hash(model), n)
	}
	switch a.Format {
	case UUID:
		return fmt.Sprintf("%08x-%04x-4000-8000-%012x", uint32(n*2654435761), a.hash(model)&0xFFFF,
			n)
	case ULID:
		return fmt.Sprintf("01%010d%014d", a.hash(model), n)
	case Timestamp:
		step := cmp.Or(s.steps[model+"."+a.Name], s.pace())
		if !s.inKeys[model+"."+a.Name] {
			n /= 3 // some are equal
		}
		return epoch.Add(time.Duration(n) * step).Format(timestampLayout)
	}
	edges := s.edges(a, model)
	if n < int64(len(edges)) {
		return edges[n]
	}
	text := fmt.Sprintf("v%d", n)
	if s.domain {
		text = domainText(a, model, n-int64(len(edges)))
	}
	text = a.padded(text)
	for slices.Contains(edges, text) {
		text += "."
	}
	return text
}

// pace returns how far timestamps are apart.
func (s *Samples) pace() time.Duration {
	if s.domain {
		return domainPace
	}
	return time.Second
}

// edges returns the first values of an attribute that is a string: those by which patterns choose,
// and the sharp ones. No two are equal.
func (s *Samples) edges(a *Attribute, model string) []string {
	name := model + "." + a.Name
	edges, ok := s.texts[name]
	if !ok {
		edges = slices.Clone(s.wheres[name])
		hostile := s.sharp
		if s.domain {
			hostile = nil
		}
		for _, text := range hostile[min(len(edges), len(hostile)):] {
			if text = a.padded(text); !slices.Contains(edges, text) {
				edges = append(edges, text)
			}
		}
		s.texts[name] = edges
	}
	return edges
}

// padded returns a text with as many bytes as a value of an attribute has.
func (a *Attribute) padded(text string) string {
	return text + strings.Repeat(".", max(a.Bytes-len(text), 0))
}

// Beginning returns the text that request number n of a pattern gives for Begins: the first
// character of a row's value, all of it, all but the last character, or the text of the request
// before.
func (p *Pattern) Beginning(n int, row, before Row) string {
	text, _ := row[p.Begins].(string)
	runes := []rune(text)
	switch n % 4 {
	case 0:
		return string(runes[:min(1, len(runes))])
	case 2:
		if last, ok := before[p.Begins].(string); ok {
			return last
		}
	case 3:
		return string(runes[:max(len(runes)-1, min(1, len(runes)))])
	}
	return text
}

// vector returns vector number n of so many dimensions. No two are alike.
func vector(dimensions int, n int64) []any {
	v := make([]any, dimensions)
	for i := range v {
		v[i] = float64(n%int64(i+2)) + 1/float64(n+1)
	}
	return v
}

// hash returns a number of the attribute. Those of other models, or with other names, have others.
func (a *Attribute) hash(model string) uint32 {
	h := fnv.New32a()
	_, _ = h.Write([]byte(model + "." + a.Name))
	return h.Sum32()
}
