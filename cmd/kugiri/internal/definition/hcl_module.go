package definition

import (
	"errors"
	"fmt"
	"math/big"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"
)

// maxInstances bounds count and for_each.
const maxInstances = 1000

// instances are the scopes of a resource, a module or a dynamic block.
type instances struct {
	scopes []*hcl.EvalContext
	keys   []cty.Value // nil without count and for_each
	byKey  bool        // for_each
}

// collect returns a value of each instance, in the form in which expressions refer to them.
func (in *instances) collect(of func(scope *hcl.EvalContext, key string) (cty.Value, error)) (
	cty.Value, error) {
	if in.keys == nil {
		return of(in.scopes[0], "")
	}
	var failed error
	list, members := []cty.Value{}, map[string]cty.Value{}
	for i, scope := range in.scopes {
		v, err := of(scope, keyOf(in.keys[i]))
		if failed == nil {
			failed = err
		}
		list = append(list, v)
		if in.byKey {
			text, _ := scalarText(plain(in.keys[i]))
			members[text] = v
		}
	}
	if in.byKey {
		return cty.ObjectVal(members), failed
	}
	return cty.TupleVal(list), failed
}

func errInstances(why error) error {
	if why == nil {
		return errors.New("its count or for_each cannot be resolved here")
	}
	return fmt.Errorf("its count or for_each cannot be resolved here: %w", why)
}

// instances returns the scope of each instance of a resource or a module.
func (m *tfModule) instances(b *hclsyntax.Block) (*instances, error) {
	if a := b.Body.Attributes["count"]; a != nil {
		return m.counted(a.Expr)
	}
	if a := b.Body.Attributes["for_each"]; a != nil {
		return m.each(a.Expr, nil, "each")
	}
	return &instances{scopes: []*hcl.EvalContext{nil}}, nil
}

// counted returns the scopes of a resource with a count.
func (m *tfModule) counted(count hclsyntax.Expression) (*instances, error) {
	v, err := m.value(count, nil)
	if err != nil || v.IsNull() {
		return nil, errInstances(err)
	}
	number, err := convert.Convert(v, cty.Number)
	if err != nil {
		return nil, errInstances(err)
	}
	n, accuracy := number.AsBigFloat().Int64()
	if accuracy != big.Exact || n < 0 || n > maxInstances {
		return nil, errInstances(fmt.Errorf("it is no number up to %d", maxInstances))
	}
	all := &instances{keys: []cty.Value{}}
	for i := range n {
		index := cty.NumberIntVal(i)
		all.keys = append(all.keys, index)
		all.scopes = append(all.scopes,
			m.with(nil, "count", map[string]cty.Value{"index": index}))
	}
	return all, nil
}

// each returns a scope for each element of a collection.
func (m *tfModule) each(of hclsyntax.Expression, scope *hcl.EvalContext, name string) (*instances,
	error) {
	v, err := m.value(of, scope)
	if !v.IsKnown() || v.IsNull() || !v.CanIterateElements() || v.Type().IsSetType() && err != nil {
		return nil, errInstances(err)
	}
	if v.LengthInt() > maxInstances {
		return nil, errInstances(fmt.Errorf("it has more than %d elements", maxInstances))
	}
	all := &instances{keys: []cty.Value{}, byKey: true}
	for it := v.ElementIterator(); it.Next(); {
		key, value := it.Element()
		all.keys = append(all.keys, key)
		all.scopes = append(all.scopes,
			m.with(scope, name, map[string]cty.Value{"key": key, "value": value}))
	}
	return all, nil
}

func (m *tfModule) with(scope *hcl.EvalContext, name string,
	values map[string]cty.Value) *hcl.EvalContext {
	if scope == nil {
		scope = &hcl.EvalContext{Functions: m.functions}
	}
	child := scope.NewChild()
	child.Variables = map[string]cty.Value{name: cty.ObjectVal(values)}
	return child
}

// tfCall is a call of a module, which is once for each of its instances.
type tfCall struct {
	instances *instances
	modules   []*tfModule
	err       error
}

