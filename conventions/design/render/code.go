package render

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/kugiri-db/kugiri/conventions/design"
	"github.com/kugiri-db/kugiri/conventions/design/consuming"
	"github.com/kugiri-db/kugiri/expr"
)

// code holds the contents of the Go package.
type code struct {
	Package string
	Table   string
	Key     []string // the attributes of the primary key
	Models  []goModel
	Queries []goQuery
	Writes  []goWrite
	plan    *design.Plan
}

// goModel is a struct type.
type goModel struct {
	Name, Model string
	Fields      []goField
	Puts        []goPut  // what an item has
	Reads       []string // statements that read the fields
}

type goField struct {
	Name, Type, Tag string
	attribute       string
}

// goPut is an attribute of an item with the expression of its value.
type goPut struct{ Name, Value string }

// goQuery is a function that makes a request.
type goQuery struct {
	*design.Query
	Name, Input    string
	Read           string // the function that reads the result of several requests
	Parameters     []goParameter
	Loops          []goLoop // loops over the requests that it takes, if they are several
	Partition      goPut
	Sort           goPut    // the sort key of GetItem
	FetchName      string   // the function that reads the items of an index whole
	Fetched        []string // what it asks for, nil for all
	Condition      string
	Values         []goPut // the values of placeholders
	HasSort        bool
	SortName       string
	Comment        string
	PatternComment string
}

// goLoop is a loop over the values of an attribute that the plan added.
type goLoop struct{ Variable, Values string }

type goParameter struct {
	Name, Type string
	attribute  string
}

// The names that the templates use themselves.
var (
	streamNames = []string{"StreamAPIClient", "StreamConsumer", "StreamEvent", "StreamFailure",
		"StreamRecord", "StreamResponse"} // taken if the plan has a consumer of its stream
	inPackage = []string{"BatchGetAPIClient", "Key", "Int", "Number", "Results", "TableName"}
	inBody    = []string{"attributes", "aws", "client", "context", "results", "dynamodb",
		"errors", "fmt", "strconv", "strings", "types", "k", "in", "all", "binary", "boolean",
		"distinct", "fetch", "scaled",
		"digits", "err", "fixed", "fnv", "maxPeriods", "numbers", "shard", "shards", "slices",
		"time", "when", "list", "members", "numeric", "text", "value", "vector", "any", "bool",
		"byte", "error", "false", "float64", "int64", "len", "nil", "string", "true", "rune",
		"append", "make"}
)

func newCode(p *design.Plan) *code {
	c := &code{
		Package: packageName(p.Design.Table), Table: p.Design.Table, Key: []string{p.Key.Partition},
		plan: p,
	}
	if p.Key.Sort != "" {
		c.Key = append(c.Key, p.Key.Sort)
	}
	names := newScope(slices.Concat(inPackage, writeNames)...)
	if p.Streams() {
		names = newScope(slices.Concat(inPackage, writeNames, streamNames)...)
	}
	for i := range p.Entities {
		c.Models = append(c.Models, c.model(names, &p.Entities[i]))
	}
	for i := range p.Queries {
		c.Queries = append(c.Queries, c.query(names, i))
	}
	c.Writes = c.writes(names)
	return c
}

// goTypes are the types of fields and parameters, and the functions that make attribute values of
// them.
var goTypes = map[design.Type]struct{ name, function string }{
	design.String:  {"string", "text"},
	design.Number:  {"Number", "numeric"},
	design.Binary:  {"[]byte", "binary"},
	design.Boolean: {"bool", "boolean"},
	design.List:    {"[]types.AttributeValue", "list"},
	design.Map:     {"map[string]types.AttributeValue", "members"},
	design.Vector:  {"[]float64", "vector"},
}

func (c *code) model(names scope, e *design.Entity) goModel {
	m := c.plan.Design.Model(e.Model)
	g := goModel{
		Model: e.Model, Name: names.add(e.Model, func(name string) string { return name + "Of" }),
	}
	fields, byAttribute := newScope("Item"), map[string]goField{}
	for i := range m.Attributes {
		a := &m.Attributes[i]
		if a.Constant != "" || a.Derived != nil {
			continue
		}
		f := goField{fields.add(exported(a.Name)), goTypes[a.Type].name, "-", a.Name}
		if s := consuming.Alone(e, a.Name); s != nil {
			f.Tag = s.Name
		}
		g.Fields = append(g.Fields, f)
		byAttribute[a.Name] = f
	}
	for _, s := range slices.Concat(e.Keys, e.Others) {
		v := c.value(m, s.Value,
			func(name string) string { return fieldOf(m, byAttribute, name, "v") })
		for _, name := range slices.Sorted(maps.Keys(s.When)) {
			v = fmt.Sprintf("when(v.%s == %q, %s)", byAttribute[name].Name, s.When[name], v)
		}
		g.Puts = append(g.Puts, goPut{strconv.Quote(s.Name), v})
	}
	g.Reads = reads(m, e, byAttribute)
	for i := range g.Fields {
		g.Fields[i].Tag = tag(g.Fields[i].Tag)
	}
	return g
}

