package definition

import (
	"errors"
	"fmt"
	"math/big"
	"os"
	"path/filepath"
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclparse"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"
	"github.com/zclconf/go-cty/cty/function"
	"github.com/zclconf/go-cty/cty/function/stdlib"
)

// terraformFiles are the files of a Terraform module that are read together.
type terraformFiles struct {
	*reader
	parser *hclparse.Parser
	blocks []*hclsyntax.Block
	given  map[string]cty.Value // of .tfvars files and Values.Parameters
	locals map[string]hclsyntax.Expression
	scope  *hcl.EvalContext
}

// hcl reads the tables of Terraform files of one directory.
func (r *reader) hcl(files []string) error {
	t := &terraformFiles{
		reader: r, parser: hclparse.NewParser(), given: map[string]cty.Value{},
		locals: map[string]hclsyntax.Expression{},
	}
	for _, name := range files {
		if err := t.read(name); err != nil {
			return err
		}
	}
	for name, value := range r.Parameters {
		t.given[name] = cty.StringVal(value)
	}
	t.evaluate()
	for _, b := range t.blocks {
		if b.Type == "resource" && len(b.Labels) == 2 {
			t.resource(b)
		}
	}
	return nil
}

// read parses a .tf file, or takes the variables of a .tfvars file.
func (t *terraformFiles) read(name string) error {
	text, err := readFile(name)
	if err != nil {
		return err
	}
	if err := checkDepth(text, name); err != nil {
		return err
	}
	file, diagnostics := t.parser.ParseHCL(text, name)
	if diagnostics.HasErrors() {
		return diagnostics
	}
	body := file.Body.(*hclsyntax.Body)
	if filepath.Ext(name) != ".tfvars" {
		t.blocks = append(t.blocks, body.Blocks...)
		return nil
	}
	for variable, attribute := range body.Attributes {
		value, diagnostics := attribute.Expr.Value(nil)
		if diagnostics.HasErrors() {
			return diagnostics
		}
		t.given[variable] = value
	}
	return nil
}

// evaluate fills the scope with variables and locals. What is unknown has an unknown value.
func (t *terraformFiles) evaluate() {
	variables := map[string]cty.Value{}
	for _, b := range t.blocks {
		switch {
		case b.Type == "variable" && len(b.Labels) == 1:
			variables[b.Labels[0]] = t.variable(b)
		case b.Type == "locals":
			for name, attribute := range b.Body.Attributes {
				t.locals[name] = attribute.Expr
			}
		}
	}
	workspace := cty.ObjectVal(map[string]cty.Value{"workspace": cty.StringVal("default")})
	t.scope = &hcl.EvalContext{Functions: terraformFunctions, Variables: map[string]cty.Value{
		"var": cty.ObjectVal(variables), "terraform": workspace, "local": cty.EmptyObjectVal,
	}}
	t.evaluateLocals()
	t.evaluateTables()
}

// variable returns the value of a variable: the given one, or its default.
func (t *terraformFiles) variable(b *hclsyntax.Block) cty.Value {
	value, given := t.given[b.Labels[0]]
	fallback := cty.DynamicVal
	if a := b.Body.Attributes["default"]; a != nil {
		if v, diagnostics := a.Expr.Value(nil); !diagnostics.HasErrors() {
			fallback = v
		}
	}
	if !given {
		return fallback
	}
	if fallback.IsKnown() && !fallback.IsNull() && fallback.Type().IsPrimitiveType() {
		if v, err := convert.Convert(value, fallback.Type()); err == nil {
			return v
		}
	}
	return value
}

// evaluateLocals evaluates the locals, each as soon as those that it uses are known.
func (t *terraformFiles) evaluateLocals() {
	known := map[string]cty.Value{}
	for name := range t.locals {
		known[name] = cty.DynamicVal
	}
	for range len(t.locals) {
		t.scope.Variables["local"] = cty.ObjectVal(known)
		changed := false
		for name, expression := range t.locals {
			v, diagnostics := expression.Value(t.scope)
			if diagnostics.HasErrors() || v.RawEquals(known[name]) {
				continue
			}
			known[name], changed = v, true
		}
		if !changed {
			return
		}
	}
	t.scope.Variables["local"] = cty.ObjectVal(known)
}

// evaluateTables lets expressions use the names of tables, such as aws_dynamodb_table.orders.name.
func (t *terraformFiles) evaluateTables() {
	tables := map[string]cty.Value{}
	for _, b := range t.blocks {
		if b.Type != "resource" || len(b.Labels) != 2 || b.Labels[0] != "aws_dynamodb_table" ||
			b.Body.Attributes["name"] == nil {
			continue
		}
		v, diagnostics := b.Body.Attributes["name"].Expr.Value(t.scope)
		if diagnostics.HasErrors() {
			v = cty.DynamicVal
		}
		tables[b.Labels[1]] = cty.ObjectVal(map[string]cty.Value{"name": v, "id": v})
	}
	t.scope.Variables["aws_dynamodb_table"] = cty.ObjectVal(tables)
}

