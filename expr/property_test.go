package expr

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

type naiveCondition struct {
	text string
	eval func(object) bool
}

// condition draws a condition; in parentheses where it is joined to others.
func (s *script) condition(depth int) naiveCondition {
	if depth == 0 {
		return s.comparison()
	}
	joined := func() naiveCondition {
		c := s.condition(depth - 1)
		if depth > 1 {
			c.text = "(" + c.text + ")"
		}
		return c
	}
	switch rapid.IntRange(0, 3).Draw(s.t, "junction") {
	case 0:
		c, d := joined(), joined()
		return naiveCondition{c.text + " AND " + d.text,
			func(it object) bool { return c.eval(it) && d.eval(it) }}
	case 1:
		c, d := joined(), joined()
		return naiveCondition{c.text + " OR " + d.text,
			func(it object) bool { return c.eval(it) || d.eval(it) }}
	case 2:
		c := joined()
		return naiveCondition{"NOT " + c.text, func(it object) bool { return !c.eval(it) }}
	}
	return s.comparison()
}

func (s *script) comparison() naiveCondition {
	switch rapid.IntRange(0, 7).Draw(s.t, "condition") {
	case 0:
		p := anyPath(s.t)
		return naiveCondition{"attribute_exists(" + p.String() + ")",
			func(it object) bool { return p.get(it) != nil }}
	case 1:
		p := anyPath(s.t)
		return naiveCondition{"attribute_not_exists(" + p.String() + ")",
			func(it object) bool { return p.get(it) == nil }}
	case 2:
		a, typ := s.operand(), rapid.SampledFrom(
			[]string{"S", "N", "B", "SS", "NS", "BS", "M", "L", "NULL", "BOOL"}).Draw(s.t, "type")
		return naiveCondition{"attribute_type(" + a.text + ", " + s.value(typ) + ")",
			func(it object) bool { return typeOf(a.eval(it)) == typ }}
	case 3:
		a, b := s.operand("S", "B"), s.operand("S", "B")
		return naiveCondition{"begins_with(" + a.text + ", " + b.text + ")",
			func(it object) bool { return naiveBegins(a.eval(it), b.eval(it)) }}
	case 4:
		a, b := s.operand(), s.operand()
		return naiveCondition{"contains(" + a.text + ", " + b.text + ")",
			func(it object) bool { return naiveContains(a.eval(it), b.eval(it)) }}
	case 5:
		a, lo, hi := s.operand("S", "N", "B"), s.operand("S", "N", "B"), s.operand("S", "N", "B")
		return naiveCondition{a.text + " BETWEEN " + lo.text + " AND " +
			hi.text, func(it object) bool {
			v := a.eval(it)
			return naiveCompare(">=", v, lo.eval(it)) && naiveCompare("<=", v, hi.eval(it))
		}}
	case 6:
		a, b, c := s.operand(), s.operand(), s.operand()
		return naiveCondition{a.text + " IN (" + b.text + ", " + c.text +
			")", func(it object) bool {
			v := a.eval(it)
			return naiveCompare("=", v, b.eval(it)) || naiveCompare("=", v, c.eval(it))
		}}
	}
	o := rapid.SampledFrom([]string{"=", "<>", "<", "<=", ">", ">="}).Draw(s.t, "comparator")
	var types []string
	if o != "=" && o != "<>" {
		types = []string{"S", "N", "B"}
	}
	a, b := s.operand(types...), s.operand(types...)
	return naiveCondition{a.text + " " + o + " " + b.text,
		func(it object) bool { return naiveCompare(o, a.eval(it), b.eval(it)) }}
}

// refused are the errors that drawn conditions may have.
func refused(err error) bool {
	return slices.ContainsFunc(
		[]string{"must be distinct", "operand type: N",
			"BETWEEN operator requires"}, func(text string) bool {
			return strings.Contains(err.Error(), text)
		})
}

func (s *script) scope(t *rapid.T) *Scope {
	if len(s.values) == 0 {
		s.values[":unused"] = "x"
	}
	scope, err := NewScope(nil, rapidItem(t, s.values))
	require.NoError(t, err)
	return scope
}

func TestMatchAgainstNaiveModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := &script{t, object{}}
		want := s.condition(rapid.IntRange(0, 3).Draw(t, "depth"))
		c, err := s.scope(t).Condition(KindCondition, want.text)
		if err != nil {
			require.True(t, refused(err), "%s: %v", want.text, err)
			return
		}
		printed, err := parse(KindCondition, c.tree.String())
		require.NoError(t, err)
		require.Equal(t, c.tree.String(), printed.String())
		for range 3 {
			it := anyItem().Draw(t, "item")
			require.Equal(t, want.eval(it), c.Match(rapidItem(t, it)), want.text)
		}
	})
}

func TestProjectionAgainstNaiveModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var paths []naivePath
		var texts []string
		clash := false
		for range rapid.IntRange(1, 12).Draw(t, "paths") {
			p := anyPath(t)
			clash = clash || slices.ContainsFunc(paths, p.clashes)
			paths, texts = append(paths, p), append(texts, p.String())
		}
		scope, err := NewScope(nil, "")
		require.NoError(t, err)
		p, err := scope.Projection(strings.Join(texts, ", "))
		if clash {
			require.Error(t, err)
			return
		}
		require.NoError(t, err)
		it := anyItem().Draw(t, "item")
		got, _ := naiveProject(it, paths).(object)
		require.Equal(t, string(rapidItem(t, got).JSON()),
			string(p.AppendJSON(nil, rapidItem(t, it))))
	})
}

// naiveProject returns the part of v that the paths lead to, or nil.
func naiveProject(v any, paths []naivePath) any {
	under := map[any][]naivePath{}
	for _, p := range paths {
		if len(p) == 0 {
			return v
		}
		under[p[0]] = append(under[p[0]], p[1:])
	}
	switch v := v.(type) {
	case object:
		part := object{}
		for name := range v {
			if field := naiveProject(v[name], under[name]); field != nil {
				part[name] = field
			}
		}
		if len(part) > 0 {
			return part
		}
	case list:
		var part list
		for i := range v {
			if elem := naiveProject(v[i], under[i]); elem != nil {
				part = append(part, elem)
			}
		}
		if len(part) > 0 {
			return part
		}
	}
	return nil
}