// fieldOf returns the expression of a model's attribute: a field, or what an attribute that the
// plan added is made of. of is a variable of the model's type.
func fieldOf(m *design.Model, fields map[string]goField, name, of string) string {
	d := m.Attribute(name).Derived
	switch {
	case d == nil:
		return of + "." + fields[name].Name
	case d.Shards > 0:
		values := []string{strconv.Itoa(d.Shards)}
		for _, part := range m.Key {
			values = append(values, of+"."+fields[part].Name)
		}
		return "shard(" + strings.Join(values, ", ") + ")"
	}
	return fmt.Sprintf("k.period(%s.%s, %q)", of, fields[d.Of].Name, layouts[d.Period])
}

// layouts are the forms of periods, for package time.
var layouts = map[design.Period]string{
	design.Year: "2006", design.Month: "2006-01", design.Day: "2006-01-02",
	design.Hour: "2006-01-02T15",
}

// tag writes the tag by which package attributevalue finds a field. A tag has no commas or quotes.
func tag(name string) string {
	if strings.ContainsAny(name, "`,\"\\") ||
		strings.ContainsFunc(name, func(c rune) bool { return !strconv.IsPrint(c) }) {
		name = "-"
	}
	return "`dynamodbav:\"" + name + "\"`"
}

// reads returns the statements that read the fields of a model: from an attribute of their own, or
// else from a key that they are a part of.
func reads(m *design.Model, e *design.Entity, fields map[string]goField) (all []string) {
	for i := range m.Attributes {
		a := &m.Attributes[i]
		if s := consuming.Alone(e, a.Name); s != nil && consuming.IsField(a) {
			all = append(all, fmt.Sprintf("r.%s(%q, &v.%s)", goTypes[a.Type].function, s.Name,
				fields[a.Name].Name))
		}
	}
	for _, s := range consuming.Split(m, e) {
		arguments := []string{strconv.Quote(s.Name)}
		for _, part := range s.Value {
			f, ok := fields[part.Attribute]
			to := "&v." + f.Name
			switch {
			case part.Attribute == "":
				to = strconv.Quote(part.Text)
			case !ok:
				to = "nil"
			case part.Decimals > 0 || part.Negative:
				to = fmt.Sprintf("unscaled{%s, %d, %d, %t}", to, part.Digits, part.Decimals,
					part.Negative)
			}
			arguments = append(arguments, to)
		}
		all = append(all, "r.split("+strings.Join(arguments, ", ")+")")
	}
	return all
}

// value returns the expression of a value. variable returns the expression of an attribute of m.
func (c *code) value(m *design.Model, v design.Value, variable func(name string) string) string {
	if len(v) == 1 && v[0].Attribute != "" && v[0].Digits == 0 {
		a := m.Attribute(v[0].Attribute)
		if a.Constant != "" {
			return fmt.Sprintf("text(%q)", a.Constant)
		}
		return goTypes[a.Type].function + "(" + variable(a.Name) + ")"
	}
	var parts []string
	for _, part := range v {
		switch {
		case part.Attribute == "":
			parts = append(parts, fmt.Sprintf("fixed(%q)", part.Text))
		case part.Decimals > 0 || part.Negative:
			parts = append(parts, fmt.Sprintf("scaled(%q, %s, %d, %d, %t)", part.Attribute,
				variable(part.Attribute), part.Digits, part.Decimals, part.Negative))
		case part.Digits > 0:
			parts = append(parts,
				fmt.Sprintf("digits(%q, %s, %d)", part.Attribute, variable(part.Attribute),
					part.Digits))
		case m.Attribute(part.Attribute).Type == design.Number:
			parts = append(parts,
				fmt.Sprintf("value(%q, string(%s))", part.Attribute, variable(part.Attribute)))
		default:
			parts = append(parts,
				fmt.Sprintf("value(%q, %s)", part.Attribute, variable(part.Attribute)))
		}
	}
	return "k.join(" + strings.Join(parts, ", ") + ")"
}

