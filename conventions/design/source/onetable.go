package source

import (
	"cmp"
	"slices"
	"strings"

	"github.com/kugiri-db/kugiri/conventions/design"
	"github.com/kugiri-db/kugiri/conventions/internal/fields"
)

// oneTableReader is the reader of OneTable's schemas in the format onetable:1.1.0 and before
// (https://doc.onetable.io/api/table/schemas/). A model's keys come from its value templates; keys
// of indexes that a model has not are not its keys. A warning names what is left out: how OneTable
// itself works, and what it does beyond keys.
type oneTableReader struct{ *reader }

// oneTableParams are the parameters of a schema that say which attributes there are.
type oneTableParams struct {
	isoDates         bool
	timestamps       string // true, false, create or update
	created, updated string
	typeField        string
}

// oneTableIndex is an index of a schema. hash is "" for a local index.
type oneTableIndex struct{ name, hash, sort string }

// isOneTable reports whether a field is a schema of OneTable.
func isOneTable(f fields.Field) bool { return has(f, "models", "indexes") }

// oneTableOf returns the schema in a source: the source, or a member of it.
func oneTableOf(root fields.Field) fields.Field {
	if i := slices.IndexFunc(root.Elements(), isOneTable); i >= 0 && !isOneTable(root) {
		return root.Elements()[i]
	}
	return root
}

// read reads a schema.
func (r oneTableReader) read(root fields.Field) {
	root = oneTableOf(root)
	params := oneTableParams{
		timestamps: "false", created: "createdAt", updated: "updatedAt", typeField: "_type",
	}
	if f, ok := root.Member("params"); ok {
		r.readParams(f, &params)
	}
	var indexes []oneTableIndex
	r.Each(root, func(name string, f fields.Field) {
		switch name {
		case "indexes":
			indexes = r.indexes(f)
		case "name":
			if r.table == "" && r.IsText(f) {
				r.draft.Design.Table = tableName(f.Value)
			}
		case "models", "params":
		default:
			r.draft.leave("schemas", name)
		}
	})
	if len(indexes) == 0 {
		r.Fail(root, "there is no index called primary")
		return
	}
	f, ok := root.Member("models")
	if !ok {
		r.Fail(root, "there are no models")
		return
	}
	r.Each(f, func(name string, model fields.Field) {
		if r.room(model) {
			r.model(name, model, indexes, params)
		}
	})
}

// readParams reads the parameters of a schema.
func (r oneTableReader) readParams(f fields.Field, p *oneTableParams) {
	r.Each(f, func(name string, f fields.Field) {
		switch name {
		case "isoDates":
			r.Flag(&p.isoDates)(f)
		case "timestamps":
			p.timestamps = f.Value
		case "createdField":
			r.ReadText(f, &p.created)
		case "updatedField":
			r.ReadText(f, &p.updated)
		case "typeField":
			r.ReadText(f, &p.typeField)
		default:
			r.draft.leave("params", name)
		}
	})
}

// indexes reads the indexes. It returns the primary one first.
func (r oneTableReader) indexes(f fields.Field) []oneTableIndex {
	var list []oneTableIndex
	r.Each(f, func(name string, f fields.Field) {
		index := oneTableIndex{name: name}
		r.Each(f, func(name string, f fields.Field) {
			switch name {
			case "hash":
				r.ReadText(f, &index.hash)
			case "sort":
				r.ReadText(f, &index.sort)
			case "type": // a local index has no hash
				if f.Value != "local" {
					r.draft.leave("indexes", name)
				}
			default:
				r.draft.leave("indexes", name)
			}
		})
		list = append(list, index)
	})
	primary := slices.IndexFunc(list,
		func(index oneTableIndex) bool { return index.name == "primary" })
	if primary < 0 || list[primary].hash == "" {
		r.Fail(f, "there is no index called primary with a hash")
		return nil
	}
	list[0], list[primary] = list[primary], list[0]
	for i := range list {
		if list[i].hash == "" {
			list[i].hash = list[0].hash
		}
	}
	return list
}

// model reads a model. Keys with a value template are not attributes of the design.
func (r oneTableReader) model(name string, f fields.Field, indexes []oneTableIndex,
	params oneTableParams) {
	m := design.Model{Name: name}
	templates, stored := map[string][]string{}, map[string]string{}
	r.Each(f, func(name string, f fields.Field) {
		a := design.Attribute{Name: name, Type: design.String}
		value, computed := r.attribute(f, &m, &a, params)
		stored[name] = a.Name
		isKey := slices.ContainsFunc(indexes,
			func(index oneTableIndex) bool { return a.Name == index.hash || a.Name == index.sort })
		switch {
		case computed && isKey:
			templates[a.Name] = namesIn(value)
		case r.fits(f, name, len(m.Attributes)):
			m.Attributes = append(m.Attributes, a)
		}
	})
	for _, names := range templates { // a template has the names of the model
		for i, name := range names {
			names[i] = cmp.Or(stored[name], name)
		}
	}
	addOneTableTimestamps(&m, params)
	var keys []keyed
	for i, index := range indexes {
		k, ok := oneTableKey(&m, index, templates)
		switch {
		case ok:
			keys = append(keys, k)
		case i == 0:
			r.Fail(f, "the model has no attribute %s, which is the hash of the primary index",
				index.hash)
			return
		}
	}
	if len(keys[0].attributes()) == 0 {
		keys[0].partition = []string{params.typeField}
		m.Attributes = append(m.Attributes,
			design.Attribute{Name: params.typeField, Type: design.String, Constant: name})
	}
	path := r.draft.addModel(m, nil, keys...)
	added := &r.draft.Design.Models[len(r.draft.Design.Models)-1]
	added.Unique = slices.DeleteFunc(m.Unique, func(names []string) bool {
		a := added.Attribute(names[0]) // the key is unique anyway
		return a == nil || slices.Contains(added.Key, names[0]) || a.Of != "" || a.Constant != ""
	})
	r.draft.addPatterns(path, keys...)
}

