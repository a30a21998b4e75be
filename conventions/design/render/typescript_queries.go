package render

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/kugiri-db/kugiri/conventions/design"
	"github.com/kugiri-db/kugiri/expr"
)

// scriptQuery is a function that makes the request of a pattern.
type scriptQuery struct {
	*design.Query
	model      *design.Model // the model of the values, with the bounds of a range
	name       string
	read       string   // the function that reads the result of several requests
	fetch      string   // the function that reads the items of an index whole
	fetched    []string // what it asks for, nil for all
	parameters []goParameter
	variables  map[string]string // variables by attribute
}

// query names the functions of a pattern.
func (t *typescript) query(i int) scriptQuery {
	q := &t.plan.Queries[i]
	s := scriptQuery{
		Query: q, model: withRange(t.plan.Design.Model(q.Models[0]), &t.plan.Design.Patterns[i]),
		name: t.names.add(unexported(functionName(q))), variables: map[string]string{},
	}
	if len(q.Spread) > 0 && q.Operation != design.BatchGetItem {
		s.read = t.names.add("read" + exported(q.Pattern))
	}
	if q.Fetch {
		s.fetch, s.fetched = t.names.add("fetch"+exported(q.Pattern)), t.plan.Fetched(i)
	}
	locals := newScope(inScripts...)
	for _, name := range asked(q) {
		of := scriptTypes[s.model.Attribute(name).Type]
		if name == severalOf(q) {
			s.parameters = append(s.parameters,
				goParameter{locals.add(unexported(name) + "Values"), of + "[]", name})
			continue
		}
		s.variables[name] = locals.add(unexported(name))
		s.parameters = append(s.parameters, goParameter{s.variables[name], of, name})
	}
	for _, spread := range q.Spread {
		s.variables[spread.Attribute] = locals.add(unexported(spread.Attribute))
	}
	return s
}

// signature writes the parameters of a function, and names writes them as arguments.
func (q *scriptQuery) signature(before ...string) string {
	for _, p := range q.parameters {
		before = append(before, p.Name+": "+p.Type)
	}
	return strings.Join(before, ", ")
}

func (q *scriptQuery) names() string {
	names := make([]string, len(q.parameters))
	for i, p := range q.parameters {
		names[i] = p.Name
	}
	return strings.Join(names, ", ")
}

// input is the type of the document client's input.
func (q *scriptQuery) input() string {
	return strings.TrimSuffix(string(q.Operation), "Item") + "CommandInput"
}

// writeQuery writes the functions of a pattern.
func (t *typescript) writeQuery(out *lines, q *scriptQuery) {
	if q.Operation == design.BatchGetItem {
		t.batch(out, q)
		return
	}
	notes := []string{fmt.Sprintf("The request of the pattern %s:",
		scriptQuote(scriptComment(q.Pattern))), scriptComment(q.String()) + "."}
	if q.read != "" {
		notes = append(notes, "It takes several requests: "+q.read+" reads their results as one.")
	}
	if q.fetch != "" {
		notes = append(notes, "The index lacks attributes: "+q.fetch+" reads the items whole.")
	}
	out.add("/**\n * %s\n */", strings.Join(notes, "\n * "))
	if q.read == "" {
		out.add("export function %s(%s): %s {\n  return %s;\n}\n", q.name, q.signature(), q.input(),
			t.members(q, "  "))
	} else {
		t.several(out, q)
	}
	if q.fetch == "" {
		return
	}
	out.add("/**\n * Reads the items that the pattern %s finds, by BatchGetItem and in their order.\n"+
		" * It leaves out items that were deleted.\n */", scriptQuote(scriptComment(q.Pattern)))
	out.add("export function %s(client: DynamoDBDocumentClient, items: Item[]): Promise<Item[]> {",
		q.fetch)
	out.add("  return fetchWhole(client, items, { %s });\n}\n",
		strings.Join(asking(q.fetched, nil), ", "))
}

// several writes the functions of a pattern that takes several requests.
func (t *typescript) several(out *lines, q *scriptQuery) {
	out.add("export function %s(%s): %s[] {\n  const all: %[3]s[] = [];", q.name, q.signature(),
		q.input())
	indent := t.loops(out, q)
	out.add("%sall.push(%s);", indent, t.members(q, indent))
	endLoops(out, q, indent)
	out.add("  return all;\n}\n")
	var keys []string
	if q.Index != "" {
		keys = keyOf(q.Query)
	}
	out.add("/** Reads the pattern %s in its order, with the requests of %s. */",
		scriptQuote(scriptComment(q.Pattern)), q.name)
	out.add("export function %s(%s): Results {", q.read,
		q.signature("client: DynamoDBDocumentClient"))
	requests := mergedRequests(q.Query, func(attribute string) string {
		return "distinct(" + parameterOf(q.parameters, attribute) + ").length"
	})
	out.add("  return new Results(client, %s(%s), %s, %s, [%s]);\n}\n", q.name, q.names(), requests,
		scriptQuote(q.Sort.Name), scriptList(keys))
}

