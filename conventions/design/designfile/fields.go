package designfile

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/kugiri-db/kugiri/conventions/design"
	"github.com/kugiri-db/kugiri/conventions/internal/fields"
)

// file reads the objects of a design file, with the fields in design.schema.json.
type file struct{ *fields.Decoder }

func (d file) design(in *design.Design) map[string]fields.Member {
	return map[string]fields.Member{
		"table":      d.Text(&in.Table),
		"from":       d.Text(&in.From),
		"separator":  d.Text(&in.Separator),
		"indexes":    d.Number(&in.Indexes),
		"simplicity": d.money(&in.Simplicity),
		"prefixes":   fields.OneOf(d.Decoder, &in.Prefixes, design.AlwaysPrefixed),
		"keys":       fields.OneOf(d.Decoder, &in.Keys, design.AttributeKeys),
		"tenants": func(f fields.Field) {
			in.Tenants = &design.Tenants{}
			d.Object(f, d.tenants(in.Tenants))
		},
		"names": d.texts(&in.Names),
		"models": fields.List(d.Decoder, &in.Models,
			func(f fields.Field, m *design.Model) { d.Object(f, d.model(m)) }),
		"patterns": fields.List(d.Decoder, &in.Patterns,
			func(f fields.Field, p *design.Pattern) { d.Object(f, d.pattern(p)) }),
		"transactions": fields.List(d.Decoder, &in.Transactions,
			func(f fields.Field, t *design.Transaction) { d.Object(f, d.transaction(t)) }),
	}
}

func (d file) transaction(t *design.Transaction) map[string]fields.Member {
	return map[string]fields.Member{
		"name":    d.Text(&t.Name),
		"puts":    fields.List(d.Decoder, &t.Puts, d.written),
		"updates": fields.List(d.Decoder, &t.Updates, d.written),
		"rate":    d.Float(&t.Rate),
	}
}

// written reads what a transaction writes of a model: an object, or the name of the model.
func (d file) written(f fields.Field, w *design.Written) {
	if f.Kind == fields.Scalar {
		d.ReadText(f, &w.Model)
		return
	}
	d.Object(f, d.writtenFields(w))
}

func (d file) writtenFields(w *design.Written) map[string]fields.Member {
	return map[string]fields.Member{
		"model": d.Text(&w.Model), "of": d.nameOrNames(&w.Of),
		"takes": d.nameOrNames(&w.Takes), "gives": d.nameOrNames(&w.Gives),
		"count": d.atLeastOne(&w.Count),
	}
}

// atLeastOne reads a number above 0: a missing field means 1.
func (d file) atLeastOne(into *int) fields.Member {
	return func(f fields.Field) {
		n := 1
		if d.Number(&n)(f); n == 0 {
			d.Fail(f, "want 1 or more")
		}
		*into = n
	}
}

func (d file) model(m *design.Model) map[string]fields.Member {
	return map[string]fields.Member{
		"name":     d.Text(&m.Name),
		"table":    d.Text(&m.Table),
		"key":      d.Texts(&m.Key),
		"primary":  d.Text(&m.Primary),
		"items":    d.Count(&m.Items),
		"puts":     d.Float(&m.Puts),
		"updates":  d.updates(m),
		"deletes":  d.Float(&m.Deletes),
		"peak":     d.Float(&m.Peak),
		"recovery": d.Flag(&m.Recovery),
		"ttl":      d.Text(&m.TTL),
		"versions": d.Flag(&m.Versions),
		"unique": fields.List(d.Decoder, &m.Unique,
			func(f fields.Field, u *[]string) { d.nameOrNames(u)(f) }),
		"attributes": fields.List(d.Decoder, &m.Attributes, d.attribute),
	}
}

// money reads an amount of US dollars, such as 20 or 20 USD.
func (d file) money(into *float64) fields.Member {
	return func(f fields.Field) {
		amount, usd := strings.CutSuffix(f.Value, " USD")
		if f.Tag != "!!str" {
			d.Float(into)(f)
			return
		}
		v, err := strconv.ParseFloat(strings.ReplaceAll(amount, "_", ""), 64)
		if !usd || err != nil || math.IsInf(v, 0) || math.IsNaN(v) {
			d.Fail(f, "want an amount such as 20 USD")
			return
		}
		*into = v
	}
}

// part reads a part of the items, such as 1%.
func (d file) part(into *float64) fields.Member {
	return func(f fields.Field) {
		var text string
		if d.ReadText(f, &text); text == "" {
			return
		}
		percent, ok := strings.CutSuffix(text, "%")
		v, err := strconv.ParseFloat(percent, 64)
		if !ok || err != nil || !(v > 0 && v < 100) {
			d.Fail(f, "want a part of the items, such as 1%%")
			return
		}
		*into = v / 100
	}
}

// skew reads how frequent values are, such as zipf 1.1.
func (d file) skew(into *float64) fields.Member {
	return func(f fields.Field) {
		var text string
		if d.ReadText(f, &text); text == "" {
			return
		}
		zipf, err := design.ParseSkew(text)
		if err != nil {
			d.Fail(f, "%v", err)
		}
		*into = zipf
	}
}

