package definition

import (
	"fmt"
	"path/filepath"
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"
)

// tfModule is a module of Terraform with the arguments that a call of it has.
type tfModule struct {
	counter
	tf      *tfRoot
	config  *tfConfig
	base    string // its directory
	address string // "" for the outermost module, or module.a.module.b["c"]
	dirs    []string
	// arguments are evaluated when they are used, because they may use outputs of the same call.
	arguments map[string]func() (cty.Value, error)
	providers map[string]*tfProvider // providers by aws, or aws.ALIAS
	blocks    map[string]*hclsyntax.Block
	locals    map[string]*hclsyntax.Attribute
	known     map[string]tfValue
	calls     map[string]*tfCall
	functions map[string]function.Function
}

// tfRoot holds what all modules of a directory share.
type tfRoot struct {
	dir       string
	installed map[string]string // directories of modules by their keys, as terraform init has them
	prepared  map[hclsyntax.Expression]prepared
	configs   map[string]*tfConfig
	region    string // the region of the provider without an alias, "" if it does not say
}

// tfValue is a value, and why it is not wholly known.
type tfValue struct {
	v   cty.Value
	err error
}

// prepared is an expression that counts what it makes, and the names that it uses.
type prepared struct {
	e    hclsyntax.Expression
	uses []hcl.Traversal
}

// readTerraform reads the tables of Terraform files of one directory.
func readTerraform(r *reader, files []string) error {
	loader := &tfLoader{r}
	config, err := loader.load(files)
	if err != nil {
		return err
	}
	dir := filepath.Dir(files[0])
	root := &tfRoot{dir: dir, prepared: map[hclsyntax.Expression]prepared{},
		configs: map[string]*tfConfig{}}
	if root.installed, err = loader.installed(dir); err != nil {
		return err
	}
	m := newModule(r, root, config, dir, "")
	m.rootArguments()
	m.rootProviders()
	for _, name := range sortedKeys(config.given) {
		if m.blocks["variable."+name] == nil {
			r.note(rangePlace(config.given[name].Range(), name),
				"is left out: there is no variable with this name")
		}
	}
	m.read()
	return nil
}

func newModule(r *reader, root *tfRoot, config *tfConfig, dir, address string) *tfModule {
	m := &tfModule{counter: counter{r}, tf: root, config: config, base: dir, address: address,
		blocks: map[string]*hclsyntax.Block{}, locals: map[string]*hclsyntax.Attribute{},
		known: map[string]tfValue{}, calls: map[string]*tfCall{},
		arguments: map[string]func() (cty.Value, error){}, providers: map[string]*tfProvider{}}
	m.functions = tfFunctions{m}.all()
	for _, b := range config.blocks {
		if b.Type == "locals" {
			for name, attribute := range b.Body.Attributes {
				m.locals[name] = attribute
			}
			continue
		}
		m.blocks[blockName(b)] = b
	}
	return m
}

// ignored are the blocks that say nothing of a table by themselves.
var ignored = []string{"check", "data", "ephemeral", "import", "locals", "moved", "output",
	"provider", "removed", "terraform", "variable"}

// read reads the tables of a module, and of those that it calls.
func (m *tfModule) read() {
	for _, b := range m.config.blocks {
		switch {
		case b.Type == "resource" && len(b.Labels) == 2:
			m.resource(b)
		case b.Type == "module" && len(b.Labels) == 1:
			m.readCall(b)
		case !slices.Contains(ignored, b.Type):
			m.note(m.placeOf(b), "is not read")
		}
	}
}

// placeOf returns the place of a block.
func (m *tfModule) placeOf(b *hclsyntax.Block) place {
	return rangePlace(b.DefRange(), m.within(blockName(b)))
}

// within returns the address of something in the module.
func (m *tfModule) within(name string) string {
	if m.address == "" {
		return name
	}
	return m.address + "." + name
}

