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

// MaxPaths is how many paths a Report names. The values of further ones are counted together.
const MaxPaths = 1000

// Report says what became of the attributes of a table. It is safe for concurrent use.
type Report struct {
	table string

	mu    sync.Mutex // guards the fields below
	items int64
	paths map[pathAs]*Path
}

// pathAs names what a Report counts by.
type pathAs struct {
	path string
	as   string
}

// Path is an attribute, or a member inside one, and what became of its values.
type Path struct {
	Path  string           `json:"path"`  // "" for further paths than MaxPaths
	As    string           `json:"as"`    // "" if no rule fits it: the values stay
	Types map[string]int64 `json:"types"` // values by type: S, N …
	// values that stay and look like an e-mail address, …
	Looks map[string]int64 `json:"looks,omitempty"`

	// Names counts the values below names that look like an e-mail address, … No rule masks names.
	Names map[string]int64 `json:"names,omitempty"`
}

// Summary is a Report at one time.
type Summary struct {
	Table string `json:"table"`
	Items int64  `json:"items"`
	Paths []Path `json:"paths"` // sorted by their names
}

func newReport(table string) *Report {
	return &Report{table: table, paths: map[pathAs]*Path{}}
}

// sight is a value that was seen.
type sight struct {
	pathAs
	typ   string
	looks []string // what the value looks like
	names []string // what the names of the attribute and the members that lead to it look like
}

// note notes a value, and what it became. r is nil if no rule fits it.
func (v *visit) note(r *tableRule, path []string, value, masked types.AttributeValue) {
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
	_, became := typeOf(masked)
	s.looks = appearances(r.unchanged(texts, became))
	if masked != nil {
		s.names = appearances(path)
	}
	v.seen = append(v.seen, s)
}

// unchanged returns the texts that stay as they are, and those parts of texts with the rule's
// pattern that do.
func (r *tableRule) unchanged(texts, masked []string) (stay []string) {
	for i, text := range texts {
		if r == nil || r.Pattern == nil {
			if slices.Contains(masked, text) {
				stay = append(stay, text)
			}
			continue
		}
		was, _ := r.Pattern.split(text)
		is, _ := r.Pattern.split(masked[i])
		for p := range was {
			if was[p] == is[p] {
				stay = append(stay, was[p])
			}
		}
	}
	return stay
}

// appearances says what texts look like. It leaves out those that look like nothing.
func appearances(texts []string) (all []string) {
	for _, text := range texts {
		if look := looksLike(text); look != "" {
			all = append(all, look)
		}
	}
	return all
}

// typeOf returns the type of a value, and its texts. Binaries may be texts.
func typeOf(value types.AttributeValue) (string, []string) {
	switch value := value.(type) {
	case *types.AttributeValueMemberS:
		return "S", []string{value.Value}
	case *types.AttributeValueMemberN:
		return "N", []string{value.Value}
	case *types.AttributeValueMemberB:
		return "B", []string{string(value.Value)}
	case *types.AttributeValueMemberSS:
		return "SS", value.Value
	case *types.AttributeValueMemberNS:
		return "NS", value.Value
	case *types.AttributeValueMemberBS:
		texts := make([]string, len(value.Value))
		for i, b := range value.Value {
			texts[i] = string(b)
		}
		return "BS", texts
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
		p := r.path(s.pathAs)
		p.Types[s.typ]++
		count(&p.Looks, s.looks)
		count(&p.Names, s.names)
	}
}

// path returns the counts of a path. Paths after the first MaxPaths share those of each method.
func (r *Report) path(at pathAs) *Path {
	if p := r.paths[at]; p != nil {
		return p
	}
	if len(r.paths) >= MaxPaths && at.path != "" {
		return r.path(pathAs{path: "", as: at.as})
	}
	p := &Path{Path: at.path, As: at.as, Types: map[string]int64{}}
	r.paths[at] = p
	return p
}

func count(counts *map[string]int64, all []string) {
	for _, what := range all {
		if *counts == nil {
			*counts = map[string]int64{}
		}
		(*counts)[what]++
	}
}

// Summary returns what was seen until now.
func (r *Report) Summary() Summary {
	r.mu.Lock()
	defer r.mu.Unlock()
	s := Summary{Table: r.table, Items: r.items, Paths: []Path{}}
	for _, p := range r.paths {
		copied := *p
		copied.Types, copied.Looks, copied.Names = maps.Clone(p.Types), maps.Clone(
			p.Looks), maps.Clone(p.Names)
		s.Paths = append(s.Paths, copied)
	}
	slices.SortFunc(s.Paths,
		func(a, b Path) int { return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.As, b.As)) })
	return s
}

// A look is a kind of personal data that texts may have in them.
type look struct {
	name string
	mark string // each text of the kind has one of these characters
	form *regexp.Regexp
	is   func(string) bool // nil: what has the form is of the kind
}

var looks = sync.OnceValue(func() []look {
	return []look{
		{"a card number", "0123456789", regexp.MustCompile(`[0-9]([ -]?[0-9]){12,}`), isCard},
		{"an e-mail address", "@", regexp.MustCompile(`[^@\s]+@[^@\s]+\.[^@\s]+`), isReachable},
		{"a phone number", "+", regexp.MustCompile(`\+[0-9][0-9 ()./-]{6,16}[0-9]`), nil},
		{"a phone number", "0", regexp.MustCompile(`^0[0-9][0-9 ()./-]{7,16}[0-9]$`), nil},
		{"an IP address", ".", regexp.MustCompile(`^[0-9]{1,3}(\.[0-9]{1,3}){3}$`), nil},
	}
})

// looksLike says which personal data a text looks like, or has in it, or "".
func looksLike(text string) string {
	for _, look := range looks() {
		if !strings.ContainsAny(text, look.mark) {
			continue
		}
		if look.is == nil && look.form.MatchString(text) || look.is != nil &&
			slices.ContainsFunc(look.form.FindAllString(text, -1), look.is) {
			return look.name
		}
	}
	return ""
}

// isReachable reports whether mail to an address may reach someone: nobody has one in .example.
func isReachable(address string) bool { return !strings.HasSuffix(address, ".example") }

// isCard reports whether a text is a number of a payment card: 13 to 19 digits, perhaps with spaces
// or dashes, with a check digit (ISO/IEC 7812-1, annex B).
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