// resource adds a resource, once for each element of its count or for_each.
func (t *terraformFiles) resource(b *hclsyntax.Block) {
	r := b.DefRange()
	place := fmt.Sprintf("%s:%d: %s.%s", r.Filename, r.Start.Line, b.Labels[0], b.Labels[1])
	if b.Labels[0] != "aws_dynamodb_table" {
		t.terraformResource(place, b.Labels[0], nil)
		return
	}
	instances, err := t.instances(b)
	if err != nil {
		t.leaveOut(place, "%v", err)
		return
	}
	for _, scope := range instances {
		t.terraformResource(place, b.Labels[0], t.body(place, b.Body, scope))
	}
}

// maxInstances bounds count and for_each.
const maxInstances = 1000

var errInstances = errors.New("its count or for_each cannot be resolved here")

// instances returns the scope of each instance of a resource.
func (t *terraformFiles) instances(b *hclsyntax.Block) ([]*hcl.EvalContext, error) {
	if a := b.Body.Attributes["count"]; a != nil {
		return t.counted(a.Expr)
	}
	if a := b.Body.Attributes["for_each"]; a != nil {
		return t.each(a.Expr, t.scope, "each")
	}
	return []*hcl.EvalContext{t.scope}, nil
}

// counted returns the scopes of a resource with a count.
func (t *terraformFiles) counted(count hclsyntax.Expression) (all []*hcl.EvalContext, err error) {
	v, diagnostics := count.Value(t.scope)
	if diagnostics.HasErrors() || !v.IsKnown() || v.IsNull() {
		return nil, errInstances
	}
	number, err := convert.Convert(v, cty.Number)
	if err != nil {
		return nil, errInstances
	}
	n, accuracy := number.AsBigFloat().Int64()
	if accuracy != big.Exact || n < 0 || n > maxInstances {
		return nil, errInstances
	}
	for i := range n {
		all = append(all, t.with("count", map[string]cty.Value{"index": cty.NumberIntVal(i)}))
	}
	return all, nil
}

// each returns a scope for each element of a collection.
func (t *terraformFiles) each(of hclsyntax.Expression, scope *hcl.EvalContext,
	name string) (all []*hcl.EvalContext, err error) {
	v, diagnostics := of.Value(scope)
	if diagnostics.HasErrors() || !v.IsWhollyKnown() || v.IsNull() || !v.CanIterateElements() ||
		v.LengthInt() > maxInstances {
		return nil, errInstances
	}
	for it := v.ElementIterator(); it.Next(); {
		key, value := it.Element()
		child := scope.NewChild()
		child.Variables = map[string]cty.Value{
			name: cty.ObjectVal(map[string]cty.Value{"key": key, "value": value}),
		}
		all = append(all, child)
	}
	return all, nil
}

func (t *terraformFiles) with(name string, values map[string]cty.Value) *hcl.EvalContext {
	child := t.scope.NewChild()
	child.Variables = map[string]cty.Value{name: cty.ObjectVal(values)}
	return child
}

// metaArguments are for Terraform itself.
var metaArguments = []string{"count", "for_each", "provider", "depends_on", "lifecycle",
	"provisioner", "connection", "timeouts"}

// body returns the arguments of a block. Nested blocks become lists.
func (t *terraformFiles) body(place string, body *hclsyntax.Body,
	scope *hcl.EvalContext) map[string]any {
	arguments := map[string]any{}
	for name, attribute := range body.Attributes {
		if slices.Contains(metaArguments, name) {
			continue
		}
		v, diagnostics := attribute.Expr.Value(scope)
		switch {
		case diagnostics.HasErrors():
			t.note(place+"."+name, "cannot be resolved here: %s", diagnostics[0].Detail)
		case !v.IsWhollyKnown():
			t.note(place+"."+name, "cannot be resolved here")
		default:
			arguments[name] = plain(v)
		}
	}
	for _, nested := range body.Blocks {
		t.nested(place, nested, scope, arguments)
	}
	return arguments
}

// nested adds a nested block, also a dynamic one, to the list of its kind.
func (t *terraformFiles) nested(place string, b *hclsyntax.Block, scope *hcl.EvalContext,
	arguments map[string]any) {
	name, content, scopes := b.Type, b.Body, []*hcl.EvalContext{scope}
	if name == "dynamic" && len(b.Labels) == 1 {
		name = b.Labels[0]
		iterator, err := t.dynamic(b, scope)
		if err != nil {
			t.note(place+"."+name, "%v", err)
			return
		}
		scopes = iterator
		content = nil
		for _, inner := range b.Body.Blocks {
			if inner.Type == "content" {
				content = inner.Body
			}
		}
	}
	if content == nil || slices.Contains(metaArguments, name) {
		return
	}
	list, _ := arguments[name].([]any)
	for _, s := range scopes {
		list = append(list, t.body(place+"."+name, content, s))
	}
	arguments[name] = list
}

