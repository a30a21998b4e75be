package definition

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"
)

// counter counts what expressions make.
type counter struct{ *reader }

// counted is an expression whose value is counted each time when it is made. A few loops within
// each other make more than any machine holds, and HCL has no limits of its own.
type counted struct {
	hclsyntax.Expression
	r counter
}

// overBudget is the panic of counted: HCL's loops go on after an error.
type overBudget struct{ error }

// Value implements hclsyntax.Expression.
func (c *counted) Value(ctx *hcl.EvalContext) (cty.Value, hcl.Diagnostics) {
	if err := c.r.budget.Step(); err != nil {
		panic(overBudget{err})
	}
	v, diagnostics := c.Expression.Value(ctx)
	if err := c.r.madeCty(v); err != nil {
		panic(overBudget{err})
	}
	return v, diagnostics
}

// madeCty counts a value with all that is in it, as made does.
func (r counter) madeCty(v cty.Value) error {
	if err := r.budget.Step(); err != nil {
		return err
	}
	switch {
	case v == cty.NilVal || v.IsNull() || !v.IsKnown():
	case v.Type() == cty.String:
		return r.budget.Bytes(int64(len(v.AsString())) + digitsCost(v.AsString()))
	case v.Type() == cty.Number:
		if !v.AsBigFloat().IsInf() && abs(v.AsBigFloat().MantExp(nil)) > maxDigits {
			return errManyDigits
		}
	case v.CanIterateElements():
		for it := v.ElementIterator(); it.Next(); {
			_, element := it.Element()
			if err := r.madeCty(element); err != nil {
				return err
			}
		}
	}
	return nil
}

// maxDigits bounds the digits of a number that a file writes, and the binary digits before or after
// the point of a number that an expression makes. A sum or a text of 1e600000000 takes them all.
const maxDigits = 4096

var errManyDigits = fmt.Errorf("a number with more than %d digits", maxDigits)

func abs(n int) int { return max(n, -n) }

// digitsCost returns the cost of a text if an expression makes a number of it. That takes the
// square of the number's length.
func digitsCost(text string) (cost int64) {
	digits := int64(0)
	for i := range len(text) {
		if c := text[i]; c >= '0' && c <= '9' {
			digits++
			continue
		}
		cost += digits * digits / maxDigits
		digits = 0
	}
	return cost + digits*digits/maxDigits
}

// count makes an expression count the parts that it makes: the rounds of loops, the parts of
// templates, and what goes into functions and comes out of them. It changes the expression.
func (r counter) count(e hclsyntax.Expression) hclsyntax.Expression {
	switch e := e.(type) {
	case *hclsyntax.ParenthesesExpr:
		e.Expression = r.count(e.Expression)
	case *hclsyntax.TemplateExpr:
		for i, part := range e.Parts {
			if literal, ok := part.(*hclsyntax.LiteralValueExpr); !ok || !isText(literal.Val) {
				e.Parts[i] = &counted{r.count(part), r}
			}
		}
	case *hclsyntax.TemplateWrapExpr:
		e.Wrapped = r.count(e.Wrapped)
	case *hclsyntax.TemplateJoinExpr:
		e.Tuple = r.count(e.Tuple)
	case *hclsyntax.ForExpr:
		e.CollExpr = r.count(e.CollExpr)
		e.ValExpr = &counted{r.count(e.ValExpr), r}
		if e.KeyExpr != nil {
			e.KeyExpr = &counted{r.count(e.KeyExpr), r}
		}
		if e.CondExpr != nil {
			e.CondExpr = &counted{r.count(e.CondExpr), r}
		}
	case *hclsyntax.FunctionCallExpr:
		for i, argument := range e.Args {
			e.Args[i] = &counted{r.count(argument), r}
		}
		return &counted{e, r}
	default:
		r.countParts(e)
	}
	return e
}

// countParts makes the parts of an expression count.
func (r counter) countParts(e hclsyntax.Expression) {
	switch e := e.(type) {
	case *hclsyntax.TupleConsExpr:
		for i := range e.Exprs {
			e.Exprs[i] = r.count(e.Exprs[i])
		}
	case *hclsyntax.ObjectConsExpr:
		for i := range e.Items {
			e.Items[i].ValueExpr = r.count(e.Items[i].ValueExpr)
			if key, ok := e.Items[i].KeyExpr.(*hclsyntax.ObjectConsKeyExpr); ok &&
				hcl.ExprAsKeyword(key.Wrapped) == "" {
				key.Wrapped = &counted{r.count(key.Wrapped), r}
			}
		}
	case *hclsyntax.ConditionalExpr:
		e.Condition = r.count(e.Condition)
		e.TrueResult = &counted{r.count(e.TrueResult), r}
		e.FalseResult = &counted{r.count(e.FalseResult), r}
	case *hclsyntax.BinaryOpExpr:
		e.LHS, e.RHS = &counted{r.count(e.LHS), r}, &counted{r.count(e.RHS), r}
	case *hclsyntax.UnaryOpExpr:
		e.Val = r.count(e.Val)
	case *hclsyntax.IndexExpr:
		e.Collection, e.Key = r.count(e.Collection), &counted{r.count(e.Key), r}
	case *hclsyntax.RelativeTraversalExpr:
		e.Source = r.count(e.Source)
	case *hclsyntax.SplatExpr:
		e.Source = r.count(e.Source)
		e.Each = &counted{r.count(e.Each), r}
	}
}

