package source

import (
	"cmp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/kugiri-db/kugiri/conventions/design"
	"github.com/kugiri-db/kugiri/conventions/internal/fields"
)

// dataModelReader is the reader of AWS's data models in JSON, from which its agent skill for
// DynamoDB computes costs. They have entities with attributes and sizes, the keys of tables and
// indexes, and access patterns with rates. Such a model does not say which entity a pattern reads:
// those that have the attributes of its key.
type dataModelReader struct{ *reader }

// dataTable is a table of a data model.
type dataTable struct {
	name    string
	keys    []dataKey // the table's first
	vectors []dataVector
	types   map[string]design.Type // the types of attribute_definitions, by attribute
	models  []int                  // the numbers of its models in the design
}

// dataKey is the key of a table, whose index is "", or of an index.
type dataKey struct{ index, partition, sort string }

// dataVector is a vector index.
type dataVector struct {
	index, attribute, partition string
	dimensions                  int
}

// read reads the table with the name that was asked for, or all tables as one.
func (r dataModelReader) read(root fields.Field) {
	var tables []*dataTable
	f, ok := root.Member("tables")
	if !ok {
		r.Fail(root, "there are no tables")
		return
	}
	for _, f := range f.Elements() {
		t := r.readTable(f)
		if r.table == "" || r.table == t.name {
			tables = append(tables, t)
			r.addEntities(f, t)
		}
	}
	switch {
	case len(tables) == 0:
		r.Fail(f, "there is no table %q", r.table)
		return
	case r.table == "":
		r.draft.Design.Table = tableName(tables[0].name)
	}
	if len(tables) > 1 {
		r.draft.warn("the %d tables become one in the design; --table NAME takes one of them",
			len(tables))
	}
	patterns, _ := root.Member("access_patterns")
	for _, f := range patterns.Elements() {
		r.pattern(f, tables)
	}
}

// readTable reads a table without its entities.
func (r dataModelReader) readTable(f fields.Field) *dataTable {
	t := &dataTable{keys: []dataKey{{}}, types: map[string]design.Type{}}
	r.members(f, map[string]fields.Member{
		"table_name": r.Text(&t.name),
		"key_schema": func(f fields.Field) { t.keys[0] = r.key(f) },
		"attribute_definitions": each(func(f fields.Field) {
			a := r.attribute(f)
			t.types[a.Name] = a.Type
		}),
		"gsis":           each(func(f fields.Field) { t.keys = append(t.keys, r.key(f)) }),
		"vector_indexes": each(func(f fields.Field) { t.vectors = append(t.vectors, r.vector(f)) }),
	}, "entities", "table_class", "global_tables")
	return t
}

// key reads the key of a table or of an index.
func (r dataModelReader) key(f fields.Field) (k dataKey) {
	r.members(f, map[string]fields.Member{
		"index_name":    r.Text(&k.index),
		"partition_key": r.Text(&k.partition),
		"sort_key":      r.optional(&k.sort),
	}, "projection")
	if k.partition == "" {
		r.Fail(f, "there is no partition_key")
	}
	return k
}

// vector reads a vector index.
func (r dataModelReader) vector(f fields.Field) (v dataVector) {
	r.members(f, map[string]fields.Member{
		"index_name":       r.Text(&v.index),
		"vector_attribute": r.Text(&v.attribute),
		"dimensions":       r.Number(&v.dimensions),
		"search_schema": func(f fields.Field) {
			r.members(f, map[string]fields.Member{"partition_key": r.optional(&v.partition)},
				"inline_filters")
		},
	}, "distance_function", "projection", "estimated_indexed_items")
	return v
}

// attribute reads an attribute with its type: {"name", "type"}, or as in a CreateTable request.
func (r dataModelReader) attribute(f fields.Field) (a design.Attribute) {
	typ := ""
	name, of := r.Text(&a.Name), r.Text(&typ)
	r.members(f,
		map[string]fields.Member{
			"name": name, "attribute_name": name, "type": of, "attribute_type": of,
		})
	a.Type = TypeOf(typ)
	return a
}

// addEntities adds the entities of a table as models. A table without entities is a model itself.
func (r dataModelReader) addEntities(f fields.Field, t *dataTable) {
	list, _ := f.Member("entities")
	entities := list.Elements()
	if len(entities) == 0 {
		r.addEntity(t, design.Model{Name: t.name}, 0, f)
		return
	}
	for _, f := range entities {
		m, bytes := r.entity(f, t)
		r.addEntity(t, m, bytes, f)
	}
}

// entity reads an entity with the size of its items.
func (r dataModelReader) entity(f fields.Field, t *dataTable) (m design.Model, bytes int) {
	r.members(f, map[string]fields.Member{
		"entity_name":               r.Text(&m.Name),
		"estimated_item_size_bytes": r.Number(&bytes),
		"estimated_item_count":      r.Count(&m.Items),
		"attributes": each(func(f fields.Field) {
			a := r.attribute(f)
			if typ, ok := t.types[a.Name]; ok {
				a.Type = typ
			}
			if r.fits(f, a.Name, len(m.Attributes)) {
				m.Attributes = append(m.Attributes, a)
			}
		}),
	})
	return m, bytes
}

