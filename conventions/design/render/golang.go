package render

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/kugiri-db/kugiri/conventions/design"
)

// golang writes the package.
func (r *renderer) golang() ([]byte, error) {
	var models, queries, writes lines
	for i := range r.code.Models {
		r.code.Models[i].write(&models)
	}
	for i := range r.code.Queries {
		r.code.Queries[i].write(&queries)
	}
	for i := range r.code.Writes {
		r.code.Writes[i].write(&writes)
	}
	return formatted(fill("table.go.tmpl", map[string]string{
		"package": r.code.Package, "table": r.code.Table,
		"quoted table": strconv.Quote(r.code.Table), "key names": r.code.keyNames(),
		"models": models.String(), "queries": queries.String(),
		"write functions": writes.String(),
	}))
}

// supportParts returns the parts of package support that the generated code needs.
func (r *renderer) supportParts() []string {
	parts := []string{"keys", "reader", "table"}
	for _, part := range []struct {
		name   string
		needed bool
	}{
		{"shards", r.code.shards()}, {"periods", r.code.periods()},
		{"results", r.code.several()}, {"fetch", r.code.fetches()},
		{"values", r.code.spreadOver(byValues)},
		{"expressions", len(r.code.Writes) > 0}, {"writes", len(r.code.Writes) > 0},
		{"stream", r.consuming != nil},
	} {
		if part.needed {
			parts = append(parts, part.name)
		}
	}
	return parts
}

// write writes the type of a model, and the functions that write and read an item.
func (m *goModel) write(out *lines) {
	out.add("// %s is an item of the model %s. An empty field has no attribute, unless it is a bool.", m.Name, m.Model)
	out.add("type %s struct {", m.Name)
	for _, f := range m.Fields {
		out.add("\t%s %s %s", f.Name, f.Type, f.Tag)
	}
	out.add("}\n")
	out.add("// Item returns the item as the table stores it. An item without the key of an index is not in the index.")
	out.add("func (v %s) Item() (map[string]types.AttributeValue, error) {", m.Name)
	out.add("\tk := &keys{}\n\treturn k.item(%s)\n}\n", values(m.Puts))
	out.add("// %sOf reads an item. An item of an index has the attributes that the index projects.",
		m.Name)
	out.add("func %sOf(item map[string]types.AttributeValue) (%[1]s, error) {", m.Name)
	out.add("\tvar v %s\n\tr := &reader{item: item}", m.Name)
	for _, statement := range m.Reads {
		out.add("\t%s", statement)
	}
	out.add("\treturn v, r.err\n}\n")
}

// values writes attribute values with their names.
func values(puts []goPut) string {
	var out lines
	out.add("attributes{")
	for _, p := range puts {
		out.add("%s: %s,", p.Name, p.Value)
	}
	return out.String() + "}"
}

// write writes the function that makes the request of a pattern.
func (q *goQuery) write(out *lines) {
	if q.Operation == design.BatchGetItem {
		q.batch(out)
		return
	}
	q.comment(out)
	result := "in "
	if q.Loops != nil {
		result = "all []"
	}
	out.add("func %s(%s) (%s*dynamodb.%s, err error) {\n\tk := &keys{}", q.Name, q.Signature(),
		result, q.Input)
	for _, l := range q.Loops {
		out.add("for _, %s := range %s {", l.Variable, l.Values)
	}
	before, after, name := "in = ", "", "in"
	if q.Loops != nil {
		before, after, name = "all = append(all, ", ")", "all"
	}
	out.add("%s&dynamodb.%s{\n\tTableName: aws.String(TableName),", before, q.Input)
	switch q.Operation {
	case design.GetItem:
		q.get(out)
	case design.SearchVectors:
		q.search(out)
	default:
		q.find(out)
	}
	if q.Consistent {
		out.add("ConsistentRead: aws.Bool(true),")
	}
	out.add("}%s%s", after, strings.Repeat("\n}", len(q.Loops)))
	out.add("\treturn %s, k.err\n}\n", name)
	if q.Loops != nil {
		q.read(out)
	}
	if q.Fetch {
		q.fetch(out)
	}
}

// fetch writes the function that reads the items of a result whole.
func (q *goQuery) fetch(out *lines) {
	out.add("// %s reads the items that the pattern %q finds, by BatchGetItem and in their order. It leaves out items", q.FetchName, q.PatternComment)
	out.add("// that were deleted.")
	out.add("func %s(ctx context.Context, client BatchGetAPIClient, items []map[string]types.AttributeValue) ([]map[string]types.AttributeValue, error) {", q.FetchName)
	out.add("\treturn fetch(ctx, client, items, %s)\n}\n", batchRequest(q.Fetched, false))
}

