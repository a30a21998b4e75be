package partiql

import (
	"strconv"
	"strings"
)

// The appendX functions write a statement with keywords in capitals, names in quotes and single
// spaces. Parsing the result gives the same statement.

// String returns the statement as text.
func (s *Statement) String() string {
	var dst []byte
	switch s.Kind {
	case Exists:
		dst = append(appendSelect(append(dst, "EXISTS("...), s), ')')
	case Select:
		dst = appendSelect(dst, s)
	case Insert:
		dst = appendName(append(dst, "INSERT INTO "...), s.Table)
		dst = appendExpr(append(dst, " VALUE "...), s.Item)
	case Update:
		dst = appendName(append(dst, "UPDATE "...), s.Table)
		dst = appendReturning(appendWhere(appendChanges(dst, s.Changes), s), s.Returning)
	case Delete:
		dst = appendName(append(dst, "DELETE FROM "...), s.Table)
		dst = appendReturning(appendWhere(dst, s), s.Returning)
	}
	return string(dst)
}

func appendSelect(dst []byte, s *Statement) []byte {
	dst = append(dst, "SELECT "...)
	if s.Projection == nil {
		dst = append(dst, '*')
	}
	for i, path := range s.Projection {
		if i > 0 {
			dst = append(dst, ", "...)
		}
		dst = appendPath(dst, path)
	}
	dst = appendName(append(dst, " FROM "...), s.Table)
	if s.Index != "" {
		dst = appendName(append(dst, '.'), s.Index)
	}
	dst = appendWhere(dst, s)
	for i, o := range s.Order {
		if i == 0 {
			dst = append(dst, " ORDER BY "...)
		} else {
			dst = append(dst, ", "...)
		}
		dst = appendPath(dst, o.Path)
		if o.Desc {
			dst = append(dst, " DESC"...)
		}
	}
	return dst
}

func appendWhere(dst []byte, s *Statement) []byte {
	if s.Where == nil {
		return dst
	}
	return appendExpr(append(dst, " WHERE "...), s.Where)
}

func appendChanges(dst []byte, changes []Change) []byte {
	for i := range changes {
		c := &changes[i]
		if c.Value == nil {
			dst = appendPath(append(dst, " REMOVE "...), c.Path)
			continue
		}
		dst = appendPath(append(dst, " SET "...), c.Path)
		dst = appendExpr(append(dst, " = "...), c.Value)
	}
	return dst
}

func appendReturning(dst []byte, r Returning) []byte {
	if r == "" {
		return dst
	}
	return append(append(append(dst, " RETURNING "...), r.words()...), " *"...)
}

// words returns the clause without RETURNING and the star.
func (r Returning) words() string {
	return strings.NewReplacer("UPDATED", "MODIFIED", "_", " ").Replace(string(r))
}

func appendName(dst []byte, name string) []byte { return appendQuoted(dst, name, `"`) }

func appendQuoted(dst []byte, text, quote string) []byte {
	dst = append(dst, quote...)
	dst = append(dst, strings.ReplaceAll(text, quote, quote+quote)...)
	return append(dst, quote...)
}

func appendPath(dst []byte, path Path) []byte {
	for i, step := range path {
		switch {
		case step.Index >= 0:
			dst = append(strconv.AppendInt(append(dst, '['), int64(step.Index), 10), ']')
		case i > 0:
			dst = appendName(append(dst, '.'), step.Name)
		default:
			dst = appendName(dst, step.Name)
		}
	}
	return dst
}

// The precedence of operators, from loose to tight.
const (
	bindsOr = iota
	bindsAnd
	bindsNot
	bindsPredicate
	bindsSum
	bindsPrimary
)

func (o Op) binding() int {
	switch o {
	case OpOr:
		return bindsOr
	case OpAnd:
		return bindsAnd
	case OpNot:
		return bindsNot
	case OpEq, OpNe, OpLt, OpLe, OpGt, OpGe, OpBetween, OpIn, OpIs:
		return bindsPredicate
	case OpPlus, OpMinus:
		return bindsSum
	}
	return bindsPrimary
}

// appendOperand writes an operand, in parentheses if its precedence is too low.
func appendOperand(dst []byte, e *Expr, binding int) []byte {
	if e.Op.binding() >= binding {
		return appendExpr(dst, e)
	}
	return append(appendExpr(append(dst, '('), e), ')')
}

func appendExpr(dst []byte, e *Expr) []byte {
	switch e.Op {
	case OpPath:
		return appendPath(dst, e.Path)
	case OpString:
		return appendQuoted(dst, e.Text, "'")
	case OpNumber:
		return append(dst, e.Text...)
	case OpTrue, OpFalse, OpNull, OpMissing, OpParam:
		return append(dst, e.Op...)
	case OpList:
		return append(appendList(append(dst, '['), e.Kids, bindsPrimary), ']')
	case OpSet:
		return append(appendList(append(dst, "<<"...), e.Kids, bindsPrimary), ">>"...)
	case OpMap:
		return appendMap(dst, e)
	}
	if e.Op.IsFunction() {
		return append(appendList(append(append(dst, e.Name()...), '('), e.Kids, bindsSum), ')')
	}
	return appendOperator(dst, e)
}

func appendOperator(dst []byte, e *Expr) []byte {
	switch e.Op {
	case OpNot:
		return appendOperand(append(dst, "NOT "...), &e.Kids[0], bindsNot)
	case OpIs:
		return append(append(appendOperand(dst, &e.Kids[0], bindsSum), " IS "...), e.Text...)
	case OpBetween:
		dst = appendOperand(dst, &e.Kids[0], bindsSum)
		dst = appendOperand(append(dst, " BETWEEN "...), &e.Kids[1], bindsSum)
		return appendOperand(append(dst, " AND "...), &e.Kids[2], bindsSum)
	case OpIn:
		dst = appendOperand(dst, &e.Kids[0], bindsSum)
		return append(appendList(append(dst, " IN ["...), e.Kids[1:], bindsSum), ']')
	}
	binding := e.Op.binding() + 1
	for i := range e.Kids {
		if i == 0 && binding == bindsSum+1 {
			dst = appendOperand(dst, &e.Kids[0], bindsSum) // sums are left-associative
			continue
		}
		if i > 0 {
			dst = append(append(append(dst, ' '), e.Op...), ' ')
		}
		dst = appendOperand(dst, &e.Kids[i], binding)
	}
	return dst
}

func appendList(dst []byte, list []Expr, binding int) []byte {
	for i := range list {
		if i > 0 {
			dst = append(dst, ", "...)
		}
		dst = appendOperand(dst, &list[i], binding)
	}
	return dst
}

func appendMap(dst []byte, e *Expr) []byte {
	dst = append(dst, '{')
	for i := range e.Kids {
		if i > 0 {
			dst = append(dst, ", "...)
		}
		dst = append(appendQuoted(dst, e.Names[i], "'"), ": "...)
		dst = appendOperand(dst, &e.Kids[i], bindsPrimary)
	}
	return append(dst, '}')
}
