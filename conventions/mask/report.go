package mask

import (
	"cmp"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// MaxPaths is how many paths a Report names. Further ones are counted in More.
const MaxPaths = 1000

// Report says what became of the attributes of a table. It is safe for concurrent use.
type Report struct {
	table string

	mu    sync.Mutex // of what follows
	items int64
	paths map[pathAs]*Path
	more  int64
}

// pathAs is what a Report counts by.
type pathAs struct {
	path string
	as   string
}

// Path is an attribute, or a member inside one, and what became of its values.
type Path struct {
	Path  string           `json:"path"`
	As    string           `json:"as"`              // "" if no rule fits it: the values stay
	Types map[string]int64 `json:"types"`           // values by type: S, N …
	Looks map[string]int64 `json:"looks,omitempty"` // values that stay and look like an e-mail address, …
}

// Summary is a Report at one time.
type Summary struct {
	Table string `json:"table"`
	Items int64  `json:"items"`
	Paths []Path `json:"paths"`          // in the order of their names
	More  int64  `json:"more,omitempty"` // values of further paths
}

func newReport(table string) *Report {
	return &Report{table: table, paths: map[pathAs]*Path{}}
}

// sight is a value that was seen.
type sight struct {
	pathAs
	typ   string
	looks []string
}

// note notes a value. r is nil if no rule fits it.
func (v *visit) note(r *tableRule, path []string, value types.AttributeValue) {
	s := sight{pathAs: pathAs{path: shown(r, path)}}
	var texts []string
	s.typ, texts = typeOf(value)
	switch {
	case r == nil:
	case r.Pattern != nil:
		s.as = r.Pattern.Text
	default:
		s.as = string(r.Method.As)
	}
	if r == nil || r.Pattern == nil && r.Method.As == Keep {
		for _, text := range texts {
			if look := looksLike(text); look != "" {
				s.looks = append(s.looks, look)
			}
		}
	}
	v.seen = append(v.seen, s)
}

// typeOf returns the type of a value, and its texts.
func typeOf(value types.AttributeValue) (string, []string) {
	switch value := value.(type) {
	case *types.AttributeValueMemberS:
		return "S", []string{value.Value}
	case *types.AttributeValueMemberN:
		return "N", []string{value.Value}
	case *types.AttributeValueMemberB:
		return "B", nil
	case *types.AttributeValueMemberSS:
		return "SS", value.Value
	case *types.AttributeValueMemberNS:
		return "NS", value.Value
	case *types.AttributeValueMemberBS:
		return "BS", nil
	case *types.AttributeValueMemberBOOL:
		return "BOOL", nil
	case *types.AttributeValueMemberM:
		return "M", nil
	case *types.AttributeValueMemberL:
		return "L", nil
	}
	return "NULL", nil
}

// add adds what was seen of an item.
func (r *Report) add(seen []sight) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.items++
	for _, s := range seen {
		p := r.paths[s.pathAs]
		if p == nil {
			if len(r.paths) == MaxPaths {
				r.more++
				continue
			}
			p = &Path{Path: s.path, As: s.as, Types: map[string]int64{}}
			r.paths[s.pathAs] = p
		}
		p.Types[s.typ]++
		for _, look := range s.looks {
			if p.Looks == nil {
				p.Looks = map[string]int64{}
			}
			p.Looks[look]++
		}
	}
}

// Summary returns what was seen until now.
func (r *Report) Summary() Summary {
	r.mu.Lock()
	defer r.mu.Unlock()
	s := Summary{Table: r.table, Items: r.items, More: r.more, Paths: []Path{}}
	for _, p := range r.paths {
		copied := *p
		copied.Types, copied.Looks = maps.Clone(p.Types), maps.Clone(p.Looks)
		s.Paths = append(s.Paths, copied)
	}
	slices.SortFunc(s.Paths, func(a, b Path) int { return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.As, b.As)) })
	return s
}

var looks = sync.OnceValue(func() map[string]*regexp.Regexp {
	return map[string]*regexp.Regexp{
		"an e-mail address": regexp.MustCompile(`[^@\s]+@[^@\s]+\.[^@\s]+`),
		"a phone number":    regexp.MustCompile(`\+[0-9][0-9 ()./-]{6,16}[0-9]|^0[0-9][0-9 ()./-]{7,16}[0-9]$`),
		"an IP address":     regexp.MustCompile(`^[0-9]{1,3}(\.[0-9]{1,3}){3}$`),
	}
})

// looksLike says which personal data a text looks like, "" if it looks like none.
func looksLike(text string) string {
	if isCard(text) {
		return "a card number"
	}
	if len(text) > 300 || strings.HasSuffix(text, ".example") {
		return ""
	}
	for _, name := range slices.Sorted(maps.Keys(looks())) {
		if looks()[name].MatchString(text) {
			return name
		}
	}
	return ""
}

// isCard reports whether a text is a number of a payment card: 13 to 19 digits, perhaps with spaces or
// dashes, with a check digit (ISO/IEC 7812-1, annex B).
func isCard(text string) bool {
	digits := strings.NewReplacer(" ", "", "-", "").Replace(text)
	if len(digits) < 13 || len(digits) > 19 {
		return false
	}
	sum := 0
	for i, r := range digits {
		if r < '0' || r > '9' {
			return false
		}
		d := int(r - '0')
		if (len(digits)-i)%2 == 0 {
			d *= 2
		}
		sum += d/10 + d%10
	}
	return sum%10 == 0
}