// bounded counts what a function is going to make, as far as that is more than its arguments.
func (r counter) bounded(f function.Function, cost func(args []cty.Value) int64) function.Function {
	return function.New(&function.Spec{
		Params: f.Params(), VarParam: f.VarParam(), Type: f.ReturnTypeForValues,
		Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
			for _, a := range args {
				if !a.IsWhollyKnown() {
					return f.Call(args)
				}
			}
			if err := r.budget.Bytes(cost(args)); err != nil {
				return cty.NilVal, err
			}
			return f.Call(args)
		},
	})
}

// times returns a product, and the largest number if that is too large.
func times(a, b int64) int64 {
	const most = 1 << 40
	if a > 0 && b > most/a {
		return most
	}
	return a * b
}

// textLength returns the length of all texts in a value.
func textLength(v cty.Value) (n int64) {
	switch {
	case v.IsNull() || !v.IsKnown():
	case v.Type() == cty.String:
		return int64(len(v.AsString()))
	case v.CanIterateElements():
		for it := v.ElementIterator(); it.Next(); {
			_, element := it.Element()
			n += textLength(element)
		}
	}
	return n
}

func countOf(v cty.Value) int64 {
	if v.IsNull() || !v.IsKnown() || !v.CanIterateElements() {
		return 0
	}
	return int64(v.LengthInt())
}

func joinCost(args []cty.Value) (n int64) {
	for _, list := range args[1:] {
		n += times(textLength(args[0]), countOf(list))
	}
	return n
}

func productCost(args []cty.Value) int64 {
	n := int64(16 * len(args))
	for _, set := range args {
		n = times(n, countOf(set))
	}
	return n
}

// squareCost is that of functions which compare each element with each other one.
func squareCost(args []cty.Value) int64 { return times(countOf(args[0]), countOf(args[0])) / 4 }

func indentCost(args []cty.Value) int64 {
	spaces, _ := args[0].AsBigFloat().Int64()
	return times(max(spaces, 0), int64(strings.Count(args[1].AsString(), "\n")))
}

func replaceCost(args []cty.Value) int64 {
	text, old, with := args[0].AsString(), args[1].AsString(), args[2].AsString()
	if !isPattern(old) {
		return times(int64(strings.Count(text, old)), int64(len(with)))
	}
	return times(int64(len(text)+1), int64(len(with))) +
		times(int64(len(text)), int64(strings.Count(with, "$")))
}

func patternCost(args []cty.Value) int64 {
	return times(int64(16*len(args[1].AsString())), int64(strings.Count(args[0].AsString(), "(")+1))
}

var widths = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\*|\d+`) })

// formatCost counts the widths of a format, for each element of the longest list.
func formatCost(args []cty.Value) int64 {
	n := int64(0)
	for _, width := range widths().FindAllString(args[0].AsString(), -1) {
		w, err := strconv.ParseInt(width, 10, 64)
		if err != nil { // a width that is an argument
			w = 1 << 20
		}
		n += w
	}
	rounds, longest := int64(1), int64(len(args[0].AsString()))
	for _, a := range args[1:] {
		if a.Type() != cty.String {
			rounds = max(rounds, countOf(a))
		}
		longest += textLength(a)
	}
	return times(rounds, n+longest)
}

// evaluate returns the value of an expression, or why it has none.
func evaluate(e hclsyntax.Expression, scope *hcl.EvalContext) (v cty.Value, err error) {
	defer func() {
		if over, ok := recover().(overBudget); ok {
			v, err = cty.DynamicVal, over.error
		}
	}()
	v, diagnostics := e.Value(scope)
	if diagnostics.HasErrors() {
		for _, d := range diagnostics {
			if d.Severity == hcl.DiagError {
				return cty.DynamicVal, fmt.Errorf("cannot be resolved here: %s", d.Detail)
			}
		}
	}
	return v, nil
}

func isText(v cty.Value) bool { return v.Type() == cty.String }

func isPattern(t string) bool {
	return len(t) > 1 && strings.HasPrefix(t, "/") && strings.HasSuffix(t, "/")
}