// dynamic returns the scopes of a dynamic block.
func (t *terraformFiles) dynamic(b *hclsyntax.Block, scope *hcl.EvalContext) ([]*hcl.EvalContext,
	error) {
	of := b.Body.Attributes["for_each"]
	if of == nil {
		return nil, errInstances
	}
	name := b.Labels[0]
	if a := b.Body.Attributes["iterator"]; a != nil {
		if keyword := hcl.ExprAsKeyword(a.Expr); keyword != "" {
			name = keyword
		}
	}
	return t.each(of.Expr, scope, name)
}

// plain returns a known value as JSON would have it.
func plain(v cty.Value) any {
	switch kind := v.Type(); {
	case v.IsNull():
		return nil
	case kind == cty.String:
		return v.AsString()
	case kind == cty.Bool:
		return v.True()
	case kind == cty.Number:
		f, _ := v.AsBigFloat().Float64()
		return f
	case kind.IsObjectType() || kind.IsMapType():
		object := map[string]any{}
		for name, member := range v.AsValueMap() {
			object[name] = plain(member)
		}
		return object
	case v.CanIterateElements():
		list := []any{}
		for it := v.ElementIterator(); it.Next(); {
			_, element := it.Element()
			list = append(list, plain(element))
		}
		return list
	}
	return nil
}

// terraformFunctions are the functions of Terraform that need nothing but their arguments.
var terraformFunctions = map[string]function.Function{
	"abs": stdlib.AbsoluteFunc, "ceil": stdlib.CeilFunc, "chomp": stdlib.ChompFunc,
	"chunklist": stdlib.ChunklistFunc,
	"coalesce":  stdlib.CoalesceFunc, "coalescelist": stdlib.CoalesceListFunc,
	"compact": stdlib.CompactFunc,
	"concat":  stdlib.ConcatFunc, "contains": stdlib.ContainsFunc, "distinct": stdlib.DistinctFunc,
	"element": stdlib.ElementFunc,
	"flatten": stdlib.FlattenFunc, "floor": stdlib.FloorFunc, "format": stdlib.FormatFunc,
	"formatlist": stdlib.FormatListFunc,
	"indent":     stdlib.IndentFunc, "index": stdlib.IndexFunc, "join": stdlib.JoinFunc,
	"jsondecode": stdlib.JSONDecodeFunc,
	"jsonencode": stdlib.JSONEncodeFunc, "keys": stdlib.KeysFunc, "length": stdlib.LengthFunc,
	"lookup": stdlib.LookupFunc,
	"lower":  stdlib.LowerFunc, "max": stdlib.MaxFunc, "merge": stdlib.MergeFunc,
	"min": stdlib.MinFunc, "range": stdlib.RangeFunc,
	"regex": stdlib.RegexFunc, "regexall": stdlib.RegexAllFunc, "replace": stdlib.ReplaceFunc,
	"reverse":    stdlib.ReverseListFunc,
	"setproduct": stdlib.SetProductFunc, "setunion": stdlib.SetUnionFunc, "slice": stdlib.SliceFunc,
	"sort":  stdlib.SortFunc,
	"split": stdlib.SplitFunc, "strrev": stdlib.ReverseFunc, "substr": stdlib.SubstrFunc,
	"title":    stdlib.TitleFunc,
	"tobool":   stdlib.MakeToFunc(cty.Bool),
	"tolist":   stdlib.MakeToFunc(cty.List(cty.DynamicPseudoType)),
	"tomap":    stdlib.MakeToFunc(cty.Map(cty.DynamicPseudoType)),
	"tonumber": stdlib.MakeToFunc(cty.Number),
	"toset":    stdlib.MakeToFunc(cty.Set(cty.DynamicPseudoType)),
	"tostring": stdlib.MakeToFunc(cty.String),
	"trim":     stdlib.TrimFunc, "trimprefix": stdlib.TrimPrefixFunc,
	"trimspace":  stdlib.TrimSpaceFunc,
	"trimsuffix": stdlib.TrimSuffixFunc,
	"upper":      stdlib.UpperFunc, "values": stdlib.ValuesFunc, "zipmap": stdlib.ZipmapFunc,
}

// readFile reads a file within the limit.
func readFile(name string) ([]byte, error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, err
	}
	if info.Size() > maxBytes {
		return nil, fmt.Errorf("%s is larger than %d bytes", name, maxBytes)
	}
	return os.ReadFile(name)
}