// value evaluates an expression. The error says why the value is not wholly known.
func (m *tfModule) value(e hclsyntax.Expression, scope *hcl.EvalContext) (cty.Value, error) {
	p, ok := m.tf.prepared[e]
	if !ok {
		p.uses = e.Variables()
		p.e = m.count(e)
		m.tf.prepared[e] = p
	}
	return m.evaluated(p, scope)
}

// evaluated evaluates a prepared expression. Where a name in it is unknown, the error is the reason
// for that: it says more than the error of the evaluation, which follows from it.
func (m *tfModule) evaluated(p prepared, scope *hcl.EvalContext) (cty.Value, error) {
	if err := m.budget.Step(); err != nil {
		return cty.DynamicVal, err
	}
	if scope == nil {
		scope = &hcl.EvalContext{Functions: m.functions}
	}
	variables, why := m.names(p.uses, scope)
	inner := scope.NewChild()
	inner.Variables = variables
	v, err := evaluate(p.e, inner)
	if err == nil {
		err = m.madeCty(v)
	}
	switch {
	case err != nil && why != nil:
		return cty.DynamicVal, why
	case err != nil:
		return cty.DynamicVal, err
	case v.IsWhollyKnown():
		return v, nil
	case why == nil:
		why = errUnknown
	}
	return v, why
}

var errUnknown = fmt.Errorf("cannot be resolved here")

// names returns the values of names that an expression uses, and why one of them is not known.
func (m *tfModule) names(uses []hcl.Traversal, scope *hcl.EvalContext) (
	all map[string]cty.Value, why error) {
	nested := map[string]map[string]cty.Value{}
	all = map[string]cty.Value{}
	for _, use := range uses {
		root, name := use.RootName(), attributeAt(use, 1)
		if inScope(scope, root) {
			continue
		}
		v, err := m.named(root, name, use)
		if err != nil && why == nil {
			why = err
		}
		switch {
		case root == "data":
			if nested["data"] == nil {
				nested["data"] = map[string]cty.Value{}
			}
			kinds := cty.EmptyObjectVal
			if old, ok := nested["data"][name]; ok {
				kinds = old
			}
			nested["data"][name] = withAttribute(kinds, attributeAt(use, 2), v)
		case name == "":
			all[root] = v
		default:
			if nested[root] == nil {
				nested[root] = map[string]cty.Value{}
			}
			nested[root][name] = v
		}
	}
	for root, members := range nested {
		all[root] = cty.ObjectVal(members)
	}
	return all, why
}

func withAttribute(object cty.Value, name string, v cty.Value) cty.Value {
	members := object.AsValueMap()
	if members == nil {
		members = map[string]cty.Value{}
	}
	members[name] = v
	return cty.ObjectVal(members)
}

// attributeAt returns the name at a step of a traversal, "" if there is another step.
func attributeAt(t hcl.Traversal, i int) string {
	if i < len(t) {
		switch step := t[i].(type) {
		case hcl.TraverseAttr:
			return step.Name
		case hcl.TraverseIndex:
			if step.Key.Type() == cty.String {
				return step.Key.AsString()
			}
		}
	}
	return ""
}

// inScope reports whether a block or a loop defines a name.
func inScope(scope *hcl.EvalContext, name string) bool {
	for ; scope != nil; scope = scope.Parent() {
		if _, ok := scope.Variables[name]; ok {
			return true
		}
	}
	return false
}

// named returns the value of a name.
func (m *tfModule) named(root, name string, use hcl.Traversal) (cty.Value, error) {
	switch root {
	case "var":
		return m.cached("var."+name, func() (cty.Value, error) { return m.variable(name) })
	case "local":
		return m.cached("local."+name, func() (cty.Value, error) {
			a := m.locals[name]
			if a == nil {
				return cty.DynamicVal, fmt.Errorf("there is no local.%s", name)
			}
			return m.value(a.Expr, nil)
		})
	case "module":
		return m.outputs(name, use)
	case "path":
		switch name {
		case "module":
			return cty.StringVal(m.base), nil
		case "root":
			return cty.StringVal(m.tf.dir), nil
		case "cwd":
			return cty.StringVal("."), nil
		}
	case "terraform":
		if name == "workspace" {
			return cty.StringVal("default"), nil
		}
	case "data":
		return m.data(name, attributeAt(use, 2))
	case "aws_dynamodb_table":
		return m.tableReference(name, use)
	}
	text := root
	if name != "" {
		text += "." + name
	}
	return cty.DynamicVal, fmt.Errorf("%s cannot be resolved here", text)
}

