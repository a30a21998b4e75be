package workbench

// Value is a value of a document that has been parsed, where V is the Value's own type. Its other
// methods return an error if the value is of another kind, unless the document collects errors, and
// the first error of what they call. The zero V has no elements.
type Value[V any] interface {
	IsNull() bool
	Members(read func(name string, v V) error) error
	Elements(read func(V) error) error
	Text(into *string) error
}

// reader reads a model. It gives other the members that the format does not have.
type reader[V Value[V]] struct {
	other func(name string, v V) error
}

// members has what reads the members of an object, by name.
type members[V any] map[string]func(V) error

// ReadModel reads a model, but none of its tables. It gives other each member that the format does
// not have: a release of NoSQL Workbench may add some.
func ReadModel[V Value[V]](v V, other func(name string, v V) error) (m Model[V], err error) {
	err = reader[V]{other}.object(v, members[V]{
		"ModelName":     text[V](&m.ModelName),
		"ModelMetadata": keep(&m.ModelMetadata),
		"DataModel":     keep(&m.DataModel),
	})
	return m, err
}

// ReadTable reads a table, but neither its facets nor its items. It gives other each member, at any
// level, that the format does not have.
func ReadTable[V Value[V]](v V, other func(name string, v V) error) (t Table[V], err error) {
	r := reader[V]{other}
	err = r.object(v, members[V]{
		"TableName":                   text[V](&t.TableName),
		"KeyAttributes":               to(&t.KeyAttributes, r.key),
		"NonKeyAttributes":            list(&t.NonKeyAttributes, r.attribute),
		"TableFacets":                 keep(&t.TableFacets),
		"GlobalSecondaryIndexes":      list(&t.GlobalSecondaryIndexes, r.index),
		"TableData":                   keep(&t.TableData),
		"SampleDataFormats":           keep(&t.SampleDataFormats),
		"DataAccess":                  keep(&t.DataAccess),
		"BillingMode":                 text[V](&t.BillingMode),
		"ProvisionedCapacitySettings": optional(&t.ProvisionedCapacitySettings, r.capacity),
	})
	return t, err
}

// ReadFacets reads the facets of a table, but not their items. It leaves out the members of facets
// that no Facet has.
func ReadFacets[V Value[V]](v V) (facets []Facet[V], err error) {
	r := reader[V]{func(string, V) error { return nil }}
	err = list(&facets, r.facet)(v)
	return facets, err
}

// object reads the members of an object. A known member that is null is as good as none.
func (r reader[V]) object(v V, known members[V]) error {
	return v.Members(func(name string, v V) error {
		read := known[name]
		switch {
		case read == nil:
			return r.other(name, v)
		case v.IsNull():
			return nil
		}
		return read(v)
	})
}

func (r reader[V]) key(v V, k *Key) error {
	return r.object(v, members[V]{
		"PartitionKey": to(&k.PartitionKey, r.attribute),
		"SortKey":      optional(&k.SortKey, r.attribute),
	})
}

func (r reader[V]) attribute(v V, a *Attribute) error {
	return r.object(v, members[V]{
		"AttributeName": text[V](&a.AttributeName),
		"AttributeType": text[V](&a.AttributeType),
	})
}

func (r reader[V]) index(v V, i *Index) error {
	return r.object(v, members[V]{
		"IndexName":     text[V](&i.IndexName),
		"KeyAttributes": to(&i.KeyAttributes, r.key),
		"Projection":    to(&i.Projection, r.projection),
	})
}

func (r reader[V]) projection(v V, p *Projection) error {
	return r.object(v, members[V]{
		"ProjectionType":   text[V](&p.ProjectionType),
		"NonKeyAttributes": list(&p.NonKeyAttributes, V.Text),
	})
}

func (r reader[V]) capacity(v V, c *Capacity[V]) error {
	return r.object(v, members[V]{
		"ProvisionedThroughput": to(&c.ProvisionedThroughput, r.throughput),
		"AutoScalingRead":       keep(&c.AutoScalingRead),
		"AutoScalingWrite":      keep(&c.AutoScalingWrite),
	})
}

func (r reader[V]) throughput(v V, t *Throughput[V]) error {
	return r.object(v, members[V]{
		"ReadCapacityUnits":  keep(&t.ReadCapacityUnits),
		"WriteCapacityUnits": keep(&t.WriteCapacityUnits),
	})
}

func (r reader[V]) facet(v V, f *Facet[V]) error {
	return r.object(v, members[V]{
		"FacetName":         text[V](&f.FacetName),
		"KeyAttributeAlias": to(&f.KeyAttributeAlias, r.alias),
		"NonKeyAttributes":  list(&f.NonKeyAttributes, V.Text),
		"TableData":         keep(&f.TableData),
	})
}

func (r reader[V]) alias(v V, a *KeyAlias) error {
	return r.object(v, members[V]{
		"PartitionKeyAlias": text[V](&a.PartitionKeyAlias),
		"SortKeyAlias":      text[V](&a.SortKeyAlias),
	})
}

// keep returns a function that keeps a value as it is.
func keep[V any](into *V) func(V) error {
	return func(v V) error {
		*into = v
		return nil
	}
}

// text returns a function that reads a text.
func text[V Value[V]](into *string) func(V) error {
	return func(v V) error { return v.Text(into) }
}

// to returns a function that reads a value into a part of another one.
func to[V, T any](into *T, read func(V, *T) error) func(V) error {
	return func(v V) error { return read(v, into) }
}

// optional returns a function that reads a value that need not be there.
func optional[V, T any](into **T, read func(V, *T) error) func(V) error {
	return func(v V) error {
		*into = new(T)
		return read(v, *into)
	}
}

// list returns a function that reads the elements of a list.
func list[V Value[V], T any](into *[]T, read func(V, *T) error) func(V) error {
	return func(v V) error {
		return v.Elements(func(v V) error {
			var element T
			err := read(v, &element)
			*into = append(*into, element)
			return err
		})
	}
}