// read writes the function that reads the result of several requests.
func (q *goQuery) read(out *lines) {
	out.add("// %s reads the pattern %q in its order, with the requests of %s.", q.Read,
		q.PatternComment, q.Name)
	parameters := "client dynamodb.QueryAPIClient"
	if len(q.Parameters) > 0 {
		parameters += ", " + q.Signature()
	}
	out.add("func %s(%s) (*Results, error) {", q.Read, parameters)
	out.add("\tall, err := %s(%s)\n\tif err != nil {\n\t\treturn nil, err\n\t}", q.Name,
		strings.Join(q.names(), ", "))
	out.add("\treturn results(client, all, %s, %q%s), nil\n}\n",
		mergedRequests(q.Query, func(attribute string) string {
			return "len(distinct(" + parameterOf(q.Parameters, attribute) + "))"
		}), q.SortName, q.indexKey())
}

// indexKey writes the attributes of the index's key as arguments.
func (q *goQuery) indexKey() (arguments string) {
	if q.Index == "" {
		return ""
	}
	for _, name := range keyOf(q.Query) {
		arguments += fmt.Sprintf(", %q", name)
	}
	return arguments
}

// keyOf returns the attributes of an index's key by which a query reads.
func keyOf(q *design.Query) []string {
	names := []string{q.Partition.Name}
	for _, s := range q.Equal {
		names = append(names, s.Name)
	}
	if q.Sort.Name != "" {
		names = append(names, q.Sort.Name)
	}
	return names
}

// comment says what the request does, and what is to do besides.
func (q *goQuery) comment(out *lines) {
	out.add("// %s is the request of the pattern %q:\n// %s.", q.Name, q.PatternComment, q.Comment)
	if q.Loops != nil {
		out.add("// It takes several requests: %s reads their results as one.", q.Read)
	}
	if q.Fetch {
		out.add("// The index lacks attributes: %s reads the items whole.", q.FetchName)
	}
}

// get writes the members of GetItem.
func (q *goQuery) get(out *lines) {
	key := []goPut{q.Partition}
	if q.HasSort {
		key = append(key, q.Sort)
	}
	out.add("Key: %s,", values(key))
	if len(q.Attributes) > 0 {
		out.add("ExpressionAttributeNames: map[string]string{")
		q.asked(out)
		out.add("},")
	}
	q.project(out)
}

// asked writes the names of what the request asks for.
func (q *goQuery) asked(out *lines) {
	for n, name := range q.Attributes {
		out.add("%q: %q,", design.AskedName(n), name)
	}
}

// project writes what the request asks for.
func (q *goQuery) project(out *lines) {
	if len(q.Attributes) > 0 {
		out.add("ProjectionExpression: aws.String(%q),", q.ProjectionExpression())
	}
}

// search writes the members of SearchVectors.
func (q *goQuery) search(out *lines) {
	out.add("IndexName: aws.String(%q),\nSearchVector: numbers(%s),\nTopK: aws.Int32(%d),", q.Index,
		q.Vector(), q.Limit)
	if q.Condition != "" {
		out.add("SearchConditionExpression: aws.String(%q),\nExpressionAttributeValues: %s,",
			q.Condition, values(q.Values))
	}
	if q.Condition != "" || len(q.Attributes) > 0 {
		out.add("ExpressionAttributeNames: map[string]string{")
		for i, f := range q.Filters {
			out.add(`"#f%d": %q,`, i, f.Name)
		}
		q.asked(out)
		out.add("},")
	}
	q.project(out)
}

// find writes the members of Query.
func (q *goQuery) find(out *lines) {
	if q.Index != "" {
		out.add("IndexName: aws.String(%q),", q.Index)
	}
	out.add("KeyConditionExpression: aws.String(%q),", q.Condition)
	if filter := filtering(q.Query); filter != "" {
		out.add("FilterExpression: aws.String(%q),", filter)
	}
	out.add("ExpressionAttributeNames: map[string]string{\n\"#pk\": %s,", q.Partition.Name)
	for n, s := range q.Equal {
		out.add("%q: %q,", design.EqualName(n), s.Name)
	}
	if q.HasSort {
		out.add(`"#sk": %q,`, q.SortName)
	}
	for i, f := range q.Filters {
		out.add(`"#f%d": %q,`, i, f.Name)
	}
	q.asked(out)
	out.add("},\nExpressionAttributeValues: %s,", values(q.Values))
	q.project(out)
	if q.Descending {
		out.add("ScanIndexForward: aws.Bool(false),")
	}
	if q.Limit > 0 {
		out.add("Limit: aws.Int32(%d),", q.Limit)
	}
}