// members writes a request.
func (t *typescript) members(q *scriptQuery, indent string) string {
	var all []string
	switch q.Operation {
	case design.GetItem:
		key := property(q.Query.Partition.Name) + ": " + t.need(q, q.Query.Partition.Value)
		if q.Sort.Operator != "" {
			key += ", " + property(q.Sort.Name) + ": " + t.need(q, q.Sort.From)
		}
		all = append(all, "Key: { "+key+" }")
		all = append(all, asking(q.Attributes, nil)...)
	case design.SearchVectors:
		all = t.search(q)
	default:
		all = t.find(q)
	}
	if q.Consistent {
		all = append(all, "ConsistentRead: true")
	}
	var out lines
	out.add("{\n%s  TableName: table.name,", indent)
	for _, member := range all {
		out.add("%s  %s,", indent, member)
	}
	return out.String() + indent + "}"
}

// find writes the members of Query.
func (t *typescript) find(q *scriptQuery) (all []string) {
	if q.Index != "" {
		all = append(all, "IndexName: "+scriptQuote(q.Index))
	}
	names := []string{`"#pk": ` + scriptQuote(q.Query.Partition.Name)}
	values := []string{`":pk": ` + t.need(q, q.Query.Partition.Value)}
	for n, s := range q.Equal {
		names = append(names, scriptQuote(design.EqualName(n))+": "+scriptQuote(s.Name))
		values = append(values, scriptQuote(design.EqualValue(n))+": "+t.need(q, s.Value))
	}
	if q.Sort.Operator != "" {
		names = append(names, `"#sk": `+scriptQuote(q.Sort.Name))
		values = append(values, `":sk": `+t.need(q, q.Sort.From))
	}
	if q.Sort.Operator == expr.KeyBetween {
		values = append(values, `":to": `+t.need(q, q.Sort.To))
	}
	all = append(all, "KeyConditionExpression: "+scriptQuote(q.KeyCondition()))
	for i, f := range q.Filters {
		names = append(names, fmt.Sprintf(`"#f%d": %s`, i, scriptQuote(f.Name)))
		values = append(values, fmt.Sprintf(`":f%d": %s`, i, t.need(q, f.Value)))
	}
	if filter := filtering(q.Query); filter != "" {
		all = append(all, "FilterExpression: "+scriptQuote(filter))
	}
	all = append(all, asking(q.Attributes, names)...)
	all = append(all, "ExpressionAttributeValues: { "+strings.Join(values, ", ")+" }")
	if q.Descending {
		all = append(all, "ScanIndexForward: false")
	}
	if q.Limit > 0 {
		all = append(all, "Limit: "+strconv.Itoa(q.Limit))
	}
	return all
}

// search writes the members of SearchVectors.
func (t *typescript) search(q *scriptQuery) []string {
	var names, values []string
	for i, f := range q.Filters {
		names = append(names, fmt.Sprintf(`"#f%d": %s`, i, scriptQuote(f.Name)))
		values = append(values, fmt.Sprintf(`":f%d": %s`, i, t.need(q, f.Value)))
	}
	all := []string{
		"IndexName: " + scriptQuote(q.Index), "SearchVector: " + q.variables[q.Similar],
		"TopK: " + strconv.Itoa(q.Limit),
	}
	if condition := filtering(q.Query); condition != "" {
		all = append(all, "SearchConditionExpression: "+scriptQuote(condition),
			"ExpressionAttributeValues: { "+strings.Join(values, ", ")+" }")
	}
	return append(all, asking(q.Attributes, names)...)
}

// asking writes the members of a request that say what it asks for, besides names that it has.
func asking(attributes, names []string) (all []string) {
	names = slices.Concat(names, askedNames(attributes))
	if len(names) > 0 {
		all = append(all, "ExpressionAttributeNames: { "+strings.Join(names, ", ")+" }")
	}
	if len(attributes) > 0 {
		all = append(all,
			"ProjectionExpression: "+scriptQuote(design.ProjectionExpression(attributes)))
	}
	return all
}

// askedNames writes the names of what a request asks for.
func askedNames(attributes []string) (names []string) {
	for n, name := range attributes {
		names = append(names, scriptQuote(design.AskedName(n))+": "+scriptQuote(name))
	}
	return names
}

// need writes a value of a request, which may not be empty.
func (t *typescript) need(q *scriptQuery, v design.Value) string {
	begins := beginning(q.Query)
	return "need(" + t.value(q.model, v, func(name string) string {
		if name == begins.Attribute && begins.Before != "" {
			return fmt.Sprintf("beginning(%s, %s, %s)", scriptQuote(name), q.variables[name],
				scriptQuote(begins.Before))
		}
		return q.variables[name]
	}) + ")"
}