// addEntity adds an entity of a table as a model.
func (r dataModelReader) addEntity(t *dataTable, m design.Model, bytes int, f fields.Field) {
	if r.Err() != nil || !r.room(f) {
		return
	}
	if t.keys[0].partition == "" {
		r.Fail(f, "the table has no key_schema")
		return
	}
	for _, name := range []string{t.keys[0].partition, t.keys[0].sort} {
		if name != "" && m.Attribute(name) == nil {
			m.Attributes = append(m.Attributes,
				design.Attribute{Name: name, Type: cmp.Or(t.types[name], design.String)})
		}
	}
	for _, v := range t.vectors {
		addVector(&m, v)
	}
	addRest(&m, bytes)
	var keys []keyed
	for _, k := range t.keys {
		if k.in(&m) {
			keys = append(keys, k.keyed())
		}
	}
	path := r.draft.addModel(m, nil, keys...)
	if bytes > 0 {
		r.draft.comment(path, "%d bytes an item, as the data model says", bytes)
	}
	t.models = append(t.models, len(r.draft.Design.Models)-1)
}

// in reports whether items of a model are in the table or index with a key.
func (k dataKey) in(m *design.Model) bool {
	return m.Attribute(k.partition) != nil && (k.sort == "" || m.Attribute(k.sort) != nil)
}

// keyed returns the key of a model in the table or index.
func (k dataKey) keyed() keyed { return keyedBy(design.Key{Partition: k.partition, Sort: k.sort}) }

// addVector makes an attribute of a vector index a vector, if the model has it.
func addVector(m *design.Model, v dataVector) {
	if a := m.Attribute(v.attribute); a != nil {
		a.Type, a.Dimensions = design.Vector, v.dimensions
	}
}

// restName is the attribute for the bytes that no attribute of a data model explains.
const restName = "other_attributes"

// addRest adds an attribute for the bytes of an item that its attributes do not explain. AWS's cost
// calculator counts 100 bytes for a string, 8 for a number and 200 for a list or map.
func addRest(m *design.Model, bytes int) {
	for _, a := range m.Attributes {
		switch a.Type {
		case design.String:
			bytes -= 100
		case design.Vector: // the size is stated without it
		case design.List, design.Map:
			bytes -= 200
		default:
			bytes -= 8
		}
	}
	if bytes > 0 && m.Attribute(restName) == nil {
		m.Attributes = append(m.Attributes,
			design.Attribute{Name: restName, Type: design.Map, Bytes: bytes})
	}
}

// dataPattern is an access pattern of a data model.
type dataPattern struct {
	id, description, operation, table, index string
	consistency                              string
	peak, average                            float64 // rates
	items                                    float64
	attributes                               []string
	entities                                 map[string]float64 // written, with how many items
}

// about names a pattern.
func (p *dataPattern) about() string { return strings.TrimSpace(p.id + " " + p.description) }

// pattern reads an access pattern, and adds it to the design.
func (r dataModelReader) pattern(f fields.Field, tables []*dataTable) {
	var p dataPattern
	r.members(f, map[string]fields.Member{
		"pattern_id": r.Text(&p.id), "description": r.Text(&p.description),
		"operation": r.Text(&p.operation),
		"table":     r.Text(&p.table), "index": r.optional(&p.index),
		"consistency": r.Text(&p.consistency),
		"peak_rps":    r.Float(&p.peak), "avg_rps": r.Float(&p.average),
		"items_per_request": r.Float(&p.items), "top_k": r.Float(&p.items),
		"projection":       r.Texts(&p.attributes),
		"entities_written": func(f fields.Field) { p.entities = r.written(f) },
	}, "estimated_item_size_bytes", "filter", "item_sizes", "previous_item_size_bytes",
		"attributes_written",
		"conditional_fail_rate", "non_existent_rate", "write_action", "retention_days",
		"source_requirement")
	if r.Err() != nil {
		return
	}
	i := slices.IndexFunc(tables, func(t *dataTable) bool { return t.name == p.table })
	switch {
	case i >= 0:
		r.draft.addAccess(&p, tables[i])
	case r.table == "":
		r.Fail(f, "there is no table %q", p.table)
	}
}

// written reads the entities that a pattern writes: names, or names with counts.
func (r dataModelReader) written(f fields.Field) map[string]float64 {
	all := map[string]float64{}
	for _, f := range f.Elements() {
		name, count := "", 1.0
		if f.Kind == yaml.MappingNode {
			r.Each(f, func(member string, f fields.Field) {
				switch member {
				case "entity":
					r.ReadText(f, &name)
				case "count":
					r.Float(&count)(f)
				}
			})
		} else {
			r.ReadText(f, &name)
		}
		all[name] += count
	}
	return all
}

