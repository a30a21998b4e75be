package partiql

import (
	"slices"
	"strconv"
	"strings"

	"github.com/kugiri-db/kugiri/storage/item"
)

// maxNestedLevels is the most levels of lists and maps in a literal: service facts A.11.
const maxNestedLevels = 31

// checkLiteral checks an expression in a place where only a constant can be.
func (s *Statement) checkLiteral(e *Expr) Refusal { return s.checkConstant(e, false) }

// checkConstant is checkLiteral for a constant that may be in a WHERE clause.
func (s *Statement) checkConstant(e *Expr, where bool) Refusal {
	switch e.Op {
	case OpParam:
		return ""
	case OpSet:
		if r := s.checkMembers(e, "root"); r != "" {
			return r
		}
		if r := checkDistinct(e, "root"); r != "" && where && e.Kids[0].Op == OpString {
			return Refusal("One or more parameter values were invalid: Input collection [" +
				memberTexts(e) + "] contains duplicates.") // service facts F.68
		} else {
			return r
		}
	}
	return s.checkPart(e, "root", 1)
}

// checkPart checks a part of a literal. path is its position as the service's texts name it. level
// is the number of levels if the part is a list or map.
func (s *Statement) checkPart(e *Expr, path string, level int) Refusal {
	switch e.Op {
	case OpString, OpTrue, OpFalse, OpNull:
		return ""
	case OpNumber:
		if _, err := item.ParseDecimal(e.Text); err != nil {
			return Refusal(err.Error() + " under " + path) // service facts 2.8
		}
		return ""
	case OpSet:
		if r := s.checkMembers(e, path); r != "" {
			return r
		}
		return checkDistinct(e, path)
	case OpList, OpMap:
		if level > maxNestedLevels {
			return Refusal("Nesting Levels have exceeded supported limits under " + path)
		}
		return s.checkParts(e, path, level)
	}
	return Refusal("Unsupported data type: " + e.kindName() + " under key " + path + s.At(e.At))
}

// checkParts checks the elements of a list or the members of a map.
func (s *Statement) checkParts(e *Expr, path string, level int) Refusal {
	if r := s.checkNames(e, path); r != "" {
		return r
	}
	for i := range e.Kids {
		at := path + "[" + strconv.Itoa(i) + "]"
		if e.Op == OpMap {
			at = path + "." + e.Names[i]
		}
		if r := s.checkPart(&e.Kids[i], at, level+1); r != "" {
			return r
		}
	}
	return ""
}

// checkNames refuses a repeated name in a map: service facts A.23.
func (s *Statement) checkNames(e *Expr, path string) Refusal {
	for i, name := range e.Names {
		if slices.Contains(e.Names[:i], name) {
			return Refusal("Duplicate keys in tuple. Key: " + name + " under " + path + s.At(e.At))
		}
	}
	return ""
}

// kindName returns the service's word for an expression that is no literal: service facts 2.13,
// A.12. (Its words for a path and an operator are unconfirmed.)
func (e *Expr) kindName() string {
	switch {
	case e.Op == OpParam:
		return "Parameter"
	case e.Op == OpMissing:
		return "Missing"
	case e.Op.IsFunction():
		return e.Name()
	case e.Op == OpPath && len(e.Path) == 1:
		return "VariableReference"
	case e.Op == OpPath:
		return "Path"
	}
	return "NAry"
}

// checkMembers checks each member of a bag: service facts 2.10, F.52, F.53.
func (s *Statement) checkMembers(bag *Expr, path string) Refusal {
	if len(bag.Kids) == 0 {
		return refuseEmptyBag
	}
	of := bag.Kids[0].Op
	for i := range bag.Kids {
		m := &bag.Kids[i]
		switch {
		case i > 0 && m.Op == OpParam:
			return Refusal("Unsupported data type: Parameter under key " + path + s.At(m.At))
		case i > 0 && m.Op == OpNull && of == OpNumber:
			return Refusal(refuseNullInNS + path)
		case m.Op != of && of == OpNumber:
			return refuseMixedBag
		case m.Op != of, m.Op != OpString && m.Op != OpNumber:
			return refuseMixedBag + Refusal(s.At(m.At))
		}
		if r := s.checkPart(m, path, 0); r != "" {
			return r
		}
	}
	return ""
}

// memberTexts lists the members of a bag.
func memberTexts(bag *Expr) string {
	texts := make([]string, len(bag.Kids))
	for i := range bag.Kids {
		texts[i] = bag.Kids[i].Text
	}
	return strings.Join(texts, ", ")
}

// checkDistinct refuses a repeated member in a bag: service facts A.13. It does not check an
// argument of set_add, which is refused like a parameter (service facts 2.14).
func checkDistinct(bag *Expr, path string) Refusal {
	numbers, strings := map[item.Decimal]bool{}, map[string]bool{}
	repeated := false
	for i := range bag.Kids {
		if m := &bag.Kids[i]; m.Op == OpNumber {
			d, _ := item.ParseDecimal(m.Text)
			repeated, numbers[d] = repeated || numbers[d], true
		} else {
			repeated, strings[m.Text] = repeated || strings[m.Text], true
		}
	}
	if !repeated {
		return ""
	}
	return Refusal("One or more parameter values were invalid: Input collection [" +
		memberTexts(bag) + "] contains duplicates! under " + path)
}
