package design

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/kugiri-db/kugiri/conventions/design/writing"
	"github.com/kugiri-db/kugiri/expr"
)

// StreamView is the view of the stream of a table whose writes leave something to its consumer.
const StreamView = "NEW_AND_OLD_IMAGES"

// CreateTable returns the input of CreateTable, as encoding/json writes it for the service: an
// on-demand table.
func (p *Plan) CreateTable() map[string]any {
	in := map[string]any{
		"TableName":            p.Design.Table,
		"BillingMode":          "PAY_PER_REQUEST",
		"AttributeDefinitions": p.attributeDefinitions(),
		"KeySchema":            p.Key.schema(),
	}
	for i := range p.Indexes {
		kind := "GlobalSecondaryIndexes"
		if p.Indexes[i].Local {
			kind = "LocalSecondaryIndexes"
		}
		indexes, _ := in[kind].([]any)
		in[kind] = append(indexes, p.Indexes[i].input())
	}
	if vectors := vectorInputs(p); vectors != nil {
		in["VectorIndexes"] = vectors
	}
	if p.Streams() {
		in["StreamSpecification"] = map[string]any{
			"StreamEnabled": true, "StreamViewType": StreamView}
	}
	return in
}

// input returns an index as CreateTable and UpdateTable take it.
func (index *Index) input() map[string]any {
	return map[string]any{
		"IndexName": index.Name, "KeySchema": index.Key.schema(),
		"Projection": index.Projection.input(),
	}
}

// CreateIndex returns the input of UpdateTable that creates an index of the plan.
func (p *Plan) CreateIndex(table, name string) map[string]any {
	index := p.Index(name)
	var definitions []map[string]string
	for _, c := range p.Columns {
		if p.Key.Has(c.Name) || index.Key.Has(c.Name) {
			definitions = append(definitions,
				map[string]string{"AttributeName": c.Name, "AttributeType": c.Type.letter()})
		}
	}
	return map[string]any{
		"TableName":                   table,
		"AttributeDefinitions":        definitions,
		"GlobalSecondaryIndexUpdates": []any{map[string]any{"Create": index.input()}},
	}
}

// input returns a projection as a Projection of CreateTable.
func (p Projection) input() map[string]any {
	in := map[string]any{"ProjectionType": string(cmp.Or(p.Type, All))}
	if p.Type == Include {
		in["NonKeyAttributes"] = p.Attributes
	}
	return in
}

// KeyCondition returns the KeyConditionExpression of a query: the placeholders are #pk and :pk, #k0
// and :k0 and so on for Equal, and #sk, :sk and :to.
func (q *Query) KeyCondition() string {
	condition := "#pk = :pk"
	for n := range q.Equal {
		condition += " AND " + EqualName(n) + " = " + EqualValue(n)
	}
	switch q.Sort.Operator {
	case "":
		return condition
	case expr.KeyBeginsWith:
		return condition + " AND begins_with(#sk, :sk)"
	case expr.KeyBetween:
		return condition + " AND #sk BETWEEN :sk AND :to"
	}
	return condition + " AND #sk " + string(q.Sort.Operator) + " :sk"
}

// EqualName returns the placeholder of attribute n of Query.Equal.
func EqualName(n int) string { return fmt.Sprintf("#k%d", n) }

// EqualValue returns the placeholder of its value.
func EqualValue(n int) string { return fmt.Sprintf(":k%d", n) }

// schema returns a key as a KeySchema.
func (k Key) schema() []map[string]string {
	var schema []map[string]string
	for _, name := range k.Partitions() {
		schema = append(schema, map[string]string{"AttributeName": name, "KeyType": "HASH"})
	}
	for _, name := range k.Sorts() {
		schema = append(schema, map[string]string{"AttributeName": name, "KeyType": "RANGE"})
	}
	return schema
}

// attributeDefinitions returns the columns that are in a key. Each has to be, in a CreateTable.
func (p *Plan) attributeDefinitions() []map[string]string {
	used := map[string]bool{p.Key.Partition: true, p.Key.Sort: true}
	for _, index := range p.Indexes {
		for _, name := range index.Key.Names() {
			used[name] = true
		}
	}
	var all []map[string]string
	for _, c := range p.Columns {
		if used[c.Name] {
			all = append(all,
				map[string]string{"AttributeName": c.Name, "AttributeType": c.Type.letter()})
		}
	}
	return append(all, searchDefinitions(p)...)
}

