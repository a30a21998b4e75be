package partiql

import (
	"slices"
	"strconv"
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
	return s.checkWhere()
}

// maxOperators is the most operators of a WHERE clause.
const maxOperators = 300

// checkWhere checks a WHERE clause.
func (s *Statement) checkWhere() Refusal {
	if n := operators(s.Where); n > maxOperators {
		return Refusal("The expression contains too many operators; operator count: " +
			strconv.Itoa(n))
	}
	if r := checkMissing(s.Where); r != "" {
		return r
	}
	if isNumber(s.Where) && !isSum(s.Where) {
		return refuseBoolean
	}
	if r := checkTruths(s.Where); r != "" {
		return r
	}
	return s.checkCondition(s.Where)
}

// operators counts the operators of a condition: service facts F.44.
func operators(e *Expr) int {
	var n int
	switch {
	case e.Op == OpAnd || e.Op == OpOr:
		n = len(e.Kids) - 1
	case e.Op == OpPath || e.IsConstant() || e.Op == OpMissing:
		return 0
	default:
		n = 1
	}
	for i := range e.Kids {
		n += operators(&e.Kids[i])
	}
	return n
}

// checkMissing refuses MISSING other than after IS: service facts F.46.
func checkMissing(e *Expr) Refusal {
	for i := range e.Kids {
		if e.Kids[i].Op == OpMissing && !e.IsConstant() {
			return refuseMissing
		}
		if r := checkMissing(&e.Kids[i]); r != "" {
			return r
		}
	}
	return ""
}

// isNumber reports whether a part of a clause has a number as its result: size() and sums.
func isNumber(e *Expr) bool { return e.Op == "size" || isSum(e) }

func isSum(e *Expr) bool { return e.Op == OpPlus || e.Op == OpMinus }

// checkTruths refuses numbers in the places of conditions, sums, and what IS cannot have on its
// left: service facts F.65.
func checkTruths(e *Expr) Refusal {
	if isSum(e) {
		return Refusal(refuseSum + string(e.Op))
	}
	if e.Op == OpIs && e.Kids[0].Op != OpPath && !e.Kids[0].IsConstant() {
		return refuseIsLeft
	}
	for i := range e.Kids {
		kid := &e.Kids[i]
		if joins := e.Op == OpAnd || e.Op == OpOr || e.Op == OpNot; joins && isNumber(kid) &&
			!isSum(kid) {
			return Refusal("Incorrect operand type for operator or function; operator or function: " +
				string(e.Op) + ", operand type: N")
		}
		if r := checkTruths(kid); r != "" {
			return r
		}
	}
	return ""
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
	case e.Op == OpMissing:
		return Refusal("Unsupported data type: Missing under key root" + s.At(e.At))
	case e.IsConstant():
		return s.checkConstant(e, place == function.InWhere)
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
