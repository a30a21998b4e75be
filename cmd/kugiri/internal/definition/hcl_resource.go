package definition

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
)

// resource adds a resource, once for each element of its count or for_each.
func (m *tfModule) resource(b *hclsyntax.Block) {
	at := m.placeOf(b)
	if b.Labels[0] != "aws_dynamodb_table" {
		m.otherTerraform(at, b.Labels[0], m.scaled(b))
		return
	}
	instances, err := m.instances(b)
	if err != nil {
		m.leaveOut(at, "%v", err)
		return
	}
	p := m.providers["aws"]
	if a := b.Body.Attributes["provider"]; a != nil {
		name := providerName(a.Expr)
		if p = m.providers[name]; p == nil && name != "aws" {
			m.note(rangePlace(a.SrcRange, at.path+".provider"), "there is no provider %s", name)
		}
	}
	for i, scope := range instances.scopes {
		here := at
		if instances.keys != nil {
			here.path += keyOf(instances.keys[i])
		}
		m.table(here, b, scope, p)
	}
}

// scaled reports whether a resource scales a table.
func (m *tfModule) scaled(b *hclsyntax.Block) bool {
	a := b.Body.Attributes["service_namespace"]
	if a == nil || b.Labels[0] != "aws_appautoscaling_target" {
		return false
	}
	v, err := m.value(a.Expr, nil)
	return err != nil || plain(v) == "dynamodb"
}

// table adds one table.
func (m *tfModule) table(at place, b *hclsyntax.Block, scope *hcl.EvalContext, p *tfProvider) {
	m.lost = map[string]bool{}
	arguments := m.body(at, b.Body, scope)
	for _, name := range [...]string{"hash_key", "range_key", "region"} {
		if m.lost[at.path+"."+name] {
			m.leaveOut(at, "its %s is unknown", name)
			return
		}
	}
	m.Region = m.home
	defer func() { m.Region = m.home }()
	if region, ok := arguments["region"].(string); ok {
		m.Region = cmp.Or(m.elsewhere(region), m.home)
	} else if p != nil {
		m.Region = cmp.Or(p.region, m.home)
	}
	delete(arguments, "region")
	count := len(m.tables)
	m.terraform(at, arguments, false)
	if p != nil && len(m.tables) > count {
		m.tables[count].addTags(p.tags)
	}
}

// metaArguments are for Terraform itself.
var metaArguments = []string{"count", "for_each", "provider", "depends_on", "lifecycle",
	"provisioner", "connection", "timeouts"}

// essential are the arguments without which a block means nothing.
var essential = map[string][]string{
	"attribute": {"name", "type"}, "replica": {"region_name"},
	"key_schema":             {"attribute_name", "key_type"},
	"global_secondary_index": {"name", "hash_key", "range_key", "projection_type", "key_schema"},
	"local_secondary_index":  {"name", "range_key", "projection_type"},
}

// body returns the arguments of a block. Nested blocks become lists. What cannot be resolved is
// noted and left out.
func (m *tfModule) body(at place, body *hclsyntax.Body,
	scope *hcl.EvalContext) map[string]any {
	arguments := map[string]any{}
	o := origin{file: at.file, members: map[string]int{}}
	defer func() { m.lines.add(arguments, o) }()
	for _, name := range sortedKeys(body.Attributes) {
		attribute := body.Attributes[name]
		if slices.Contains(metaArguments, name) {
			continue
		}
		here := rangePlace(attribute.SrcRange, at.path+"."+name)
		o.members[name] = here.line
		v, err := m.value(attribute.Expr, scope)
		if v, ok := m.knownPart(here, v, err); ok {
			arguments[name] = v
		} else {
			m.lost[here.path] = true
		}
	}
	for _, nested := range body.Blocks {
		m.nestedBlock(at, nested, scope, arguments)
	}
	return arguments
}

// knownPart returns what is known of a value. It notes what is not, and why.
func (m *tfModule) knownPart(at place, v cty.Value, why error) (any, bool) {
	if v.IsWhollyKnown() && why == nil {
		return plain(v), true
	}
	if why == nil {
		why = errUnknown
	}
	kind := v.Type()
	if !v.IsKnown() || v.IsNull() || !v.CanIterateElements() || v.LengthInt() == 0 ||
		v.IsWhollyKnown() {
		m.note(at, "%v", why)
		return nil, false
	}
	if kind.IsObjectType() || kind.IsMapType() {
		object := map[string]any{}
		members := v.AsValueMap()
		for _, name := range sortedKeys(members) {
			part := error(nil)
			if !members[name].IsWhollyKnown() {
				part = why
			}
			if member, ok := m.knownPart(at.within(name), members[name], part); ok {
				object[name] = member
			}
		}
		return object, true
	}
	list, i := []any{}, 0
	for it := v.ElementIterator(); it.Next(); i++ {
		_, element := it.Element()
		part := error(nil)
		if !element.IsWhollyKnown() {
			part = why
		}
		if e, ok := m.knownPart(at.within(fmt.Sprintf("[%d]", i)), element, part); ok {
			list = append(list, e)
		}
	}
	return list, true
}

// nestedBlock adds a nested block, also a dynamic one, to the list of its kind.
func (m *tfModule) nestedBlock(at place, b *hclsyntax.Block, scope *hcl.EvalContext,
	arguments map[string]any) {
	name, content, scopes := nestedKind(b), b.Body, []*hcl.EvalContext{scope}
	if slices.Contains(metaArguments, name) {
		return
	}
	here := rangePlace(b.DefRange(), at.path+"."+name)
	if b.Type == "dynamic" && len(b.Labels) == 1 {
		iterators, err := m.dynamic(b, scope)
		if err != nil {
			m.note(here, "%v", err)
			return
		}
		scopes, content = iterators, nil
		for _, inner := range b.Body.Blocks {
			if inner.Type == "content" {
				content = inner.Body
			}
		}
	}
	if content == nil {
		return
	}
	list, _ := arguments[name].([]any)
	for _, s := range scopes {
		outer := m.lost
		m.lost = map[string]bool{}
		block := m.body(here, content, s)
		inner := m.lost
		m.lost = outer
		if slices.ContainsFunc(essential[name],
			func(argument string) bool { return inner[here.path+"."+argument] }) {
			m.note(here, "is left out")
			continue
		}
		list = append(list, block)
	}
	arguments[name] = list
}

// dynamic returns the scopes of a dynamic block.
func (m *tfModule) dynamic(b *hclsyntax.Block, scope *hcl.EvalContext) ([]*hcl.EvalContext, error) {
	of := b.Body.Attributes["for_each"]
	if of == nil {
		return nil, errInstances(nil)
	}
	name := b.Labels[0]
	if a := b.Body.Attributes["iterator"]; a != nil {
		if keyword := hcl.ExprAsKeyword(a.Expr); keyword != "" {
			name = keyword
		}
	}
	all, err := m.each(of.Expr, scope, name)
	if err != nil {
		return nil, err
	}
	return all.scopes, nil
}
