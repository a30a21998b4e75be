package definition

import (
	"errors"
	"fmt"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
)

// jsonSyntax turns the JSON of Terraform into what its own language is parsed to (Terraform, "JSON
// Configuration Syntax").
type jsonSyntax struct {
	*reader
	name string
}

// labels is how many labels the blocks have.
var labels = map[string]int{"resource": 2, "data": 2, "ephemeral": 2, "variable": 1, "output": 1,
	"module": 1, "provider": 1, "check": 1, "locals": 0, "terraform": 0, "moved": 0, "import": 0,
	"removed": 0}

// jsonBody returns the blocks of a file, or the values of one of variables.
func jsonBody(r *reader, name string, text []byte, variables bool) (*hclsyntax.Body, error) {
	v, err := r.document(name).json(text)
	if err != nil {
		return nil, err
	}
	root, ok := v.(map[string]any)
	if !ok {
		return nil, errors.New("want an object")
	}
	j := &jsonSyntax{r, name}
	body := &hclsyntax.Body{Attributes: hclsyntax.Attributes{}}
	for _, kind := range sortedKeys(root) {
		n, known := labels[kind]
		switch {
		case kind == "//":
			continue
		case variables:
			e, err := j.expression(j.line(root, kind), root[kind])
			if err != nil {
				return nil, err
			}
			body.Attributes[kind] = &hclsyntax.Attribute{Name: kind, Expr: e,
				SrcRange: e.Range()}
			continue
		case !known:
			r.note(r.lines.member(place{file: name}, root, kind), "is not read")
			continue
		}
		if err := j.blocks(body, kind, nil, n, j.line(root, kind), root[kind]); err != nil {
			return nil, err
		}
	}
	return body, nil
}

func (j *jsonSyntax) line(object map[string]any, member string) int {
	at, _ := address(object)
	return max(j.lines[at].members[member], 1)
}

func (j *jsonSyntax) at(line int) hcl.Range {
	pos := hcl.Pos{Line: line, Column: 1}
	return hcl.Range{Filename: j.name, Start: pos, End: pos}
}

// blocks adds blocks, whose labels are the names of nested objects.
func (j *jsonSyntax) blocks(body *hclsyntax.Body, kind string, names []string, left, line int,
	v any) error {
	if list, ok := v.([]any); ok {
		for _, element := range list {
			if err := j.blocks(body, kind, names, left, line, element); err != nil {
				return err
			}
		}
		return nil
	}
	object, ok := v.(map[string]any)
	if !ok {
		return fmt.Errorf("line %d: want an object", line)
	}
	if left > 0 {
		for _, name := range sortedKeys(object) {
			if name == "//" {
				continue
			}
			err := j.blocks(body, kind, append(names[:len(names):len(names)], name), left-1,
				j.line(object, name), object[name])
			if err != nil {
				return err
			}
		}
		return nil
	}
	inner, err := j.body(kind, object)
	if err != nil {
		return err
	}
	body.Blocks = append(body.Blocks, &hclsyntax.Block{Type: kind, Labels: names, Body: inner,
		TypeRange: j.at(line), OpenBraceRange: j.at(line), CloseBraceRange: j.at(line)})
	return nil
}

// body returns the arguments of a block. Nested blocks are arguments whose values are lists, except
// dynamic ones.
func (j *jsonSyntax) body(kind string, object map[string]any) (*hclsyntax.Body, error) {
	body := &hclsyntax.Body{Attributes: hclsyntax.Attributes{}}
	for _, name := range sortedKeys(object) {
		line := j.line(object, name)
		switch name {
		case "//":
			continue
		case "dynamic":
			if err := j.blocks(body, name, nil, 1, line, object[name]); err != nil {
				return nil, err
			}
			continue
		case "content", "lifecycle":
			if kind == "dynamic" || name == "lifecycle" {
				if err := j.blocks(body, name, nil, 0, line, object[name]); err != nil {
					return nil, err
				}
				continue
			}
		}
		e, err := j.argument(kind, name, line, object[name])
		if err != nil {
			return nil, err
		}
		body.Attributes[name] = &hclsyntax.Attribute{Name: name, Expr: e, SrcRange: j.at(line),
			NameRange: j.at(line)}
	}
	return body, nil
}