// updates reads the rate of updates, or a list of what they change.
func (d file) updates(m *design.Model) fields.Member {
	return func(f fields.Field) {
		if f.Kind == fields.Scalar {
			d.Float(&m.Updates)(f)
			return
		}
		fields.List(d.Decoder, &m.Changes, func(f fields.Field, c *design.Change) {
			d.Object(f, map[string]fields.Member{
				"of": d.nameOrNames(&c.Of), "rate": d.Float(&c.Rate),
			})
		})(f)
		m.Changes = slices.DeleteFunc(m.Changes, func(c design.Change) bool {
			if len(c.Of) == 0 {
				m.Updates += c.Rate
			}
			return len(c.Of) == 0
		})
	}
}

// nameOrNames reads a text as a list of one.
func (d file) nameOrNames(into *[]string) fields.Member {
	return func(f fields.Field) {
		if f.Kind == fields.Scalar {
			*into = []string{""}
			d.ReadText(f, &(*into)[0])
			return
		}
		d.Texts(into)(f)
	}
}

func (d file) tenants(t *design.Tenants) map[string]fields.Member {
	return map[string]fields.Member{
		"attribute": d.Text(&t.Attribute), "common": d.Text(&t.Common),
		"children": fields.OneOf(d.Decoder, &t.Children, design.AllChildren...),
	}
}

// texts reads an object of texts.
func (d file) texts(into *map[string]string) fields.Member {
	return func(f fields.Field) {
		*into = map[string]string{}
		d.Each(f, func(name string, value fields.Field) {
			var text string
			d.ReadText(value, &text)
			(*into)[name] = text
		})
	}
}

// stays reads how long items stay in states.
func (d file) stays(into *map[string]time.Duration) fields.Member {
	return func(f fields.Field) {
		*into = map[string]time.Duration{}
		d.Each(f, func(state string, value fields.Field) {
			var text string
			if d.ReadText(value, &text); text == "" {
				return
			}
			stay, err := design.ParseStay(text)
			if err != nil {
				d.Fail(value, "%v", err)
				return
			}
			(*into)[state] = stay
		})
	}
}

// numbers reads an object of whole numbers.
func (d file) numbers(into *map[string]int) fields.Member {
	return func(f fields.Field) {
		*into = map[string]int{}
		d.Each(f, func(name string, value fields.Field) {
			n := 0
			d.Number(&n)(value)
			(*into)[name] = n
		})
	}
}

// attribute reads an attribute: an object, or the name of a string.
func (d file) attribute(f fields.Field, a *design.Attribute) {
	a.Type = design.String
	if f.Kind == fields.Scalar {
		d.ReadText(f, &a.Name)
		return
	}
	d.Object(f, d.attributeFields(a))
}

func (d file) attributeFields(a *design.Attribute) map[string]fields.Member {
	return map[string]fields.Member{
		"name":       d.Text(&a.Name),
		"type":       fields.OneOf(d.Decoder, &a.Type, design.Types...),
		"format":     fields.OneOf(d.Decoder, &a.Format, design.Formats...),
		"bytes":      d.Number(&a.Bytes),
		"values":     d.Count(&a.Values),
		"skew":       d.skew(&a.Zipf),
		"largest":    d.Count(&a.Largest),
		"dimensions": d.Number(&a.Dimensions),
		"decimals":   d.Number(&a.Decimals),
		"negative":   d.Flag(&a.Negative),
		"constant":   d.Text(&a.Constant),
		"begins":     d.Text(&a.Begins),
		"stays":      d.stays(&a.Stays),
		"mutable":    d.Flag(&a.Mutable),
		"optional":   d.part(&a.Optional),
		"of":         d.Text(&a.Of),
		"counts":     d.Text(&a.Counts),
		"sums":       d.Text(&a.Sums),
		"numbers":    d.Text(&a.Numbers),
		"last":       d.Text(&a.Last),
		"where":      d.texts(&a.Where),
		"kept":       fields.OneOf(d.Decoder, &a.Kept, append(design.Keepings, design.Never)...),
		"by":         d.Text(&a.By),
	}
}

func (d file) pattern(p *design.Pattern) map[string]fields.Member {
	return map[string]fields.Member{
		"name":       d.Text(&p.Name),
		"model":      d.Text(&p.Model),
		"models":     d.Texts(&p.Models),
		"equal":      d.Texts(&p.Equal),
		"where":      d.texts(&p.Where),
		"in":         d.numbers(&p.In),
		"filter":     d.Texts(&p.Filter),
		"latest":     d.numbers(&p.Latest),
		"range":      d.Text(&p.Range),
		"begins":     d.Text(&p.Begins),
		"order":      d.Text(&p.Order),
		"similar":    d.Text(&p.Similar),
		"attributes": d.Texts(&p.Attributes),
		"period":     fields.OneOf(d.Decoder, &p.Period, design.Periods...),
		"shards":     d.Number(&p.Shards),
		"through":    d.Text(&p.Through),
		"fanout":     fields.OneOf(d.Decoder, &p.Fanout, design.Fanouts...),
		"deletes":    fields.OneOf(d.Decoder, &p.Deletes, design.Deletions...),
		"descending": d.Flag(&p.Descending),
		"one":        d.Flag(&p.One),
		"consistent": d.Flag(&p.Consistent),
		"rate":       d.Float(&p.Rate),
		"returned":   d.Float(&p.Returned),
	}
}
