package mask

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// Item is an item in the form of the SDK.
type Item = map[string]types.AttributeValue

// maxAttempts is how often a value is masked until what it becomes is taken apart as it was.
const maxAttempts = 10_000

// MinSecret is how many bytes a secret has at least.
const MinSecret = 16

// Masker masks the items of a table. It is safe for concurrent use.
type Masker struct {
	table  string
	keys   []string
	rules  []tableRule
	strict bool
	report *Report
}

// tableRule is a rule for a table, with its pseudonyms.
type tableRule struct {
	*Rule
	whole pseudonyms
	parts []pseudonyms // the pseudonyms of the pattern, in its order
}

// Table returns a Masker of a table with these key attributes: those of the table itself. strict
// makes an attribute that no rule fits an error.
func (m *Mask) Table(name string, keys []string, secret []byte, strict bool) (*Masker, error) {
	if len(secret) < MinSecret {
		return nil, fmt.Errorf("the secret has %d bytes, and needs at least %d", len(secret),
			MinSecret)
	}
	k := key{secret}
	masker := &Masker{table: name, keys: keys, strict: strict, report: newReport(name)}
	for i := range m.Rules {
		r := &m.Rules[i]
		if r.Tables != nil && !slices.Contains(r.Tables, name) {
			continue
		}
		t := tableRule{Rule: r, whole: r.Method.with(k)}
		if r.Pattern != nil {
			for _, part := range r.Pattern.names {
				method := r.Pattern.Parts[part]
				t.parts = append(t.parts, method.with(k))
			}
		}
		if slices.Contains(keys, r.Path[0]) && !r.forKeys() {
			return nil, fmt.Errorf(
				"rules[%d]: %s is a key of %s: items that are two must have two keys, so it takes neither drop nor constant nor a condition", i, r.Path[0], name)
		}
		masker.rules = append(masker.rules, t)
	}
	return masker, nil
}

// Report returns what the Masker has seen.
func (m *Masker) Report() *Report { return m.report }

// UnmaskedError means that no rule fits an attribute.
type UnmaskedError struct{ Table, Path string }

func (e *UnmaskedError) Error() string {
	return fmt.Sprintf("no rule masks %s of %s: give it a rule, such as {attribute: %s, as: keep}",
		e.Path, e.Table, e.Path)
}

// Item returns an item with its values masked. The item does not change. Errors name attributes,
// and no values.
func (m *Masker) Item(item Item) (Item, error) {
	v := visit{Masker: m, item: item}
	masked := make(Item, len(item))
	for name, value := range item {
		if err := v.member(masked, []string{name}, value); err != nil {
			return nil, err
		}
	}
	m.report.add(v.seen)
	return masked, nil
}

// visit is the masking of an item.
type visit struct {
	*Masker
	item Item
	seen []sight
}

// errDropped means that a value is to be left out.
var errDropped = errors.New("dropped")

// member masks a value of a map, unless it is left out.
func (v *visit) member(into Item, path []string, value types.AttributeValue) error {
	masked, err := v.value(path, value)
	if errors.Is(err, errDropped) {
		return nil
	}
	into[path[len(path)-1]] = masked
	return err
}

// value masks a value at a path.
func (v *visit) value(path []string, value types.AttributeValue) (types.AttributeValue, error) {
	switch value := value.(type) {
	case *types.AttributeValueMemberM:
		if len(value.Value) == 0 {
			break // a rule may drop it
		}
		masked := make(Item, len(value.Value))
		for name, inner := range value.Value {
			if err := v.member(masked, append(slices.Clip(path), name), inner); err != nil {
				return nil, err
			}
		}
		if len(masked) == 0 {
			return nil, errDropped
		}
		return &types.AttributeValueMemberM{Value: masked}, nil
	case *types.AttributeValueMemberL:
		if len(value.Value) == 0 {
			break
		}
		masked := make([]types.AttributeValue, 0, len(value.Value))
		for _, inner := range value.Value {
			element, err := v.value(path, inner)
			if err != nil && !errors.Is(err, errDropped) {
				return nil, err
			}
			if err == nil {
				masked = append(masked, element)
			}
		}
		if len(masked) == 0 {
			return nil, errDropped
		}
		return &types.AttributeValueMemberL{Value: masked}, nil
	}
	return v.scalar(path, value)
}

// scalar masks a value that has no other values in it, or a set.
func (v *visit) scalar(path []string, value types.AttributeValue) (types.AttributeValue, error) {
	for i := range v.rules {
		r := &v.rules[i]
		if !v.fits(r, path) {
			continue
		}
		masked, ok, err := v.apply(i, path, value)
		if err != nil {
			return nil, v.failed(r, path, value, err)
		}
		if ok {
			v.note(r, path, value, masked)
			return masked, nil
		}
	}
	if v.strict {
		return nil, &UnmaskedError{v.table, strings.Join(path, ".")}
	}
	v.note(nil, path, value, value)
	return value, nil
}

