package source

import (
	"cmp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/kugiri-db/kugiri/conventions/design"
	"github.com/kugiri-db/kugiri/conventions/internal/fields"
	"github.com/kugiri-db/kugiri/conventions/workbench"
)

// workbenchReader is the reader of models of NoSQL Workbench ("Data modeler", Developer Guide). A
// facet of a table is a model. The design comes from the items of sample data, as that of a table;
// without items it comes from the facets' aliases of keys and their attributes.
type workbenchReader struct{ *reader }

// workTable is a table of a model of NoSQL Workbench.
type workTable struct {
	Table
	types  map[string]design.Type // types of attributes
	others []string               // members that no design has
	facets []facet
}

// facet is a view of a table: the items of a model.
type facet struct {
	name       string
	key        design.Key // aliases of the table's
	attributes []string
	items      []Item
}

// read reads the table with the name that was asked for, or the first one.
func (r workbenchReader) read(root fields.Field) {
	list, _ := root.Member("DataModel")
	var names []string
	for _, f := range list.Elements() {
		name, _ := f.Member("TableName")
		names = append(names, textOf(name))
	}
	name := r.table
	switch {
	case len(names) == 0:
		r.Fail(root, "there are no tables")
		return
	case name == "":
		name = names[0]
		if len(names) > 1 {
			r.draft.warn("of the tables %s the first is read; --table NAME reads another one",
				and(names))
		}
	case !slices.Contains(names, name):
		r.Fail(list, "there is no table %q, but %s", name, and(names))
		return
	}
	f := list.Elements()[slices.Index(names, name)]
	t := r.readTable(f)
	t.Name = name
	if r.Err() == nil {
		r.makeDraft(f, t)
	}
}

// readTable reads a table with its facets and items.
func (r workbenchReader) readTable(f fields.Field) *workTable {
	t := &workTable{types: map[string]design.Type{}}
	m, _ := workbench.ReadTable(modelValue{f, r.Decoder}, r.other) // the Decoder has its errors
	t.others = leftOf(f)
	t.Key = t.key(m.KeyAttributes)
	for _, a := range m.NonKeyAttributes {
		t.attribute(a)
	}
	for _, index := range m.GlobalSecondaryIndexes {
		t.Indexes = append(t.Indexes, TableIndex{Name: index.IndexName,
			Key: t.key(index.KeyAttributes)})
	}
	t.facets = r.facets(m.TableFacets)
	t.Items = r.items(m.TableData.Field, "")
	r.hasKeys(f, t)
	return t
}

// taken are the members of a table that a design takes something from.
var taken = []string{"TableName", "KeyAttributes", "NonKeyAttributes", "GlobalSecondaryIndexes",
	"TableFacets", "TableData", "AccessPatterns"}

// leftOf returns the members of a table that no design has.
func leftOf(f fields.Field) (names []string) {
	for i := 0; f.Kind == yaml.MappingNode && i < len(f.Content); i += 2 {
		if name := f.Content[i].Value; !slices.Contains(taken, name) {
			names = append(names, name)
		}
	}
	return names
}

// other reads the access patterns, which the format has since release 3.20 of NoSQL Workbench.
func (r workbenchReader) other(name string, v modelValue) error {
	if name == "AccessPatterns" {
		for _, f := range v.Field.Elements() {
			r.accessPattern(f)
		}
	}
	return nil
}

// accessPattern keeps what an access pattern says in words. The facets and the keys say how its
// data is read.
func (r workbenchReader) accessPattern(f fields.Field) {
	var words []string
	r.Each(f, func(name string, f fields.Field) {
		if strings.HasSuffix(name, "Name") || strings.HasSuffix(name, "Description") {
			words = append(words, strings.TrimSpace(textOf(f)))
		}
	})
	if text := strings.Join(slices.Compact(words), ": "); text != "" {
		r.draft.warn("the model has the access pattern %q: compare it with the patterns", text)
	}
}