// cached evaluates something with a name once. If it uses itself the error names the circle.
func (m *tfModule) cached(name string, value func() (cty.Value, error)) (cty.Value, error) {
	if k, ok := m.known[name]; ok {
		return k.v, k.err
	}
	if err := m.budget.Refer(m.within(name)); err != nil {
		return cty.DynamicVal, err
	}
	defer m.budget.Leave()
	v, err := value()
	m.known[name] = tfValue{v, err}
	return v, err
}

// data returns a data source that depends on nothing but the caller.
func (m *tfModule) data(kind, name string) (cty.Value, error) {
	text := func(t string) cty.Value { return cty.StringVal(t) }
	switch kind {
	case "aws_region":
		region := text(m.home)
		return cty.ObjectVal(map[string]cty.Value{"name": region, "id": region,
			"region": region}), nil
	case "aws_caller_identity":
		return cty.ObjectVal(map[string]cty.Value{"account_id": text(m.Account),
			"id": text(m.Account)}), nil
	case "aws_partition":
		return cty.ObjectVal(map[string]cty.Value{"partition": text(partition(m.home)),
			"id": text(partition(m.home)), "dns_suffix": text(urlSuffix(m.home))}), nil
	}
	return cty.DynamicVal, fmt.Errorf("data.%s.%s cannot be resolved here", kind, name)
}

// tableReference returns the attributes of a table that other expressions use.
func (m *tfModule) tableReference(name string, use hcl.Traversal) (cty.Value, error) {
	b := m.blocks["aws_dynamodb_table."+name]
	if b == nil {
		return cty.DynamicVal, fmt.Errorf("there is no aws_dynamodb_table.%s", name)
	}
	wanted := ""
	for i := 2; i < len(use) && wanted == ""; i++ {
		if a, ok := use[i].(hcl.TraverseAttr); ok {
			wanted = a.Name
		}
	}
	instances, err := m.instances(b)
	if err != nil {
		return cty.DynamicVal, err
	}
	return instances.collect(func(scope *hcl.EvalContext, key string) (cty.Value, error) {
		return m.cached("aws_dynamodb_table."+name+key+"."+wanted, func() (cty.Value, error) {
			v, err := m.tableAttribute(b, wanted, scope)
			members := map[string]cty.Value{}
			if wanted != "" {
				members[wanted] = v
			}
			return cty.ObjectVal(members), err
		})
	})
}

// tableAttribute returns an attribute of a table: an argument, or what follows from the name.
func (m *tfModule) tableAttribute(b *hclsyntax.Block, name string, scope *hcl.EvalContext) (
	cty.Value, error) {
	argument := name
	if name == "id" || name == "arn" {
		argument = "name"
	}
	a := b.Body.Attributes[argument]
	elsewhere := b.Body.Attributes["provider"] != nil || b.Body.Attributes["region"] != nil
	if a == nil || name == "arn" && elsewhere {
		return cty.DynamicVal, fmt.Errorf("%s.%s cannot be resolved here", blockName(b), name)
	}
	v, err := m.value(a.Expr, scope)
	if err == nil && name == "arn" && v.Type() == cty.String && !v.IsNull() {
		v = cty.StringVal(fmt.Sprintf("arn:%s:dynamodb:%s:%s:table/%s", partition(m.home),
			m.home, m.Account, v.AsString()))
	}
	return v, err
}