// argument returns the expression of an argument. Some arguments are names, which JSON has as
// texts.
func (j *jsonSyntax) argument(kind, name string, line int, v any) (hclsyntax.Expression, error) {
	if text, ok := v.(string); ok && (kind == "variable" && name == "type" || name == "provider" ||
		name == "iterator") {
		return j.parsed(text, line, hclsyntax.ParseExpression)
	}
	if object, ok := v.(map[string]any); ok && kind == "module" && name == "providers" {
		all := &hclsyntax.ObjectConsExpr{SrcRange: j.at(line)}
		for _, key := range sortedKeys(object) {
			text, _ := object[key].(string)
			from, err := j.parsed(text, line, hclsyntax.ParseExpression)
			if err != nil {
				return nil, err
			}
			to, err := j.parsed(key, line, hclsyntax.ParseExpression)
			if err != nil {
				return nil, err
			}
			all.Items = append(all.Items, hclsyntax.ObjectConsItem{KeyExpr: to, ValueExpr: from})
		}
		return all, nil
	}
	if kind == "variable" && name == "default" {
		return j.literal(line, v)
	}
	return j.expression(line, v)
}

type parseFunc func([]byte, string, hcl.Pos) (hclsyntax.Expression, hcl.Diagnostics)

func (j *jsonSyntax) parsed(text string, line int, parse parseFunc) (hclsyntax.Expression,
	error) {
	if err := checkTemplateDepth([]byte(text), j.name); err != nil {
		return nil, err
	}
	if err := checkDepth([]byte(text), j.name); err != nil {
		return nil, err
	}
	e, diagnostics := parse([]byte(text), j.name, hcl.Pos{Line: line, Column: 1})
	if diagnostics.HasErrors() {
		return nil, diagnostics
	}
	return e, nil
}

// expression returns the expression of a value. Texts are templates.
func (j *jsonSyntax) expression(line int, v any) (hclsyntax.Expression, error) {
	return j.valueExpression(line, v, func(text string) (hclsyntax.Expression, error) {
		return j.parsed(text, line, hclsyntax.ParseTemplate)
	})
}

// literal is expression for a value without templates.
func (j *jsonSyntax) literal(line int, v any) (hclsyntax.Expression, error) {
	return j.valueExpression(line, v, func(text string) (hclsyntax.Expression, error) {
		return &hclsyntax.LiteralValueExpr{Val: cty.StringVal(text), SrcRange: j.at(line)}, nil
	})
}

func (j *jsonSyntax) valueExpression(line int, v any,
	text func(string) (hclsyntax.Expression, error)) (hclsyntax.Expression, error) {
	scalar := cty.NullVal(cty.DynamicPseudoType)
	switch v := v.(type) {
	case string:
		return text(v)
	case []any:
		list := &hclsyntax.TupleConsExpr{SrcRange: j.at(line)}
		for _, element := range v {
			e, err := j.valueExpression(line, element, text)
			if err != nil {
				return nil, err
			}
			list.Exprs = append(list.Exprs, e)
		}
		return list, nil
	case map[string]any:
		object := &hclsyntax.ObjectConsExpr{SrcRange: j.at(line)}
		for _, name := range sortedKeys(v) {
			key, err := text(name)
			if err != nil {
				return nil, err
			}
			e, err := j.valueExpression(j.line(v, name), v[name], text)
			if err != nil {
				return nil, err
			}
			object.Items = append(object.Items, hclsyntax.ObjectConsItem{
				KeyExpr:   &hclsyntax.ObjectConsKeyExpr{Wrapped: key, ForceNonLiteral: true},
				ValueExpr: e})
		}
		return object, nil
	case bool:
		scalar = cty.BoolVal(v)
	case int64:
		scalar = cty.NumberIntVal(v)
	case float64:
		scalar = cty.NumberFloatVal(v)
	}
	return &hclsyntax.LiteralValueExpr{Val: scalar, SrcRange: j.at(line)}, nil
}