// key returns a key, and adds the types of its attributes to those of a table.
func (t *workTable) key(k workbench.Key) (key design.Key) {
	key.Partition = t.attribute(k.PartitionKey)
	if k.SortKey != nil {
		key.Sort = t.attribute(*k.SortKey)
	}
	return key
}

// attribute returns the name of an attribute, and adds its type to those of a table.
func (t *workTable) attribute(a workbench.Attribute) string {
	t.types[a.AttributeName] = TypeOf(a.AttributeType)
	return a.AttributeName
}

// facets reads facets with their items.
func (r workbenchReader) facets(v modelValue) (list []facet) {
	facets, _ := workbench.ReadFacets(v)
	for _, f := range facets {
		list = append(list, facet{
			name: f.FacetName,
			key: design.Key{Partition: f.KeyAttributeAlias.PartitionKeyAlias,
				Sort: f.KeyAttributeAlias.SortKeyAlias},
			attributes: f.NonKeyAttributes,
			items:      r.items(f.TableData.Field, f.FacetName),
		})
	}
	return list
}

// hasKeys checks that a table and its indexes have keys.
func (r workbenchReader) hasKeys(f fields.Field, t *workTable) {
	if t.Key.Partition == "" {
		r.Fail(f, "the table has no partition key in KeyAttributes")
	}
	list, _ := f.Member("GlobalSecondaryIndexes")
	for i, f := range list.Elements() {
		if i < len(t.Indexes) && t.Indexes[i].Key.Partition == "" {
			r.Fail(f, "the index has no partition key in KeyAttributes")
		}
	}
}

// items reads items in DynamoDB's JSON.
func (r workbenchReader) items(f fields.Field, model string) []Item {
	var items []Item
	for _, f := range f.Elements() {
		it := Item{Model: model, Attributes: map[string]Value{}}
		r.Each(f, func(name string, f fields.Field) {
			if r.fits(f, name, len(it.Attributes)) {
				it.Attributes[name] = r.value(f)
			}
		})
		items = append(items, it)
	}
	return items
}

// value reads a value in DynamoDB's JSON: {"S": "a"}.
func (r workbenchReader) value(f fields.Field) (v Value) {
	r.Each(f, func(typ string, f fields.Field) {
		v.Type, v.Text, v.Bytes = typ, f.Value, sizeOf(f)
	})
	if v.Type == "" {
		r.Fail(f, `this is no value such as {"S": "text"}`)
	}
	return v
}

// sizeOf returns the size of a value: that of its texts, with those of its elements and their
// names.
func sizeOf(f fields.Field) int {
	bytes := len(f.Value)
	for _, e := range f.Elements() {
		bytes += 3 + sizeOf(e)
	}
	return bytes
}

// makeDraft makes the draft of a table.
func (r workbenchReader) makeDraft(f fields.Field, t *workTable) {
	r.sayWhatIsLeft(t)
	for i := range t.Items {
		t.Items[i].Model = t.facetOf(t.Items[i])
	}
	if slices.ContainsFunc(t.facets, func(v facet) bool { return len(v.items) > 0 }) {
		t.Items = nil
	}
	for _, v := range t.facets {
		t.Items = append(t.Items, v.items...)
	}
	if slices.ContainsFunc(t.Items, func(it Item) bool { return it.Model == "" }) {
		for i := range t.Items {
			t.Items[i].Model = ""
		}
	}
	if len(t.Items) == 0 {
		r.addFacets(f, t)
		return
	}
	t.names = map[string]design.Key{}
	for _, v := range t.facets {
		t.names[v.name] = v.key
	}
	draft, err := draftOf(t.Table)
	if err != nil {
		r.Place(err)
		return
	}
	draft.Warnings = append(r.draft.Warnings, draft.Warnings...)
	for i := range draft.Design.Models {
		draft.Design.Models[i].Items = 0 // the sample data are a few
	}
	r.draft = draft
}

