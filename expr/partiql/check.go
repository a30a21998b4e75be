package partiql

import (
	"slices"
	"strings"

	"github.com/kugiri-db/kugiri/expr/internal/function"
)

// The checkX functions check a parsed statement as the service does before it reads an item. They
// return the first refusal, or "".

func (s *Statement) check() Refusal {
	switch s.Kind {
	case Insert:
		return s.checkItem()
	case Delete:
		if s.Returning != "" && s.Returning != ReturnAllOld {
			return Refusal("Invalid returning clause: RETURNING " + s.Returning.words() +
				" *. Only RETURNING ALL OLD * is allowed in DELETE statements.") // service facts 2.9
		}
	}
	for i := range s.Changes {
		if r := s.checkChange(&s.Changes[i]); r != "" {
			return r
		}
	}
	if s.Where == nil {
		return ""
	}
	return s.checkCondition(s.Where)
}

// checkItem checks the tuple that INSERT inserts: service facts A.23.
func (s *Statement) checkItem() Refusal {
	if s.Item.Op != OpMap {
		return refuseItem + Refusal(s.At(s.Item.At))
	}
	if r := s.checkNames(s.Item, "root"); r != "" {
		return r
	}
	for i := range s.Item.Kids {
		if r := s.checkLiteral(&s.Item.Kids[i]); r != "" {
			return r
		}
	}
	return ""
}

// checkCondition checks a condition or an operand of one.
func (s *Statement) checkCondition(e *Expr) Refusal {
	return s.checkOperand(e, function.InWhere)
}

// checkOperand checks an operand, or a condition, and whether its functions may be in the place.
func (s *Statement) checkOperand(e *Expr, place function.Places) Refusal {
	switch {
	case e.IsConstant():
		return s.checkLiteral(e)
	case e.Op.IsFunction() && !e.Op.allowed(place):
		return refuseFunction + Refusal(e.Name()+s.At(e.At))
	}
	for i := range e.Kids {
		if r := s.checkOperand(&e.Kids[i], place); r != "" {
			return r
		}
	}
	return ""
}

func (s *Statement) checkChange(c *Change) Refusal {
	switch {
	case c.Value == nil:
		return ""
	case c.Value.Op.allowed(function.AsSet):
		return s.checkSetChange(c)
	}
	return s.checkOperand(c.Value, function.InSet)
}

// checkSetChange checks SET path = set_add(path, set): service facts 2.14.
func (s *Statement) checkSetChange(c *Change) Refusal {
	call, name := c.Value, strings.ToUpper(string(c.Value.Op))
	switch {
	case len(call.Kids) != 2:
		return Refusal(name + " must have exactly two arguments" + s.At(call.At))
	case call.Kids[0].Op != OpPath || !slices.Equal(call.Kids[0].Path, c.Path):
		return Refusal("The first argument to " + name + " must equal the assignment value" +
			s.At(call.At))
	case call.Kids[1].Op == OpParam:
		return "" // its type is known later
	case call.Kids[1].Op != OpSet:
		return s.NoSet(call)
	}
	return s.checkMembers(&call.Kids[1], "root")
}

// NoSet returns the refusal of a call of set_add or set_delete whose second argument is no set.
func (s *Statement) NoSet(call *Expr) Refusal {
	return Refusal("The second argument to " + strings.ToUpper(string(call.Op)) +
		" must be a value with type SET" + s.At(call.Kids[0].At))
}
