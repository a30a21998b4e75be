package definition

import (
	"fmt"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
)

// maxHCLDepth is how deep an expression of Terraform may be. The reader of HCL and the evaluation
// of an expression call themselves for each level, and a process ends if its stack gets too large.
const maxHCLDepth = 500

// checkDepth returns an error if a file has an expression that is too deep, or a number with too
// many digits, whether or not the rest of it is right.
func checkDepth(text []byte, name string) error {
	tokens, _ := hclsyntax.LexConfig(text, name, hcl.InitialPos)
	return tokensDepth(tokens, name)
}

// checkTemplateDepth is checkDepth for a template.
func checkTemplateDepth(text []byte, name string) error {
	tokens, _ := hclsyntax.LexTemplate(text, name, hcl.InitialPos)
	return tokensDepth(tokens, name)
}

func tokensDepth(tokens hclsyntax.Tokens, name string) error {
	d := depth{levels: []level{{kind: hclsyntax.TokenOBrace}}}
	for _, t := range tokens {
		if d.take(t.Type); d.sum+len(d.levels) > maxHCLDepth {
			return fmt.Errorf("%s:%d: an expression is more than %d levels deep", name,
				t.Range.Start.Line, maxHCLDepth)
		}
		if t.Type == hclsyntax.TokenNumberLit && len(t.Bytes) > maxDigits {
			return fmt.Errorf("%s:%d: %w", name, t.Range.Start.Line, errManyDigits)
		}
	}
	return nil
}

// depth bounds from above how deep the expression is at a token. Each bracket is a level, and so is
// each operator: those of one chain, as in !!a or a+b+c, are in each other.
type depth struct {
	levels []level
	sum    int // the sum of the chains of all levels
	before hclsyntax.TokenType
	broken bool // a line has ended, and with it the chain, unless an operator follows
}

type level struct {
	kind  hclsyntax.TokenType // the kind of the bracket
	chain int                 // operators since a separator
}

func (d *depth) take(t hclsyntax.TokenType) {
	if t == hclsyntax.TokenComment {
		return
	}
	top := &d.levels[len(d.levels)-1]
	if t == hclsyntax.TokenNewline {
		d.broken = d.broken || top.kind == hclsyntax.TokenOBrace && !isOperator(d.before)
		return
	}
	if d.broken && !isOperator(t) || isSeparator(t) {
		d.sum -= top.chain
		top.chain = 0
	}
	d.broken, d.before = false, t
	if isOperator(t) {
		top.chain++
		d.sum++
	}
	switch t {
	case hclsyntax.TokenOBrace, hclsyntax.TokenOBrack, hclsyntax.TokenOParen,
		hclsyntax.TokenTemplateInterp, hclsyntax.TokenTemplateControl:
		d.levels = append(d.levels, level{kind: t})
	case hclsyntax.TokenCBrace, hclsyntax.TokenCBrack, hclsyntax.TokenCParen,
		hclsyntax.TokenTemplateSeqEnd:
		if len(d.levels) > 1 {
			d.sum -= top.chain
			d.levels = d.levels[:len(d.levels)-1]
		}
	}
}

func isSeparator(t hclsyntax.TokenType) bool {
	return t == hclsyntax.TokenComma || t == hclsyntax.TokenEqual ||
		t == hclsyntax.TokenFatArrow
}

// isOperator reports whether an expression goes one level deeper at a token. A bracket of an index
// or a call is one, and the directive of a template, whose end may be far away.
func isOperator(t hclsyntax.TokenType) bool {
	switch t {
	case hclsyntax.TokenPlus, hclsyntax.TokenMinus, hclsyntax.TokenStar, hclsyntax.TokenSlash,
		hclsyntax.TokenPercent, hclsyntax.TokenBang, hclsyntax.TokenAnd, hclsyntax.TokenOr,
		hclsyntax.TokenEqualOp, hclsyntax.TokenNotEqual, hclsyntax.TokenLessThan,
		hclsyntax.TokenLessThanEq, hclsyntax.TokenGreaterThan, hclsyntax.TokenGreaterThanEq,
		hclsyntax.TokenQuestion, hclsyntax.TokenColon, hclsyntax.TokenDot,
		hclsyntax.TokenOBrack, hclsyntax.TokenOParen, hclsyntax.TokenTemplateControl:
		return true
	}
	return false
}
