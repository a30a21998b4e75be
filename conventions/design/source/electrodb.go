package source

import (
	"slices"

	"go.yaml.in/yaml/v3"

	"github.com/kugiri-db/kugiri/conventions/design"
	"github.com/kugiri-db/kugiri/conventions/internal/fields"
)

// electroReader is the reader of ElectroDB's schemas (https://electrodb.dev/en/modeling/schema/):
// one, a list, an object with one in each member, or a service, which has them in entities. An
// index of a schema is an access pattern. A warning names what is left out: how ElectroDB itself
// works, and how it stores keys.
type electroReader struct{ *reader }

// schemasOf returns the schemas in a source, each once.
func schemasOf(root fields.Field) []fields.Field {
	var list []fields.Field
	seen := map[string]bool{}
	add := func(f fields.Field) {
		if schema, ok := f.Member("schema"); ok {
			f = schema
		}
		if !has(f, "model", "attributes", "indexes") {
			return
		}
		model, _ := f.Member("model")
		name, _ := model.Member("entity")
		service, _ := model.Member("service")
		if key := textOf(service) + "#" + textOf(name); !seen[key] {
			seen[key] = true
			list = append(list, f)
		}
	}
	add(root)
	for _, f := range root.Elements() {
		add(f)
		for _, f := range f.Elements() { // elements of a service, or of its entities
			add(f)
		}
	}
	return list
}

// collection is a query for the items of several entities in an index.
type collection struct {
	name          string
	equal, models []string
}

// read reads all schemas, and adds the collections that several of them have.
func (r electroReader) read(root fields.Field) {
	schemas := schemasOf(root)
	if len(schemas) == 0 {
		r.Fail(root, "there is no schema with model, attributes and indexes")
	}
	var collections []*collection
	for _, f := range schemas[:min(len(schemas), design.MaxModels+1)] {
		if !r.room(f) {
			break
		}
		collections = r.entity(f, collections)
	}
	for _, c := range collections {
		if len(c.models) > 1 {
			r.addCollection(c)
		}
	}
}

// addCollection adds the pattern that reads a collection.
func (r electroReader) addCollection(c *collection) {
	p := design.Pattern{Name: c.name, Models: c.models, Equal: c.equal}
	if len(c.models) > design.MaxTogether || !r.draft.common(&p, c.equal...) {
		r.draft.warn(
			"the collection %s reads %s, which have not all the attributes %s in common; it is left out", c.name, and(c.models), and(c.equal))
		return
	}
	if path := r.draft.addPattern(p); path != "" {
		r.draft.comment(path, "a collection of ElectroDB")
	}
}

// entity reads a schema. It returns the collections with those of the schema added.
func (r electroReader) entity(f fields.Field, collections []*collection) []*collection {
	var m design.Model
	fixed := map[string]bool{}
	r.members(f, map[string]fields.Member{
		"model":      func(f fields.Field) { r.model(f, &m) },
		"attributes": func(f fields.Field) { r.attributes(f, &m, fixed) },
		"indexes":    func(fields.Field) {},
		"table":      func(fields.Field) { r.draft.leave("schemas", "table") },
		"filters":    func(fields.Field) { r.draft.leave("schemas", "filters") },
	})
	indexes, _ := f.Member("indexes")
	keys, of := r.keys(indexes)
	if r.Err() != nil {
		return collections
	}
	if len(keys[0].attributes()) == 0 {
		keys[0].partition = []string{"__edb_e__"}
		m.Attributes = append(m.Attributes,
			design.Attribute{Name: "__edb_e__", Type: design.String, Constant: m.Name})
	}
	path := r.draft.addModel(m, fixed, keys...)
	r.draft.addPatterns(path, keys...)
	for i, names := range of {
		for _, name := range names {
			collections = join(collections, name, r.draft.modelAt(path).Name,
				unique(keys[i].partition))
		}
	}
	return collections
}