func (c *code) query(names scope, i int) goQuery {
	q := &c.plan.Queries[i]
	g := goQuery{
		Query: q, Name: names.add(functionName(q)), Input: string(q.Operation) + "Input",
		SortName: q.Sort.Name, HasSort: q.Sort.Operator != "",
		Condition: q.KeyCondition(), Comment: comment(q.String()),
		PatternComment: comment(q.Pattern),
	}
	if len(q.Spread) > 0 && q.Operation != design.BatchGetItem {
		g.Read = names.add("Read" + exported(q.Pattern))
	}
	if q.Fetch {
		g.FetchName, g.Fetched = names.add("Fetch"+exported(q.Pattern)), c.plan.Fetched(i)
	}
	m := withRange(c.plan.Design.Model(q.Models[0]), &c.plan.Design.Patterns[i])
	variables := g.variables(m)
	if part := beginning(q); part.Before != "" {
		variables[part.Attribute] = fmt.Sprintf("k.beginning(%q, %s, %q)", part.Attribute,
			variables[part.Attribute], part.Before)
	}
	need := func(v design.Value) string {
		return "k.need(" + c.value(m, v, func(name string) string { return variables[name] }) + ")"
	}
	if q.Operation == design.SearchVectors {
		g.Condition = filtering(q)
		g.filter(need)
		return g
	}
	g.Partition = goPut{strconv.Quote(q.Partition.Name), need(q.Partition.Value)}
	g.Values = []goPut{{`":pk"`, g.Partition.Value}}
	for n, s := range q.Equal {
		g.Values = append(g.Values, goPut{strconv.Quote(design.EqualValue(n)), need(s.Value)})
	}
	if g.HasSort {
		g.Sort = goPut{strconv.Quote(q.Sort.Name), need(q.Sort.From)}
		g.Values = append(g.Values, goPut{`":sk"`, g.Sort.Value})
	}
	if q.Sort.Operator == expr.KeyBetween {
		g.Values = append(g.Values, goPut{`":to"`, need(q.Sort.To)})
	}
	g.filter(need)
	return g
}

// filter adds the values of the filter of a request.
func (g *goQuery) filter(need func(v design.Value) string) {
	for j, f := range g.Filters {
		g.Values = append(g.Values, goPut{fmt.Sprintf(`":f%d"`, j), need(f.Value)})
	}
}

// withRange returns a model with the bounds of a pattern's range as attributes.
func withRange(m *design.Model, p *design.Pattern) *design.Model {
	if p.Range == "" {
		return m
	}
	with, of := *m, m.Attribute(p.Range).Type
	ends := []design.Attribute{{Name: design.RangeFrom, Type: of}, {Name: design.RangeTo, Type: of}}
	with.Attributes = append(ends, m.Attributes...)
	return &with
}

// variables names the parameters and the variables of loops. It returns the names by attribute.
func (g *goQuery) variables(m *design.Model) map[string]string {
	taken, byAttribute := newScope(inBody...), map[string]string{}
	for _, name := range asked(g.Query) {
		of := goTypes[m.Attribute(name).Type].name
		if name == severalOf(g.Query) {
			g.Parameters = append(g.Parameters,
				goParameter{taken.add(unexported(name) + "Values"), "[]" + of, name})
			continue
		}
		byAttribute[name] = taken.add(unexported(name))
		g.Parameters = append(g.Parameters, goParameter{byAttribute[name], of, name})
	}
	for _, s := range g.Spread {
		byAttribute[s.Attribute] = taken.add(unexported(s.Attribute))
		loop := goLoop{byAttribute[s.Attribute], fmt.Sprintf("shards(%d)", s.Shards)}
		if byValues(s) {
			loop.Values = "distinct(" + parameterOf(g.Parameters, s.Attribute) + ")"
		}
		if s.Period != "" {
			loop.Values = fmt.Sprintf("k.periods(%s, %s, %q, %t)", byAttribute[design.RangeFrom],
				byAttribute[design.RangeTo], layouts[s.Period], g.Descending)
		}
		g.Loops = append(g.Loops, loop)
	}
	return byAttribute
}

// asked returns the attributes whose values a request needs, in the order of the parameters.
func asked(q *design.Query) (names []string) {
	values := slices.Clone(q.Partition.Value)
	for _, s := range q.Equal {
		values = append(values, s.Value...)
	}
	values = slices.Concat(values, q.Sort.From, q.Sort.To)
	for _, f := range q.Filters {
		values = append(values, f.Value...)
	}
	if q.Similar != "" {
		values = append(values, design.Part{Attribute: q.Similar})
	}
	for _, part := range values {
		spread := slices.ContainsFunc(q.Spread,
			func(s design.Spread) bool { return s.Attribute == part.Attribute && !byValues(s) })
		if part.Attribute != "" && !spread && !slices.Contains(names, part.Attribute) {
			names = append(names, part.Attribute)
		}
	}
	return names
}

// Vector is the parameter with the vector of a search.
func (g goQuery) Vector() string { return g.Parameters[len(g.Parameters)-1].Name }