// failed returns the error of a value, and notes one that is dropped.
func (v *visit) failed(r *tableRule, path []string, value types.AttributeValue, err error) error {
	if errors.Is(err, errDropped) {
		v.note(r, path, value, nil)
		return err
	}
	return fmt.Errorf("%s of %s: %w", shown(r, path), v.table, err)
}

// apply masks a value by a rule. ok is false if the value does not have the rule's pattern.
//
// If the result has the pattern of an earlier rule, apply masks it again. So a result shows which
// rule made it, and two rules never give different values one result.
func (v *visit) apply(rule int, path []string, value types.AttributeValue) (types.AttributeValue,
	bool, error) {
	r := &v.rules[rule]
	masked, ok, err := r.apply(value)
	for attempt := 1; ok && err == nil && r.unique() && v.claimed(rule, path, masked); attempt++ {
		if attempt == maxAttempts {
			return nil, true, errors.New("what it becomes has the pattern of a rule before it")
		}
		masked, ok, err = r.apply(masked)
	}
	return masked, ok, err
}

// claimed reports whether a rule before the rule with index before has a pattern that fits a value.
func (v *visit) claimed(before int, path []string, value types.AttributeValue) bool {
	text, ok := value.(*types.AttributeValueMemberS)
	if !ok {
		return false
	}
	for i := range v.rules[:before] {
		if r := &v.rules[i]; r.Pattern != nil && v.fits(r, path) {
			if _, ok := r.Pattern.split(text.Value); ok {
				return true
			}
		}
	}
	return false
}

// fits reports whether a rule is for a path in the item. "*" does not name keys in a rule that is
// not for keys.
func (v *visit) fits(r *tableRule, path []string) bool {
	switch {
	case len(path) < len(r.Path) || r.When != nil && !r.When.holds(v.item):
		return false
	case !r.forKeys() && slices.Contains(v.keys, path[0]):
		return false
	}
	for i, step := range r.Path {
		if step != "*" && step != path[i] {
			return false
		}
	}
	return true
}

func (c *Condition) holds(item Item) bool {
	text, ok := item[c.Attribute].(*types.AttributeValueMemberS)
	return ok && strings.HasPrefix(text.Value, c.Begins) &&
		(c.Is == nil || slices.Contains(c.Is, text.Value))
}

// apply masks a value once. ok is false if the value does not have the rule's pattern.
func (r *tableRule) apply(value types.AttributeValue) (masked types.AttributeValue, ok bool,
	err error) {
	if r.Pattern != nil {
		return r.applyPattern(value)
	}
	if r.Method.As == Drop {
		return nil, true, errDropped
	}
	masked, err = r.whole.scalar(value)
	return masked, true, err
}

func (r *tableRule) applyPattern(value types.AttributeValue) (masked types.AttributeValue, ok bool,
	err error) {
	var all []string
	switch value := value.(type) {
	case *types.AttributeValueMemberS:
		all = []string{value.Value}
	case *types.AttributeValueMemberSS:
		all = value.Value
	default:
		return nil, false, nil
	}
	texts := make([]string, len(all))
	for i, text := range all {
		if texts[i], ok, err = r.parted(text); !ok || err != nil {
			return nil, ok, err
		}
	}
	if _, single := value.(*types.AttributeValueMemberS); single {
		return &types.AttributeValueMemberS{Value: texts[0]}, true, nil
	}
	return &types.AttributeValueMemberSS{Value: texts}, true, nil
}

// parted masks the parts of a text. Parts that would be taken apart in another way are masked
// again.
func (r *tableRule) parted(text string) (masked string, ok bool, err error) {
	parts, ok := r.Pattern.split(text)
	if !ok {
		return "", false, nil
	}
	for range maxAttempts {
		for i := range parts {
			if parts[i], err = r.parts[i].text(parts[i]); err != nil {
				return "", true, err
			}
		}
		masked = r.Pattern.join(parts)
		if again, ok := r.Pattern.split(masked); ok && slices.Equal(again, parts) {
			return masked, true, nil
		}
	}
	return "", true, fmt.Errorf("what parts of %s become has the text between them", r.Pattern.Text)
}

// shown returns the path that a report names: a rule's "*" stands for the names that it fits, which
// may be data themselves.
func shown(r *tableRule, path []string) string {
	shown := slices.Clone(path)
	if r != nil {
		for i, step := range r.Path {
			if step == "*" && i > 0 {
				shown[i] = step
			}
		}
	}
	return strings.Join(shown, ".")
}