// keys reads the indexes of a schema: the keys, the table's first, and the collections of each.
func (r electroReader) keys(f fields.Field) (keys []keyed, of [][]string) {
	r.Each(f, func(name string, f fields.Field) {
		k, index, in := r.index(name, f)
		if index == "" { // the table's
			keys, of = slices.Insert(keys, 0, k), slices.Insert(of, 0, in)
		} else {
			keys, of = append(keys, k), append(of, in)
		}
	})
	if len(keys) == 0 {
		r.Fail(f, "an entity has at least one index")
	}
	return keys, of
}

// join adds a model to a collection.
func join(all []*collection, name, model string, equal []string) []*collection {
	for _, c := range all {
		if c.name == name && slices.Equal(c.equal, equal) {
			c.models = append(c.models, model)
			return all
		}
	}
	return append(all, &collection{name, equal, []string{model}})
}

// model reads the name of an entity, and that of its service as the name of the table.
func (r electroReader) model(f fields.Field, m *design.Model) {
	r.Each(f, func(name string, f fields.Field) {
		switch name {
		case "entity":
			r.ReadText(f, &m.Name)
		case "service":
			if r.table == "" && r.IsText(f) {
				r.draft.Design.Table = tableName(f.Value)
			}
		default:
			r.draft.leave("entities", name)
		}
	})
}

// attributes reads the attributes of an entity. It puts those that never change into fixed.
func (r electroReader) attributes(f fields.Field, m *design.Model, fixed map[string]bool) {
	r.Each(f, func(name string, f fields.Field) {
		a := design.Attribute{Name: name, Type: design.String}
		if f.Kind == fields.Scalar { // attributes: {name: "string"}
			a.Type = entityType(f.Value)
		} else {
			r.attribute(f, &a, fixed)
		}
		if r.fits(f, name, len(m.Attributes)) {
			m.Attributes = append(m.Attributes, a)
		}
	})
}

// attribute reads the properties of an attribute.
func (r electroReader) attribute(f fields.Field, a *design.Attribute, fixed map[string]bool) {
	r.Each(f, func(name string, f fields.Field) {
		switch name {
		case "type":
			if f.Kind == yaml.SequenceNode {
				a.Values = int64(len(f.Content))
				return
			}
			a.Type = entityType(f.Value)
		case "readOnly":
			fixed[a.Name] = f.Value == "true"
		case "items", "properties", "required", "default", "get", "set", "hidden", "label", "field",
			"padding", "validate", "watch", "cast", "description":
			r.draft.leave("attributes", name)
		default:
			r.draft.warn("%s: the reader does not know this property", f.Path())
		}
	})
}

// entityType returns the type of an attribute.
func entityType(name string) design.Type {
	switch name {
	case "number":
		return design.Number
	case "boolean":
		return design.Boolean
	case "map", "any", "custom":
		return design.Map
	case "list", "set":
		return design.List
	}
	return design.String
}

// index reads an index: its key, its name in DynamoDB, and its collections.
func (r electroReader) index(name string, f fields.Field) (k keyed, index string, in []string) {
	k.name = name
	pk := false
	r.Each(f, func(name string, f fields.Field) {
		switch name {
		case "index":
			r.ReadText(f, &index)
		case "pk":
			pk = true
			k.partition = r.composite(f)
		case "sk":
			k.sort = r.composite(f)
		case "collection":
			if f.Kind == fields.Scalar {
				in = []string{f.Value}
				return
			}
			r.Texts(&in)(f)
		case "condition":
			r.draft.warn("%s: only some items are in this index: say where of its pattern, or "+
				"optional of an attribute in its key", f.Path())
		default:
			r.draft.leave("indexes", name)
		}
	})
	if !pk {
		r.Fail(f, "an index has a pk")
	}
	return k, index, in
}

// composite returns the attributes in the pk or sk of an index.
func (r electroReader) composite(f fields.Field) (names []string) {
	r.Each(f, func(name string, f fields.Field) {
		switch {
		case name == "composite" || name == "facets" && f.Kind == yaml.SequenceNode:
			r.Texts(&names)(f)
		case (name == "template" || name == "facets") && len(names) == 0 && r.IsText(f):
			names = namesIn(f.Value)
		default:
			r.draft.leave("keys", name)
		}
	})
	return names
}