// scriptGroups writes the rows that a request has to find.
func scriptGroups(rows [][]int) string {
	if rows == nil {
		rows = [][]int{}
	}
	text, err := json.Marshal(rows)
	if err != nil {
		panic(err) // numbers can be written
	}
	return string(text)
}

// patterns writes the part of the test that reads.
func (t *typescript) patterns() string {
	var out, fetches lines
	if len(t.queries) > 0 {
		out.add("\nsamples.tryPatterns([\n%s]);", t.cases())
	}
	for i := range t.queries {
		if q := &t.queries[i]; q.fetch != "" {
			attributes := "undefined"
			if q.fetched != nil {
				attributes = "[" + scriptList(q.fetched) + "]"
			}
			fetches.add("  { name: %s, fetch: code.%s, attributes: %s },", scriptQuote(q.Pattern),
				q.fetch, attributes)
		}
	}
	if fetches.Len() > 0 {
		out.add("\ntryFetches([\n%s]);", fetches.String())
	}
	return out.String()
}

// finders are the functions of the tests that send requests.
var finders = map[design.Operation]string{
	design.GetItem: "get", design.QueryRequest: "query", design.SearchVectors: "search",
}

// cases writes the requests of the patterns with what they have to find.
func (t *typescript) cases() string {
	var out lines
	for i := range t.queries {
		q := &t.queries[i]
		out.add("  {\n    name: %s,\n    limit: %d,\n    reads: [", scriptQuote(q.Pattern), q.Limit)
		for _, read := range t.reads(i) {
			arguments := make([]string, len(q.parameters))
			for n, p := range q.parameters {
				arguments[n] = scriptValue(read.values[p.attribute])
			}
			call := fmt.Sprintf("%s(client, code.%s(%s))", finders[q.Operation], q.name,
				strings.Join(arguments, ", "))
			switch {
			case q.Operation == design.BatchGetItem:
				call = fmt.Sprintf("code.%s(client, %s)", q.name, strings.Join(arguments, ", "))
			case q.read != "":
				call = fmt.Sprintf("pages(code.%s(%s))", q.read,
					strings.Join(append([]string{"client"}, arguments...), ", "))
			}
			out.add("      { find: (client) => %s, want: %s },", call, scriptGroups(read.Want))
		}
		out.add("    ],\n  },")
	}
	return out.String()
}

// scriptValue writes a value of a design.Row.
func scriptValue(v any) string {
	switch v := v.(type) {
	case []byte:
		return fmt.Sprintf(`Buffer.from("%s", "base64")`, base64.StdEncoding.EncodeToString(v))
	case []any:
		all := make([]string, len(v))
		for i := range v {
			all[i] = scriptValue(v[i])
		}
		return "[" + strings.Join(all, ", ") + "]"
	case string:
		return scriptQuote(v)
	}
	return plain(v)
}

// batch writes the function that reads the items of several keys.
func (t *typescript) batch(out *lines, q *scriptQuery) {
	key := property(q.Query.Partition.Name) + ": " + t.need(q, q.Query.Partition.Value)
	if q.Sort.Operator != "" {
		key += ", " + property(q.Sort.Name) + ": " + t.need(q, q.Sort.From)
	}
	out.add("/**\n * Reads the pattern %s by BatchGetItem: the items of the values, in their order.\n"+
		" * It leaves out those that are not there, and takes a request for each 100.\n * %s.\n */",
		scriptQuote(scriptComment(q.Pattern)), scriptComment(q.String()))
	out.add("export function %s(%s): Promise<Item[]> {", q.name,
		q.signature("client: DynamoDBDocumentClient"))
	asks := asking(q.Attributes, nil)
	if q.Consistent {
		asks = append(asks, "ConsistentRead: true")
	}
	out.add("  const all: Item[] = [];")
	indent := t.loops(out, q)
	out.add("%sall.push({ %s });", indent, key)
	endLoops(out, q, indent)
	out.add("  return fetchWhole(client, all, { %s });\n}\n", strings.Join(asks, ", "))
}

// loops begins the loops over what several requests are of, and returns their indent.
func (t *typescript) loops(out *lines, q *scriptQuery) (indent string) {
	indent = "  "
	for _, s := range q.Spread {
		values := fmt.Sprintf("shards(%d)", s.Shards)
		switch {
		case byValues(s):
			values = "distinct(" + parameterOf(q.parameters, s.Attribute) + ")"
		case byPeriod(s):
			values = fmt.Sprintf("periods(%s, %s, %d, %t)", q.variables[design.RangeFrom],
				q.variables[design.RangeTo], len(layouts[s.Period]), q.Descending)
		}
		out.add("%sfor (const %s of %s) {", indent, q.variables[s.Attribute], values)
		indent += "  "
	}
	return indent
}

// endLoops ends the loops.
func endLoops(out *lines, q *scriptQuery, indent string) {
	for range q.Spread {
		indent = indent[2:]
		out.add("%s}", indent)
	}
}