// TimeToLive returns the input of UpdateTimeToLive, or nil if items have no time to live.
func (p *Plan) TimeToLive() map[string]any {
	if p.TTL == "" {
		return nil
	}
	return map[string]any{
		"TableName":               p.Design.Table,
		"TimeToLiveSpecification": map[string]any{"AttributeName": p.TTL, "Enabled": true},
	}
}

// letter is the type's name in an AttributeDefinition.
func (t Type) letter() string {
	switch t {
	case Number:
		return "N"
	case Binary:
		return "B"
	}
	return "S"
}

// Request returns the input of a bound query's operation, as encoding/json writes it for the
// service. attribute writes a value.
func (b Bound) Request(table string, attribute func(any) any) (operation string,
	in map[string]any) {
	if b.Operation == SearchVectors {
		return string(SearchVectors), b.search(table, attribute)
	}
	if b.Operation == BatchGetItem {
		return string(BatchGetItem), b.batch(table, attribute)
	}
	in = map[string]any{"TableName": table}
	if b.Consistent {
		in["ConsistentRead"] = true
	}
	if b.Operation == GetItem {
		in["Key"] = b.key(attribute)
		b.askInto(in, map[string]string{})
		return string(GetItem), in
	}
	condition, values := b.condition(attribute)
	in["KeyConditionExpression"] = condition
	names := b.names()
	if filter := b.filter(names, values, attribute); filter != "" {
		in["FilterExpression"] = filter
	}
	b.askInto(in, names)
	in["ExpressionAttributeValues"] = values
	in["ScanIndexForward"] = !b.Descending
	if b.Index != "" {
		in["IndexName"] = b.Index
	}
	if b.Limit > 0 {
		in["Limit"] = b.Limit
	}
	return string(QueryRequest), in
}

func (b Bound) names() map[string]string {
	names := map[string]string{"#pk": b.Partition.Name}
	for n, s := range b.Equal {
		names[EqualName(n)] = s.Name
	}
	if b.Sort.Operator != "" {
		names["#sk"] = b.Sort.Name
	}
	return names
}

func (b Bound) condition(attribute func(any) any) (condition string, values map[string]any) {
	values = map[string]any{":pk": attribute(b.PartitionValue)}
	for n, v := range b.EqualValues {
		values[EqualValue(n)] = attribute(v)
	}
	if b.Sort.Operator != "" {
		values[":sk"] = attribute(b.From)
	}
	if b.Sort.Operator == expr.KeyBetween {
		values[":to"] = attribute(b.To)
	}
	return b.KeyCondition(), values
}

// vectorInputs returns the vector indexes as CreateTable takes them.
func vectorInputs(p *Plan) (all []any) {
	for _, v := range p.VectorIndexes {
		var schema []map[string]string
		if v.Partition != "" {
			schema = append(schema,
				map[string]string{"AttributeName": v.Partition, "SearchSchemaElementType": "HASH"})
		}
		for _, name := range v.Filters {
			schema = append(schema,
				map[string]string{
					"AttributeName": name, "SearchSchemaElementType": "INLINE_FILTER",
				})
		}
		in := map[string]any{
			"IndexName": v.Name, "VectorAttribute": map[string]string{"AttributeName": v.Attribute},
			"Dimensions":       v.Dimensions,
			"DistanceFunction": v.Distance, "Projection": Projection{}.input(),
		}
		if schema != nil {
			in["SearchSchema"] = schema
		}
		all = append(all, in)
	}
	return all
}

// searchDefinitions returns the types of the attributes of search schemas.
func searchDefinitions(p *Plan) (all []map[string]string) {
	for _, v := range p.VectorIndexes {
		for _, e := range p.Entities {
			for _, s := range e.Others {
				if s.Name == v.Partition || slices.Contains(v.Filters, s.Name) {
					t := p.Design.Model(e.Model).Attribute(s.Value[0].Attribute).Type
					all = append(all,
						map[string]string{"AttributeName": s.Name, "AttributeType": t.letter()})
				}
			}
		}
	}
	return all
}