// attribute reads an attribute. computed says that its value is a template.
func (r oneTableReader) attribute(f fields.Field, m *design.Model, a *design.Attribute,
	params oneTableParams) (value string, computed bool) {
	typed := false
	r.Each(f, func(name string, f fields.Field) {
		switch name {
		case "type":
			typed = true
			a.Type, a.Format = oneTableType(f.Value, params)
		case "value":
			value, computed = f.Value, f.Kind == fields.Scalar && f.Tag == "!!str"
		case "generate", "uuid":
			a.Format = generated(f.Value)
		case "map":
			r.mapped(f, a)
		case "enum":
			a.Values = int64(len(f.Content))
		case "ttl":
			if f.Value == "true" {
				m.TTL, a.Type, a.Format = a.Name, design.Number, design.Any
			}
		case "unique":
			if f.Value == "true" {
				m.Unique = append(m.Unique, []string{a.Name})
			}
		case "crypt", "default", "encode", "filter", "hidden", "items", "nulls", "partial",
			"reference", "required", "schema", "scope", "timestamp", "validate":
			r.draft.leave("attributes", name)
		default:
			r.draft.warn("%s: the reader does not know this property", f.Path())
		}
	})
	if !typed && !computed {
		r.draft.warn(
			"attributes without a type, such as %s, are strings in the design; JSON.stringify leaves \"type: String\" out: %s", f.Path(), toJSON)
	}
	if a.Type != design.String {
		a.Format = design.Any
	}
	return value, computed
}

// mapped gives an attribute the name under which OneTable stores it. One that is packed into a
// member of another attribute keeps its own.
func (r oneTableReader) mapped(f fields.Field, a *design.Attribute) {
	to := ""
	switch r.ReadText(f, &to); {
	case strings.Contains(to, "."):
		r.draft.warn("%s: OneTable packs the attribute into %s, which the design has not", f.Path(),
			to)
	case to != "":
		a.Name = to
	}
}

// oneTableType returns the type of an attribute, which is a name in JSON and may be a
// constructor's.
func oneTableType(name string, params oneTableParams) (design.Type, design.Format) {
	switch strings.ToLower(name) {
	case "number":
		return design.Number, design.Any
	case "boolean":
		return design.Boolean, design.Any
	case "array", "set", "typed-array":
		return design.List, design.Any
	case "object":
		return design.Map, design.Any
	case "binary", "buffer", "arraybuffer":
		return design.Binary, design.Any
	case "date":
		if params.isoDates {
			return design.String, design.Timestamp
		}
		return design.Number, design.Any
	}
	return design.String, design.Any
}

// generated returns the format of a generated value: ulid, uuid, or uid with its length.
func generated(by string) design.Format {
	switch by {
	case "ulid":
		return design.ULID
	case "uuid", "true":
		return design.UUID
	}
	return design.Any
}

// oneTableKey returns the key that a model has in an index. ok is false if it has none.
func oneTableKey(m *design.Model, index oneTableIndex, templates map[string][]string) (k keyed,
	ok bool) {
	names := func(attribute string) (names []string, ok bool) {
		if in, ok := templates[attribute]; ok {
			return in, true
		}
		ok = slices.ContainsFunc(m.Attributes,
			func(a design.Attribute) bool { return a.Name == attribute })
		return []string{attribute}, ok
	}
	if k.partition, ok = names(index.hash); !ok || index.sort == "" {
		return k, ok
	}
	k.sort, ok = names(index.sort)
	return k, ok
}

// addOneTableTimestamps adds the attributes in which OneTable keeps when an item was made and
// changed.
func addOneTableTimestamps(m *design.Model, params oneTableParams) {
	typ, format := oneTableType("date", params)
	for _, of := range []struct {
		name, when string
	}{{params.created, "create"}, {params.updated, "update"}} {
		known := slices.ContainsFunc(m.Attributes,
			func(a design.Attribute) bool { return a.Name == of.name })
		if !known && (params.timestamps == "true" || params.timestamps == of.when) {
			m.Attributes = append(m.Attributes,
				design.Attribute{
					Name: of.name, Type: typ, Format: format, Mutable: of.when == "update",
				})
		}
	}
}
