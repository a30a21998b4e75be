package render

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/kugiri-db/kugiri/conventions/design"
)

// byValues says that a request gives several values of an attribute.
func byValues(s design.Spread) bool { return s.Values > 0 }

// severalOf returns the attribute of which a query gives several values, or "".
func severalOf(q *design.Query) string {
	if i := slices.IndexFunc(q.Spread, byValues); i >= 0 {
		return q.Spread[i].Attribute
	}
	return ""
}

// mergedRequests returns how many requests in a row have to be merged, as an expression: those of all
// shards, and of all values of the parameter for several ones.
func mergedRequests(q *design.Query, values func(attribute string) string) string {
	shards := 1
	for _, s := range q.Spread {
		shards *= max(s.Shards, 1)
	}
	switch name := severalOf(q); {
	case name == "":
		return strconv.Itoa(shards)
	case shards == 1:
		return values(name)
	default:
		return fmt.Sprintf("%d * %s", shards, values(name))
	}
}

// filtering returns the filter of a query's items, or "".
func filtering(q *design.Query) string {
	var conditions []string
	for i := range q.Filters {
		conditions = append(conditions, fmt.Sprintf("#f%d = :f%[1]d", i))
	}
	return strings.Join(conditions, " AND ")
}

// parameterOf returns the name of the parameter of an attribute.
func parameterOf(parameters []goParameter, attribute string) string {
	i := slices.IndexFunc(parameters,
		func(p goParameter) bool { return p.attribute == attribute })
	return parameters[i].Name
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
	out.add("\treturn fetch(ctx, client, all, %s)\n}\n", asks(q.Attributes, q.Consistent))
}

// asks writes what a BatchGetItem asks for, of all its items.
func asks(attributes []string, consistent bool) string {
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
	if text := out.String(); strings.Count(text, "\n") > 1 {
		return text + "}"
	}
	return "types.KeysAndAttributes{}"
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