// test writes the test of the package.
func (r *renderer) test() ([]byte, error) {
	var rows, models, cases lines
	for _, row := range r.rows {
		rows.add("\t{%q, %q},", row.Model, row.Key)
	}
	for _, m := range r.code.Models {
		models.add(
			"\t%q: func(i item) (item, error) { v, err := %sOf(i); return rewrite(v, err) },",
			m.Model, m.Name)
	}
	for i, q := range r.code.Queries {
		for _, read := range r.reads(i) {
			call := fmt.Sprintf("f.%s(%s(%s))", finders[q.Operation], q.Name,
				q.arguments(read.values))
			switch {
			case q.Operation == design.BatchGetItem:
				call = fmt.Sprintf("f.items(%s(f.t.Context(), f.client, %s))", q.Name,
					q.arguments(read.values))
			case q.Loops != nil:
				call = fmt.Sprintf("f.pages(%s(%s))", q.Read,
					strings.TrimSuffix("f.client, "+q.arguments(read.values), ", "))
			}
			cases.add("\t{%q, func(f finder) []int { return %s }, %d, [][]int%s},",
				caseName(q.Pattern, read.values), call, q.Limit, groups(read.Want))
		}
	}
	blocks := map[string]string{
		"package": r.code.Package, "rows": rows.String(), "models": models.String(),
		"cases": cases.String(), "search": "", "fetches": "", "writes": "",
	}
	if len(r.code.Writes) > 0 {
		cases, names := r.goTrials()
		blocks["writes"] = fill("writes_test.go.tmpl",
			map[string]string{"write cases": cases, "write names": names})
	}
	if r.code.fetches() {
		blocks["fetches"] = fill("fetch_test.go.tmpl",
			map[string]string{"fetch cases": r.code.fetchCases()})
	}
	if r.code.searches() {
		blocks["search"] = fixed("search_test.go.tmpl")
	}
	return formatted(fill("table_test.go.tmpl", blocks))
}

// fetchCases writes the functions that read items by BatchGetItem, with what they ask for.
func (c *code) fetchCases() string {
	var out lines
	for _, q := range c.Queries {
		if q.Fetch {
			out.add("\t\t{%q, %s, %#v},", q.Pattern, q.FetchName, q.Fetched)
		}
	}
	return strings.ReplaceAll(out.String(), "[]string(nil)", "nil")
}

// groups writes the rows that a request has to find: those of a group come in any order.
func groups(rows [][]int) string {
	return strings.NewReplacer("[][]int", "", "[]int", "", "(nil)",
		"{}").Replace(fmt.Sprintf("%#v", rows))
}

// batch writes the function that reads the items of several keys.
func (q *goQuery) batch(out *lines) {
	out.add("// %s reads the pattern %q by BatchGetItem: the items of the values, in their order.\n"+
		"// It leaves out those that are not there, and takes a request for each 100.", q.Name,
		q.PatternComment)
	out.add("// %s.", q.Comment)
	out.add("func %s(ctx context.Context, client BatchGetAPIClient, %s) "+
		"([]map[string]types.AttributeValue, error) {", q.Name, q.Signature())
	key := []goPut{q.Partition}
	if q.HasSort {
		key = append(key, q.Sort)
	}
	out.add("\tk := &keys{}\n\tvar all []attributes")
	for _, l := range q.Loops {
		out.add("for _, %s := range %s {", l.Variable, l.Values)
	}
	out.add("all = append(all, %s)%s", values(key), strings.Repeat("\n}", len(q.Loops)))
	out.add("\tif k.err != nil {\n\t\treturn nil, k.err\n\t}")
	out.add("\treturn fetch(ctx, client, all, %s)\n}\n", batchRequest(q.Attributes, q.Consistent))
}

// batchRequest writes the KeysAndAttributes of a BatchGetItem, except its keys.
func batchRequest(attributes []string, consistent bool) string {
	if len(attributes) == 0 && !consistent {
		return "types.KeysAndAttributes{}"
	}
	var out lines
	out.add("types.KeysAndAttributes{")
	if consistent {
		out.add("ConsistentRead: aws.Bool(true),")
	}
	if len(attributes) > 0 {
		out.add("ProjectionExpression: aws.String(%q),\nExpressionAttributeNames: map[string]string{",
			design.ProjectionExpression(attributes))
		for n, name := range attributes {
			out.add("%q: %q,", design.AskedName(n), name)
		}
		out.add("},")
	}
	return out.String() + "}"
}