// search writes a bound SearchVectors.
func (b Bound) search(table string, attribute func(any) any) map[string]any {
	in := map[string]any{
		"TableName": table, "IndexName": b.Index, "TopK": b.Limit,
		"SearchVector": vectorOf(b.Vector, attribute),
	}
	names, values := map[string]string{}, map[string]any{}
	if condition := b.filter(names, values, attribute); condition != "" {
		in["SearchConditionExpression"], in["ExpressionAttributeValues"] = condition, values
	}
	b.askInto(in, names)
	return in
}

// vectorOf writes a vector as a SearchVector: a list of attribute values.
func vectorOf(v any, attribute func(any) any) (all []any) {
	numbers, _ := v.([]any)
	for _, number := range numbers {
		all = append(all, attribute(number))
	}
	return all
}

// Requests returns the requests of a write: see writing.Table.
func (p *Plan) Requests(w *Write, in Writing, token string,
	attribute func(any) any) ([]WriteRequest, error) {
	return rowStore{p}.table().Requests(w, in, token, attribute)
}

// Later returns the requests of the stream's consumer after a write: see writing.Table.
func (p *Plan) Later(w *Write, in Writing, attribute func(any) any) ([]WriteRequest, error) {
	return rowStore{p}.table().Later(w, in, attribute)
}

// Compared returns the attributes of the table by which an action sees that its item has not
// changed.
func Compared(p *Plan, a *Action) []string { return rowStore{p}.table().Compared(a) }

// Lasting returns the attributes of the table that hold what SetLast sets: that first which says
// how new the values are.
func Lasting(p *Plan, a *Action) []string { return rowStore{p}.table().Lasting(a) }

// rowStore is how rows are stored in a plan's table.
type rowStore struct{ *Plan }

func (p rowStore) Item(model string, row Row) (map[string]any, error) {
	return p.Plan.Item(model, p.Design.Model(model).Part(row))
}

func (p rowStore) Holding(model, attribute string) []string {
	return p.Entity(model).Holding(attribute)
}

func (p rowStore) Alone(model, attribute string) string {
	e := p.Entity(model)
	for _, s := range slices.Concat(e.Others, e.Keys) {
		if len(s.Value) == 1 && s.Value[0].Attribute == attribute && s.Value[0].Digits == 0 &&
			s.When == nil {
			return s.Name
		}
	}
	return ""
}

func (p rowStore) Guarded(model string) (of string, key []string) {
	if g := p.Design.Model(model); g.Reserves != nil {
		return g.Reserves.Of, g.Key
	}
	return "", nil
}

func (p rowStore) table() writing.Table {
	return writing.Table{Stored: p, Name: p.Design.Table, Partition: p.Key.Partition,
		Sort: p.Key.Sort}
}

// batch writes a bound BatchGetItem.
func (b Bound) batch(table string, attribute func(any) any) map[string]any {
	var keys []any
	for i := range b.Batch {
		keys = append(keys, b.Batch[i].key(attribute))
	}
	in := map[string]any{"Keys": keys}
	if b.Consistent {
		in["ConsistentRead"] = true
	}
	b.askInto(in, map[string]string{})
	return map[string]any{"RequestItems": map[string]any{table: in}}
}

// key returns the key of the item that a bound query gets.
func (b Bound) key(attribute func(any) any) map[string]any {
	key := map[string]any{b.Partition.Name: attribute(b.PartitionValue)}
	if b.Sort.Operator != "" {
		key[b.Sort.Name] = attribute(b.From)
	}
	return key
}

// filter returns the filter of a bound query, and adds its names and values. It is "" without one.
func (b Bound) filter(names map[string]string, values map[string]any,
	attribute func(any) any) (expression string) {
	for i, f := range b.Filters {
		if i > 0 {
			expression += " AND "
		}
		expression += fmt.Sprintf("#f%d = :f%[1]d", i)
		names[fmt.Sprintf("#f%d", i)] = f.Name
		values[fmt.Sprintf(":f%d", i)] = attribute(b.FilterValues[i])
	}
	return expression
}
