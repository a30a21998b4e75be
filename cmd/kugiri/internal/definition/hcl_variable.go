package definition

import (
	"fmt"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/ext/typeexpr"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"
)

// rootArguments gives the outermost module the values of flags, of files of variables and of the
// environment, in this order (Terraform, "Input Variables").
func (m *tfModule) rootArguments() {
	for _, b := range m.config.blocks {
		if b.Type != "variable" || len(b.Labels) != 1 {
			continue
		}
		name := b.Labels[0]
		text, ok := m.Parameters[name]
		given := m.config.given[name]
		if !ok && given == nil && m.Env != nil {
			text, ok = m.Env("TF_VAR_" + name)
		}
		switch {
		case ok:
			m.arguments[name] = func() (cty.Value, error) { return m.fromText(b, text) }
		case given != nil:
			m.arguments[name] = func() (cty.Value, error) { return m.value(given, nil) }
		}
	}
}

// fromText returns the value that a text gives to a variable: that of an expression, unless the
// variable is a text, a number or a boolean.
func (m *tfModule) fromText(b *hclsyntax.Block, text string) (cty.Value, error) {
	kind, _, err := typeOf(b)
	if err != nil {
		return cty.DynamicVal, err
	}
	if kind == cty.DynamicPseudoType {
		if a := b.Body.Attributes["default"]; a != nil {
			if v, err := m.value(a.Expr, nil); err == nil && !v.IsNull() {
				kind = v.Type()
			}
		}
	}
	if kind.IsPrimitiveType() || kind == cty.DynamicPseudoType {
		return cty.StringVal(text), nil
	}
	if err := checkDepth([]byte(text), "--parameter"); err != nil {
		return cty.DynamicVal, err
	}
	e, diagnostics := hclsyntax.ParseExpression([]byte(text), "--parameter", hcl.InitialPos)
	if diagnostics.HasErrors() {
		return cty.DynamicVal, fmt.Errorf("the variable %s: %s", b.Labels[0], diagnostics[0].Detail)
	}
	return m.value(e, nil)
}

// typeOf returns the type of a variable, and the values of its optional attributes.
func typeOf(b *hclsyntax.Block) (cty.Type, *typeexpr.Defaults, error) {
	a := b.Body.Attributes["type"]
	if a == nil {
		return cty.DynamicPseudoType, nil, nil
	}
	kind, defaults, diagnostics := typeexpr.TypeConstraintWithDefaults(a.Expr)
	if diagnostics.HasErrors() {
		if v, more := a.Expr.Value(nil); !more.HasErrors() && v.Type() == cty.String {
			switch v.AsString() { // types are texts before Terraform 0.12
			case "string":
				return cty.String, nil, nil
			case "list":
				return cty.List(cty.DynamicPseudoType), nil, nil
			case "map":
				return cty.Map(cty.DynamicPseudoType), nil, nil
			}
		}
		return cty.DynamicPseudoType, nil, fmt.Errorf("the variable %s: %s", b.Labels[0],
			diagnostics[0].Detail)
	}
	return kind, defaults, nil
}

// variable returns the value of a variable: the given one, or its default.
func (m *tfModule) variable(name string) (cty.Value, error) {
	b := m.blocks["variable."+name]
	if b == nil {
		return cty.DynamicVal, fmt.Errorf("there is no variable %s", name)
	}
	v, err := cty.NilVal, error(nil)
	given := m.arguments[name]
	if given != nil {
		v, err = given()
	}
	if given == nil || err == nil && v.IsNull() && m.notNullable(b) {
		a := b.Body.Attributes["default"]
		if a == nil {
			return cty.DynamicVal, m.noValue(name)
		}
		v, err = m.value(a.Expr, nil)
	}
	kind, defaults, failed := typeOf(b)
	if failed != nil {
		return cty.DynamicVal, failed
	}
	if defaults != nil && !v.IsNull() && v.IsKnown() {
		v = defaults.Apply(v)
	}
	converted, failed := convert.Convert(v, kind)
	if failed != nil {
		return cty.DynamicVal, fmt.Errorf("the variable %s: %w", name, failed)
	}
	return converted, err
}