// call returns the modules that a block calls.
func (m *tfModule) call(b *hclsyntax.Block) *tfCall {
	name := b.Labels[0]
	if c := m.calls[name]; c != nil {
		return c
	}
	c := new(tfCall)
	m.calls[name] = c
	config, dir, err := m.source(b)
	if err == nil {
		c.instances, err = m.instances(b)
	}
	if c.err = err; err != nil {
		return c
	}
	for i, scope := range c.instances.scopes {
		address := m.within("module." + name)
		if c.instances.keys != nil {
			address += keyOf(c.instances.keys[i])
		}
		child := newModule(m.reader, m.tf, config, dir, address)
		child.dirs = append(m.dirs[:len(m.dirs):len(m.dirs)], filepath.Clean(m.base))
		for argument, a := range b.Body.Attributes {
			child.arguments[argument] = func() (cty.Value, error) { return m.value(a.Expr, scope) }
		}
		m.passProviders(b, child)
		c.modules = append(c.modules, child)
	}
	return c
}

// source returns the files of a module. Those of a registry or a repository have to be installed.
func (m *tfModule) source(b *hclsyntax.Block) (*tfConfig, string, error) {
	source := ""
	if a := b.Body.Attributes["source"]; a != nil {
		v, err := m.value(a.Expr, nil)
		if err != nil {
			return nil, "", fmt.Errorf("its source %w", err)
		}
		source, _ = plain(v).(string)
	}
	dir := filepath.Join(m.base, filepath.FromSlash(source))
	if !strings.HasPrefix(source, "./") && !strings.HasPrefix(source, "../") {
		key := strings.ReplaceAll(m.within("module."+b.Labels[0]), "module.", "")
		if dir = m.tf.installed[withoutKeys(key)]; dir == "" {
			return nil, "", fmt.Errorf(
				"the module %q is not there: \"terraform init\" installs it", source)
		}
	}
	if slices.Contains(m.dirs, filepath.Clean(dir)) || filepath.Clean(m.base) == dir {
		return nil, "", fmt.Errorf("a circle: the module of %s is within itself", dir)
	}
	if c := m.tf.configs[dir]; c != nil {
		return c, dir, nil
	}
	files, err := moduleFiles(dir, false)
	if err != nil {
		return nil, "", err
	}
	c, err := (&tfLoader{m.reader}).load(files)
	m.tf.configs[dir] = c
	return c, dir, err
}

// withoutKeys removes the keys of instances from an address.
func withoutKeys(address string) string {
	var b strings.Builder
	open := 0
	for _, c := range address {
		switch {
		case c == '[':
			open++
		case c == ']':
			open--
		case open == 0:
			b.WriteRune(c)
		}
	}
	return b.String()
}

// moduleArguments are those of a call that the module does not get.
var moduleArguments = []string{"count", "depends_on", "for_each", "providers", "source", "version"}

// readCall reads the tables of the modules that a block calls.
func (m *tfModule) readCall(b *hclsyntax.Block) {
	at := m.placeOf(b)
	if err := m.budget.Step(); err != nil {
		return
	}
	c := m.call(b)
	if c.err != nil {
		m.note(at, "is left out: %v", c.err)
		return
	}
	for _, child := range c.modules {
		for name, a := range b.Body.Attributes {
			if child.blocks["variable."+name] == nil && !slices.Contains(moduleArguments, name) {
				m.note(rangePlace(a.SrcRange, at.path+"."+name),
					"is left out: the module has no such variable")
			}
		}
		child.read()
	}
}

// outputs returns the outputs of a module that an expression uses.
func (m *tfModule) outputs(name string, use hcl.Traversal) (cty.Value, error) {
	b := m.blocks["module."+name]
	if b == nil {
		return cty.DynamicVal, fmt.Errorf("there is no module.%s", name)
	}
	c := m.call(b)
	if c.err != nil {
		return cty.DynamicVal, fmt.Errorf("module.%s: %w", name, c.err)
	}
	wanted := ""
	for i := 2; i < len(use) && wanted == ""; i++ {
		if a, ok := use[i].(hcl.TraverseAttr); ok {
			wanted = a.Name
		}
	}
	i := -1
	return c.instances.collect(func(*hcl.EvalContext, string) (cty.Value, error) {
		i++
		return c.modules[i].output(wanted)
	})
}

// output returns an object with one output of the module, or with all.
func (m *tfModule) output(wanted string) (cty.Value, error) {
	members := map[string]cty.Value{}
	var failed error
	for _, b := range m.config.blocks {
		if b.Type != "output" || len(b.Labels) != 1 || wanted != "" && b.Labels[0] != wanted ||
			b.Body.Attributes["value"] == nil {
			continue
		}
		v, err := m.cached("output."+b.Labels[0], func() (cty.Value, error) {
			return m.value(b.Body.Attributes["value"].Expr, nil)
		})
		if failed == nil {
			failed = err
		}
		members[b.Labels[0]] = v
	}
	return cty.ObjectVal(members), failed
}