// addAccess adds an access pattern to the design.
func (d *draft) addAccess(p *dataPattern, t *dataTable) {
	q := design.Pattern{
		Name: p.about(), Rate: cmp.Or(p.peak, p.average), Returned: max(p.items, 0),
		Consistent: p.consistency == "strong" && p.index == "",
	}
	i := 0
	if p.index != "" {
		i = slices.IndexFunc(t.keys, func(k dataKey) bool { return k.index == p.index })
	}
	if i < 0 {
		d.addSearch(p, t, q)
		return
	}
	key := t.keys[i]
	models := d.modelsOf(p, t, key)
	if len(models) == 0 {
		d.warn("%s: no entity has the attributes of the key of %s; the pattern is left out",
			p.about(), cmp.Or(p.index, t.name))
		return
	}
	switch p.operation {
	case "GetItem", "BatchGetItem", "TransactGetItems":
		q.One, q.Returned, q.Equal = true, 0, key.keyed().attributes()
		d.addRead(p, q, models[:1], len(models))
	case "Query":
		q.Equal, q.Order = []string{key.partition}, key.keyed().order()
		d.addRead(p, q, models, len(models))
	case "Scan":
		d.warn("%s: a Scan; in the design it reads one partition", p.about())
		d.addRead(p, q, models, len(models))
	default:
		d.addWrite(p, models)
	}
}

// addRead adds a pattern that reads models, together if they have its attributes in common.
// candidates is how many models it could be that the pattern reads.
func (d *draft) addRead(p *dataPattern, q design.Pattern, models []string, candidates int) {
	if q.Model = models[0]; len(models) > 1 {
		several := q
		several.Model, several.Models = "", models[:min(len(models), design.MaxTogether)]
		if d.common(&several, q.Equal...) && (q.Order == "" || d.common(&several, q.Order)) {
			q = several
		}
	}
	if q.Model != "" {
		m := d.Design.Model(q.Model)
		q.Attributes = slices.DeleteFunc(unique(p.attributes),
			func(name string) bool { return m.Attribute(name) == nil })
	}
	path := d.addPattern(q)
	if path != "" && candidates > 1 {
		d.comment(path, "the data model does not say which of its %d entities this reads",
			candidates)
	}
	if path != "" && p.average != 0 && p.average != p.peak {
		d.comment(path, "rate is that of the peak; the average is %g", p.average)
	}
}

// modelsOf returns the models that a pattern reads or writes: those with the attributes of its key.
// If its description names some of them, these are the ones.
func (d *draft) modelsOf(p *dataPattern, t *dataTable, key dataKey) []string {
	var all, named []string
	for _, i := range t.models {
		m := &d.Design.Models[i]
		if !key.in(m) {
			continue
		}
		all = append(all, m.Name)
		if mentions(p.description, m.Name) {
			named = append(named, m.Name)
		}
	}
	if len(named) > 0 {
		return named
	}
	return all
}

// mentions reports whether a description names a model: Order, order, or orders.
func mentions(description, model string) bool {
	text := " " + strings.ToLower(description) + " "
	for _, name := range []string{words(model), strings.ToLower(model)} {
		if strings.Contains(text, " "+name+" ") || strings.Contains(text, " "+plural(name)+" ") {
			return true
		}
	}
	return false
}

// addSearch adds a search of vectors.
func (d *draft) addSearch(p *dataPattern, t *dataTable, q design.Pattern) {
	i := slices.IndexFunc(t.vectors, func(v dataVector) bool { return v.index == p.index })
	if i < 0 {
		d.warn("%s: the table %s has no index %s; the pattern is left out", q.Name, t.name, p.index)
		return
	}
	v := t.vectors[i]
	q.Similar = v.attribute
	if v.partition != "" {
		q.Equal = []string{v.partition}
	}
	for _, i := range t.models {
		m := &d.Design.Models[i]
		if m.Attribute(v.attribute) != nil &&
			(v.partition == "" || m.Attribute(v.partition) != nil) {
			d.addRead(p, q, []string{m.Name}, 1)
			return
		}
	}
	d.warn("%s: no entity has the attribute %s; the pattern is left out", q.Name, v.attribute)
}

// addWrite adds the rate of a pattern that writes to its models.
func (d *draft) addWrite(p *dataPattern, models []string) {
	rate, counts := cmp.Or(p.peak, p.average), map[string]float64{}
	for name, count := range p.entities {
		counts[camel(name)] += count
	}
	if len(counts) == 0 {
		if len(models) > 1 {
			d.warn("%s: the data model does not say which entities it writes; its rate is that of %s", p.about(), models[0])
		}
		counts[models[0]] = max(p.items, 1)
	}
	for name, count := range counts {
		m := d.Design.Model(name)
		switch {
		case m == nil:
			d.warn("%s writes %s, and there is no such entity", p.about(), name)
		case p.operation == "UpdateItem":
			m.Updates += rate * count
		case p.operation == "DeleteItem":
			d.warn("%s: a design has no rate of deletions", p.about())
		default:
			m.Puts += rate * count
		}
	}
}