func (m *tfModule) noValue(name string) error {
	if m.address != "" {
		return fmt.Errorf("%s gives the variable %s no value", m.address, name)
	}
	return fmt.Errorf("the variable %s has no value: give it with --parameter %s=VALUE", name, name)
}

func (m *tfModule) notNullable(b *hclsyntax.Block) bool {
	a := b.Body.Attributes["nullable"]
	if a == nil {
		return false
	}
	v, err := m.value(a.Expr, nil)
	return err == nil && plain(v) == false
}

// tfProvider is a provider with what it says of tables.
type tfProvider struct {
	region string // "" is that of the command
	tags   map[string]string
}

// rootProviders reads the providers of the outermost module.
func (m *tfModule) rootProviders() {
	for _, b := range m.config.blocks {
		if b.Type == "provider" && len(b.Labels) == 1 && b.Labels[0] == "aws" && aliasOf(b) == "" {
			m.providers["aws"] = m.provider(b)
			m.tf.region = m.providers["aws"].region
			m.providers["aws"].region = ""
		}
	}
	for _, b := range m.config.blocks {
		alias := aliasOf(b)
		if b.Type != "provider" || len(b.Labels) != 1 || b.Labels[0] != "aws" || alias == "" {
			continue
		}
		p := m.provider(b)
		p.region = m.elsewhere(p.region)
		m.providers["aws."+alias] = p
	}
}

// elsewhere returns a region, "" if it is that of the provider without an alias, whose tables are
// in the region of the command.
func (m *tfModule) elsewhere(region string) string {
	if region == m.tf.region || m.tf.region == "" && region == m.home {
		return ""
	}
	return region
}

// providerArguments are those of a provider that say how it reaches the service, or what it does
// not change.
func (m *tfModule) provider(b *hclsyntax.Block) *tfProvider {
	p := &tfProvider{tags: map[string]string{}}
	at := m.placeOf(b)
	if a := b.Body.Attributes["region"]; a != nil {
		v, err := m.value(a.Expr, nil)
		if err != nil && aliasOf(b) != "" {
			m.note(rangePlace(a.SrcRange, at.path+".region"), "%v", err)
		}
		if err == nil {
			p.region, _ = plain(v).(string)
		}
	}
	only := &hclsyntax.Body{Attributes: hclsyntax.Attributes{}}
	if a := b.Body.Attributes["default_tags"]; a != nil {
		only.Attributes["default_tags"] = a
	}
	for _, nested := range b.Body.Blocks {
		if nestedKind(nested) == "default_tags" {
			only.Blocks = append(only.Blocks, nested)
		}
	}
	arguments := m.body(at, only, nil)
	for _, block := range blocksOf(arguments["default_tags"]) {
		tags, _ := block["tags"].(map[string]any)
		for key, value := range tags {
			if text, err := scalarText(value); err == nil {
				p.tags[key] = text
			}
		}
	}
	return p
}

// blocksOf returns blocks, which JSON may write as one object.
func blocksOf(v any) (all []map[string]any) {
	if object, ok := v.(map[string]any); ok {
		return []map[string]any{object}
	}
	list, _ := v.([]any)
	for _, each := range list {
		if object, ok := each.(map[string]any); ok {
			all = append(all, object)
		}
	}
	return all
}

// passProviders gives a module the providers of its call, or that without an alias.
func (m *tfModule) passProviders(b *hclsyntax.Block, child *tfModule) {
	if p := m.providers["aws"]; p != nil {
		child.providers["aws"] = p
	}
	a := b.Body.Attributes["providers"]
	if a == nil {
		return
	}
	object, ok := a.Expr.(*hclsyntax.ObjectConsExpr)
	if !ok {
		return
	}
	for _, item := range object.Items {
		key := item.KeyExpr
		if k, ok := key.(*hclsyntax.ObjectConsKeyExpr); ok {
			key = k.Wrapped
		}
		if p := m.providers[providerName(item.ValueExpr)]; p != nil {
			child.providers[providerName(key)] = p
		}
	}
}

// providerName returns the name of a provider, such as aws.west.
func providerName(e hclsyntax.Expression) string {
	t, diagnostics := hcl.AbsTraversalForExpr(e)
	if diagnostics.HasErrors() {
		return ""
	}
	name := t.RootName()
	if alias := attributeAt(t, 1); alias != "" {
		name += "." + alias
	}
	return name
}
