package expr

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/kugiri-db/kugiri/storage/item"
	"github.com/kugiri-db/kugiri/storage/item/jsontext"
)

func rapidItem(t *rapid.T, fields object) item.Item {
	s := jsontext.NewScanner(wireText(fields))
	attrs, err := item.ParseAttributes(&s)
	require.NoError(t, err)
	require.Nil(t, attrs.Invalid)
	return attrs.Item
}

// gone marks an element or member to remove.
type gone struct{}

// naiveAction is a change. eval returns the new value at the path (gone for none) or an error.
type naiveAction struct {
	path naivePath
	text string
	eval func(object) (any, error)
}

// action draws an action of a section at a path.
func (s *script) action(section string, p naivePath) naiveAction {
	switch section {
	case "REMOVE":
		return naiveAction{p, p.String(), func(object) (any, error) { return gone{}, nil }}
	case "ADD":
		v := anyValue(0).Filter(
			func(v any) bool { _, set := v.(members); _, n := v.(int); return set || n }).Draw(s.t,
			"added")
		return naiveAction{p, p.String() + " " + s.value(v),
			func(it object) (any, error) { return naiveAdd(p.get(it), v) }}
	case "DELETE":
		v := anyValue(0).Filter(func(v any) bool { _, set := v.(members); return set }).Draw(s.t,
			"deleted").(members)
		return naiveAction{p, p.String() + " " + s.value(v),
			func(it object) (any, error) { return naiveDelete(p.get(it), v) }}
	}
	right := s.right()
	return naiveAction{p, p.String() + " = " + right.text, right.eval}
}

func naiveAdd(current, v any) (any, error) {
	switch {
	case current == nil:
		return v, nil
	case typeOf(current) != typeOf(v):
		return nil, errOperandType
	}
	if n, ok := v.(int); ok {
		return current.(int) + n, nil
	}
	union := maps.Clone(current.(members))
	maps.Copy(union, v.(members))
	return union, nil
}

func naiveDelete(current any, v members) (any, error) {
	switch {
	case current == nil:
		return gone{}, nil
	case typeOf(current) != typeOf(v):
		return nil, errOperandType
	}
	rest := maps.Clone(current.(members))
	maps.DeleteFunc(rest, func(e any, _ bool) bool { return v[e] })
	if len(rest) == 0 {
		return gone{}, nil
	}
	return rest, nil
}

type naiveRight struct {
	text string
	eval func(object) (any, error)
}

// right draws the right side of a SET.
func (s *script) right() naiveRight {
	p := anyPath(s.t)
	read := func(it object) (any, error) {
		if v := p.get(it); v != nil {
			return v, nil
		}
		return nil, errMissingAttribute
	}
	switch rapid.IntRange(0, 5).Draw(s.t, "right side") {
	case 0:
		return naiveRight{p.String(), read}
	case 1:
		v := anyValue(2).Draw(s.t, "default")
		return naiveRight{"if_not_exists(" + p.String() + ", " + s.value(v) + ")", func(it object) (
			any, error) {
			if old := p.get(it); old != nil {
				return old, nil
			}
			return v, nil
		}}
	case 2:
		n := rapid.IntRange(-5, 5).Draw(s.t, "number")
		return naiveRight{p.String() + " + " + s.value(n),
			func(it object) (any, error) { return naiveSum(read, it, n) }}
	case 3:
		n := rapid.IntRange(-5, 5).Draw(s.t, "number")
		return naiveRight{p.String() + " - " + s.value(n),
			func(it object) (any, error) { return naiveSum(read, it, -n) }}
	case 4:
		tail := list{rapid.IntRange(0, 9).Draw(s.t, "element")}
		return naiveRight{"list_append(" + p.String() + ", " + s.value(
			tail) + ")", func(it object) (any, error) {
			v, err := read(it)
			if err != nil {
				return nil, err
			}
			head, ok := v.(list)
			if !ok {
				return nil, errOperandType
			}
			return slices.Concat(head, tail), nil
		}}
	}
	v := anyValue(2).Draw(s.t, "value")
	return naiveRight{s.value(v), func(object) (any, error) { return v, nil }}
}

func naiveSum(read func(object) (any, error), it object, n int) (any, error) {
	v, err := read(it)
	if err != nil {
		return nil, err
	}
	old, ok := v.(int)
	if !ok {
		return nil, errOperandType
	}
	return old + n, nil
}

// naivePut puts v at the path in a container. Removed values become gone, and a list gets holes
// (nil) up to an element beyond its end.
func naivePut(into any, p naivePath, v any) (any, error) {
	if len(p) == 0 {
		return v, nil
	}
	switch at := into.(type) {
	case object:
		name, ok := p[0].(string)
		if !ok {
			return nil, errUpdatePath
		}
		field, err := naivePut(at[name], p[1:], v)
		if err == nil {
			at[name] = field
		}
		return at, err
	case list:
		i, ok := p[0].(int)
		if !ok {
			return nil, errUpdatePath
		}
		for len(at) <= i {
			at = append(at, nil)
		}
		elem, err := naivePut(at[i], p[1:], v)
		at[i] = elem
		return at, err
	}
	return nil, errUpdatePath
}

// naiveClean removes values that are gone, and holes.
func naiveClean(v any) any {
	switch v := v.(type) {
	case object:
		for name := range v {
			if v[name] == (gone{}) {
				delete(v, name)
			} else {
				v[name] = naiveClean(v[name])
			}
		}
	case list:
		clean := list{}
		for _, e := range v {
			if _, removed := e.(gone); e != nil && !removed {
				clean = append(clean, naiveClean(e))
			}
		}
		return clean
	}
	return v
}

func naiveApply(it object, actions []naiveAction) (object, error) {
	results := make([]any, len(actions))
	for i, a := range actions {
		var err error
		if results[i], err = a.eval(it); err != nil {
			return nil, err
		}
	}
	updated := naiveCopy(it)
	for i, a := range actions {
		var err error
		if updated, err = naivePut(updated, a.path, naiveCopy(results[i])); err != nil {
			return nil, err
		}
	}
	return naiveClean(updated).(object), nil
}

func TestApplyAgainstNaiveModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := &script{t, object{}}
		var actions []naiveAction
		var clauses []string
		for _, section := range rapid.Permutation([]string{"SET", "REMOVE", "ADD", "DELETE"}).Draw(
			t, "sections") {
			var texts []string
			for range rapid.IntRange(0, 2).Draw(t, "actions") {
				p := anyPath(t)
				if slices.ContainsFunc(actions,
					func(a naiveAction) bool { return a.path.clashes(p) }) {
					continue
				}
				a := s.action(section, p)
				actions, texts = append(actions, a), append(texts, a.text)
			}
			if texts != nil {
				clauses = append(clauses, fmt.Sprint(section, " ", strings.Join(texts, ", ")))
			}
		}
		if actions == nil {
			return
		}
		text := strings.Join(clauses, " ")
		u, err := s.scope(t).Update(text)
		if err != nil {
			require.Contains(t, err.Error(), "Incorrect operand type", text)
			return
		}
		it := anyItem().Draw(t, "item")
		want, wantErr := naiveApply(it, actions)
		got, err := u.Apply(rapidItem(t, it))
		require.Equal(t, wantErr, err, text)
		if err == nil {
			require.Equal(t, rapidItem(t, want), got, text)
		}
	})
}