// sayWhatIsLeft says what of a table no design has.
func (r workbenchReader) sayWhatIsLeft(t *workTable) {
	left := "the partition key " + t.Key.Partition + " is"
	if t.Key.Sort != "" {
		left = "the partition key " + t.Key.Partition + " and the sort key " + t.Key.Sort + " are"
	}
	r.draft.warn("the plan decides the keys of the table and what they hold: %s not taken", left)
	var indexes []string
	for _, index := range t.Indexes {
		indexes = append(indexes, index.Name)
	}
	if len(indexes) > 0 {
		r.draft.warn("the plan decides the indexes: the names %s are not taken", and(indexes))
	}
	items := len(t.Items)
	for _, v := range t.facets {
		items += len(v.items)
	}
	if items > 0 {
		r.draft.warn("the sample data have %d items: their attributes, types and sizes are taken, "+
			"the items are not", items)
	}
	if len(t.others) > 0 {
		r.draft.warn("the table has %s, which no design has", and(t.others))
	}
}

// facetOf returns the name of the facet that an item belongs to, or "". It has all attributes of
// the item, and of such facets the fewest others.
func (t *workTable) facetOf(it Item) string {
	best, fewest := "", 0
	for _, v := range t.facets {
		missing := len(v.attributes)
		fits := true
		for name := range it.Attributes {
			switch {
			case slices.Contains(v.attributes, name):
				missing--
			case name != t.Key.Partition && name != t.Key.Sort:
				fits = false
			}
		}
		if fits && (best == "" || missing < fewest) {
			best, fewest = v.name, missing
		}
	}
	return best
}

// addFacets makes models of a table without items: one of each facet or, without facets, one of the
// table.
func (r workbenchReader) addFacets(f fields.Field, t *workTable) {
	if r.draft.Design.Table == "" {
		r.draft.Design.Table = tableName(t.Name)
	}
	facets := t.facets
	if len(facets) == 0 {
		all := facet{name: t.Name, key: t.Key}
		for name := range t.types {
			all.attributes = append(all.attributes, name)
		}
		slices.Sort(all.attributes)
		facets = []facet{all}
	}
	r.draft.warn("the model has no sample data, which show what keys hold")
	for _, v := range facets {
		if !r.room(f) {
			return
		}
		m := design.Model{Name: v.name}
		for _, name := range v.attributes {
			m.Attributes = append(m.Attributes,
				design.Attribute{Name: name, Type: cmp.Or(t.types[name], design.String)})
		}
		keys := []keyed{keyedBy(v.key)}
		for _, index := range t.Indexes {
			if k := keyedBy(index.Key); !slices.ContainsFunc(k.attributes(),
				func(name string) bool { return m.Attribute(name) == nil }) {
				keys = append(keys, k)
			}
		}
		path := r.draft.addModel(m, nil, keys...)
		r.draft.addPatterns(path, keys...)
	}
}

// modelValue is a value of a model. Its Decoder collects the errors.
type modelValue struct {
	fields.Field
	decoder *fields.Decoder
}

// IsNull reports whether the value is null.
func (v modelValue) IsNull() bool { return v.Tag == "!!null" }

// Members calls read for each member of an object.
func (v modelValue) Members(read func(name string, v modelValue) error) (err error) {
	v.decoder.Each(v.Field, func(name string, f fields.Field) {
		if err == nil {
			err = read(name, modelValue{f, v.decoder})
		}
	})
	return err
}

// Elements calls read for each element of a list.
func (v modelValue) Elements(read func(modelValue) error) (err error) {
	if v.Node == nil {
		return nil
	}
	var all []struct{}
	fields.List(v.decoder, &all, func(f fields.Field, _ *struct{}) {
		if err == nil {
			err = read(modelValue{f, v.decoder})
		}
	})(v.Field)
	return err
}

// Text reads a string.
func (v modelValue) Text(into *string) error {
	v.decoder.ReadText(v.Field, into)
	return nil
}
