package partiql

import (
	"errors"

	"github.com/kugiri-db/kugiri/storage/item"
	"github.com/kugiri-db/kugiri/storage/item/jsontext"
)

// IsConstant reports whether an expression is a literal or a parameter.
func (e *Expr) IsConstant() bool {
	switch e.Op {
	case OpString, OpNumber, OpTrue, OpFalse, OpNull, OpParam, OpList, OpMap, OpSet:
		return true
	}
	return false
}

// errNotConstant cannot reach a client, because such statements are refused: see Statement.Refusal.
var errNotConstant = errors.New("partiql: not a constant")

// Value returns the value of a constant. params are the request's parameters. The error is the text
// of a ValidationException. The value shares no memory with the statement.
func (e *Expr) Value(params []item.Value) (item.Value, error) {
	text, err := e.appendWire(nil, params)
	if err != nil {
		return "", err
	}
	s := jsontext.NewScanner(string(text))
	v, invalid, err := item.ParseValue(&s)
	if invalid != nil {
		return "", invalid
	}
	return v, err
}

// Attributes returns the members of a constant map. ok is false for any other constant.
func (e *Expr) Attributes(params []item.Value) (a item.Attributes, ok bool, err error) {
	const open, shut = `{"M":`, `}`
	text, err := e.appendWire(nil, params)
	if err != nil || len(text) < len(open) || string(text[:len(open)]) != open {
		return a, false, err
	}
	s := jsontext.NewScanner(string(text[len(open) : len(text)-len(shut)]))
	a, err = item.ParseAttributes(&s)
	return a, true, err
}

// appendWire appends a constant in wire form, which need not be canonical.
func (e *Expr) appendWire(dst []byte, params []item.Value) ([]byte, error) {
	switch e.Op {
	case OpString:
		return append(dst, item.String(e.Text)...), nil
	case OpNumber:
		return append(append(append(dst, `{"N":"`...), e.Text...), `"}`...), nil
	case OpTrue, OpFalse:
		return append(dst, item.Boolean(e.Op == OpTrue)...), nil
	case OpNull:
		return append(dst, item.Null()...), nil
	case OpParam:
		return append(dst, params[e.Param]...), nil
	case OpList:
		dst, err := e.appendElems(append(dst, `{"L":[`...), params)
		return append(dst, `]}`...), err
	case OpMap:
		return e.appendMembers(dst, params)
	case OpSet:
		return e.appendSet(dst, params)
	}
	return dst, errNotConstant
}

func (e *Expr) appendElems(dst []byte, params []item.Value) (_ []byte, err error) {
	for i := range e.Kids {
		if i > 0 {
			dst = append(dst, ',')
		}
		if dst, err = e.Kids[i].appendWire(dst, params); err != nil {
			return dst, err
		}
	}
	return dst, nil
}

func (e *Expr) appendMembers(dst []byte, params []item.Value) (_ []byte, err error) {
	dst = append(dst, `{"M":{`...)
	for i := range e.Kids {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(jsontext.AppendQuoted(dst, e.Names[i]), ':')
		if dst, err = e.Kids[i].appendWire(dst, params); err != nil {
			return dst, err
		}
	}
	return append(dst, `}}`...), nil
}

// appendSet appends a set. Its members are literals of one type, strings or numbers.
func (e *Expr) appendSet(dst []byte, params []item.Value) (_ []byte, err error) {
	kind := item.S
	if len(e.Kids) > 0 && e.Kids[0].Op == OpNumber {
		kind = item.N
	}
	dst = append(append(append(dst, `{"`...), kind.String()...), `S":[`...)
	for i := range e.Kids {
		m := &e.Kids[i]
		if i > 0 {
			dst = append(dst, ',')
		}
		switch {
		case m.Op == OpString && kind == item.S:
			dst = jsontext.AppendQuoted(dst, m.Text)
		case m.Op == OpNumber && kind == item.N:
			dst = append(append(append(dst, '"'), m.Text...), '"')
		default:
			return dst, errNotConstant
		}
	}
	return append(dst, `]}`...), nil
}