// periods reports whether a read has to name a period.
func (c *code) periods() bool {
	return slices.ContainsFunc(c.plan.Design.Models, func(m design.Model) bool {
		return slices.ContainsFunc(m.Attributes,
			func(a design.Attribute) bool { return a.Derived != nil && a.Derived.Period != "" })
	})
}

// shards reports whether items are spread over shards.
func (c *code) shards() bool { return c.spreadOver(byShard) }

// byShard and byPeriod are the ways to spread.
func byShard(s design.Spread) bool  { return s.Shards > 0 }
func byPeriod(s design.Spread) bool { return s.Period != "" }

// spreadOver reports whether a pattern takes several requests of a kind.
func (c *code) spreadOver(kind func(design.Spread) bool) bool {
	return slices.ContainsFunc(c.plan.Queries,
		func(q design.Query) bool { return slices.ContainsFunc(q.Spread, kind) })
}

// several reports whether a pattern takes several requests.
func (c *code) several() bool {
	return slices.ContainsFunc(c.plan.Queries,
		func(q design.Query) bool {
			return len(q.Spread) > 0 && q.Operation != design.BatchGetItem
		})
}

// fetches reports whether a pattern reads items by BatchGetItem: those of keys or of an index.
func (c *code) fetches() bool {
	return slices.ContainsFunc(c.plan.Queries, func(q design.Query) bool {
		return q.Fetch || q.Operation == design.BatchGetItem
	})
}

// keyNames writes the attributes of the primary key as arguments.
func (c *code) keyNames() string {
	return strings.TrimSuffix(strings.TrimPrefix(fmt.Sprintf("%#v", c.Key), "[]string{"), "}")
}

// searches reports whether patterns search by vectors.
func (c *code) searches() bool { return len(c.plan.VectorIndexes) > 0 }

// beginning returns the part of a query's condition that is a beginning, or an empty part.
func beginning(q *design.Query) (part design.Part) {
	if n := len(q.Sort.From); n > 0 && q.Sort.From[n-1].Begins {
		return q.Sort.From[n-1]
	}
	return part
}

// functionName makes the name of a query's function: "posts of a genre" is QueryPostsOfAGenre.
func functionName(q *design.Query) string {
	name := exported(q.Pattern)
	if strings.HasPrefix(name, "Get") || strings.HasPrefix(name, "Query") {
		return name
	}
	return verbs[q.Operation] + name
}

var verbs = map[design.Operation]string{
	design.GetItem: "Get", design.QueryRequest: "Query", design.SearchVectors: "Search",
	design.BatchGetItem: "Fetch",
}

// comment writes a text in one line of a comment.
func comment(text string) string {
	return strings.Join(strings.Fields(strings.ToValidUTF8(text, "")), " ")
}

// Signature writes the parameters of a function.
func (g goQuery) Signature() string {
	parts := make([]string, len(g.Parameters))
	for i, p := range g.Parameters {
		parts[i] = p.Name + " " + p.Type
	}
	return strings.Join(parts, ", ")
}

// names returns the names of the parameters.
func (g goQuery) names() (names []string) {
	for _, p := range g.Parameters {
		names = append(names, p.Name)
	}
	return names
}

// arguments writes the values of a request as the arguments of its function.
func (g goQuery) arguments(values design.Row) string {
	parts := make([]string, len(g.Parameters))
	for i, p := range g.Parameters {
		switch v := values[p.attribute].(type) {
		case []byte:
			parts[i] = fmt.Sprintf("[]byte(%q)", v)
		case bool:
			parts[i] = strconv.FormatBool(v)
		case []any:
			parts[i] = p.Type + "{" + literals(p.Type, v) + "}"
		default:
			parts[i] = strconv.Quote(plain(v))
		}
	}
	return strings.Join(parts, ", ")
}

// literals writes the elements of a list of a type.
func literals(of string, list []any) string {
	parts := make([]string, len(list))
	for i, v := range list {
		if parts[i] = fmt.Sprint(v); of != "[]float64" {
			parts[i] = strconv.Quote(plain(v))
		}
	}
	return strings.Join(parts, ", ")
}

// caseName writes a pattern with the values of a request.
func caseName(pattern string, values design.Row) string {
	parts := []string{pattern}
	for _, name := range slices.Sorted(maps.Keys(values)) {
		if list, is := values[name].([]any); is {
			if _, vector := list[0].(float64); !vector {
				parts = append(parts, name+" "+literals("", list))
			}
			continue
		}
		parts = append(parts, name+" "+plain(values[name]))
	}
	return strings.Join(parts, ", ")
}

// parameterOf returns the name of the parameter of an attribute.
func parameterOf(parameters []goParameter, attribute string) string {
	i := slices.IndexFunc(parameters,
		func(p goParameter) bool { return p.attribute == attribute })
	return parameters[i].Name
}
