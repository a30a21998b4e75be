package render

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"go.yaml.in/yaml/v3"

	"github.com/kugiri-db/kugiri/conventions/design"
	"github.com/kugiri-db/kugiri/expr"
)

// writeYAML writes a value with a comment above it.
func writeYAML(comment string, v any) ([]byte, error) {
	var b bytes.Buffer
	b.WriteString("# " + comment + "\n")
	e := yaml.NewEncoder(&b)
	e.SetIndent(2)
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return b.Bytes(), e.Close()
}

// cloudFormation writes a template. The properties of AWS::DynamoDB::Table are the members of
// CreateTable. A stack that is deleted leaves the table.
func (t tables) cloudFormation() ([]byte, error) {
	resources := map[string]resource{}
	for _, r := range t {
		resources[r.logical] = r.resource()
	}
	return writeYAML(t.the()+" for CloudFormation.", struct {
		Version   string              `yaml:"AWSTemplateFormatVersion"`
		Resources map[string]resource `yaml:"Resources"`
	}{"2010-09-09", resources})
}

// resource is a resource of a template.
type resource struct {
	Type                string         `yaml:"Type"`
	DeletionPolicy      string         `yaml:"DeletionPolicy"`
	UpdateReplacePolicy string         `yaml:"UpdateReplacePolicy"`
	Properties          map[string]any `yaml:"Properties"`
}

// resource returns the table's resource.
func (r *renderer) resource() resource {
	properties := r.plan.CreateTable()
	if ttl := r.plan.TimeToLive(); ttl != nil {
		properties["TimeToLiveSpecification"] = ttl["TimeToLiveSpecification"]
	}
	if r.plan.Streams() { // a template enables the stream by naming what it shows
		properties["StreamSpecification"] = map[string]any{"StreamViewType": design.StreamView}
	}
	return resource{"AWS::DynamoDB::Table", "Retain", "Retain", properties}
}

// createTable is a part of the input of CreateTable.
type createTable struct {
	TableName            string
	AttributeDefinitions []struct{ AttributeName, AttributeType string }
}

// terraform writes a resource as "terraform fmt" does.
func (r *renderer) terraform() ([]byte, error) {
	text, err := json.Marshal(r.plan.CreateTable())
	if err != nil {
		return nil, err
	}
	var in createTable
	if err := json.Unmarshal(text, &in); err != nil {
		return nil, err
	}
	arguments := []argument{{"name", hclQuote(in.TableName)}, {"billing_mode", `"PAY_PER_REQUEST"`}}
	arguments = append(arguments, key(r.plan.Key)...)
	if r.plan.Streams() {
		arguments = append(arguments, argument{"stream_enabled", "true"},
			argument{"stream_view_type", hclQuote(design.StreamView)})
	}
	h := &hcl{}
	for _, v := range r.plan.VectorIndexes {
		h.line("# The resource has no vector indexes: create %s by UpdateTable.", v.Name)
	}
	h.open("# The table %s for Terraform.\nresource \"aws_dynamodb_table\" %s {", in.TableName,
		hclQuote(hclName(in.TableName)))
	h.set(arguments...)
	for _, a := range in.AttributeDefinitions {
		if !r.inKey(a.AttributeName) {
			continue
		}
		h.block("attribute", argument{"name", hclQuote(a.AttributeName)},
			argument{"type", hclQuote(a.AttributeType)})
	}
	for i := range r.plan.Indexes {
		h.index(&r.plan.Indexes[i])
	}
	if r.plan.TTL != "" {
		h.block("ttl", argument{"attribute_name", hclQuote(r.plan.TTL)},
			argument{"enabled", "true"})
	}
	h.close()
	return h.Bytes(), nil
}

// inKey reports whether an attribute is in the key of the table or of an index.
func (r *renderer) inKey(name string) bool {
	return r.plan.Key.Has(name) ||
		slices.ContainsFunc(r.plan.Indexes, func(i design.Index) bool { return i.Key.Has(name) })
}

func key(k design.Key) []argument {
	arguments := []argument{{"hash_key", hclQuote(k.Partition)}}
	if k.Sort != "" {
		arguments = append(arguments, argument{"range_key", hclQuote(k.Sort)})
	}
	return arguments
}

// hcl writes HashiCorp's configuration language.
type hcl struct {
	bytes.Buffer
	indent string
}

// argument is an argument of a block. Its value is an expression.
type argument struct{ name, value string }

func (h *hcl) line(format string, args ...any) {
	fmt.Fprintf(h, h.indent+format+"\n", args...)
}

func (h *hcl) open(format string, args ...any) {
	h.line(format, args...)
	h.indent += "  "
}

func (h *hcl) close() {
	h.indent = h.indent[2:]
	h.line("}")
}

// set writes arguments with their equals signs in one column.
func (h *hcl) set(arguments ...argument) {
	width := 0
	for _, a := range arguments {
		width = max(width, len(a.name))
	}
	for _, a := range arguments {
		h.line("%-*s = %s", width, a.name, a.value)
	}
}

// block writes a block below what is there.
func (h *hcl) block(name string, arguments ...argument) {
	h.WriteByte('\n')
	h.open("%s {", name)
	h.set(arguments...)
	h.close()
}

// index writes the block of an index. A local index has the partition key of the table.
func (h *hcl) index(index *design.Index) {
	kind, keys := "global_secondary_index", key(index.Key)
	if index.Key.Several() { // blocks below: the provider has them from version 6.29 on
		keys = nil
	}
	if index.Local {
		kind, keys = "local_secondary_index", keys[1:]
	}
	arguments := append([]argument{{"name", hclQuote(index.Name)}}, keys...)
	arguments = append(arguments,
		argument{"projection_type", hclQuote(string(cmp.Or(index.Projection.Type, design.All)))})
	if names := index.Projection.Attributes; len(names) > 0 {
		arguments = append(arguments, argument{"non_key_attributes", hclList(names)})
	}
	if !index.Key.Several() {
		h.block(kind, arguments...)
		return
	}
	h.WriteByte('\n')
	h.open("%s {", kind)
	h.set(arguments...)
	for _, name := range index.Key.Partitions() {
		h.element(name, "HASH")
	}
	for _, name := range index.Key.Sorts() {
		h.element(name, "RANGE")
	}
	h.close()
}

// element writes the block of an attribute of a key that has several.
func (h *hcl) element(attribute, kind string) {
	h.block("key_schema", argument{"attribute_name", hclQuote(attribute)},
		argument{"key_type", hclQuote(kind)})
}

// hclQuote writes a string in quotes. "${" and "%{" would begin a template.
func hclQuote(text string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, c := range strings.NewReplacer("${", "$${", "%{", "%%{").Replace(text) {
		switch {
		case c == '"' || c == '\\':
			b.WriteString(`\` + string(c))
		case !unicode.IsPrint(c) && c > 0xFFFF:
			fmt.Fprintf(&b, `\U%08x`, c)
		case !unicode.IsPrint(c):
			fmt.Fprintf(&b, `\u%04x`, c)
		default:
			b.WriteRune(c)
		}
	}
	return b.String() + `"`
}

func hclList(texts []string) string {
	quoted := make([]string, len(texts))
	for i, text := range texts {
		quoted[i] = hclQuote(text)
	}
	return "[" + strings.Join(quoted, ", ") + "]"
}

// hclName makes the name of a resource: letters, digits, _ and -, and no digit first.
func hclName(table string) string {
	name := strings.ReplaceAll(table, ".", "_")
	if first := name[0]; first == '-' || '0' <= first && first <= '9' {
		name = "table_" + name
	}
	return name
}

// accessPattern is a pattern in the form of package patternfile.
type accessPattern struct {
	Name      string `yaml:"name"`
	Table     string `yaml:"table"`
	Index     string `yaml:"index,omitempty"`
	Operation string `yaml:"operation"`
	Key       string `yaml:"keyCondition,omitempty"`
}

// patterns writes what reports of traffic compare requests with.
func (t tables) patterns() ([]byte, error) {
	var file struct {
		Patterns []accessPattern `yaml:"patterns"`
	}
	names := scope{}
	for _, r := range t {
		for _, q := range r.plan.Queries {
			names[q.Pattern] = true
		}
	}
	for _, r := range t {
		for i := range r.plan.Queries {
			file.Patterns = append(file.Patterns, r.accessPatterns(&r.plan.Queries[i], names)...)
		}
	}
	comment := "The access patterns of the table " + t.names()
	if len(t) > 1 {
		comment = "The access patterns of the tables " + t.names()
	}
	return writeYAML(comment+". Compare traffic with them.", file)
}

// accessPatterns returns the pattern of a query, and that of the items which it fetches.
func (r *renderer) accessPatterns(q *design.Query, names scope) []accessPattern {
	table := r.plan.Design.Table
	p := accessPattern{
		Name: q.Pattern, Table: table, Index: q.Index, Operation: string(q.Operation),
	}
	if q.Operation == design.QueryRequest {
		p.Key = condition(q)
	}
	if !q.Fetch {
		return []accessPattern{p}
	}
	return []accessPattern{p, {Name: names.add(q.Pattern + ": the items"), Table: table,
		Operation: "BatchGetItem"}}
}

// condition writes the key condition of a query as reports of traffic do.
func condition(q *design.Query) string {
	text := q.Partition.Name + " = ?"
	for _, s := range q.Equal {
		text += " AND " + s.Name + " = ?"
	}
	switch q.Sort.Operator {
	case "":
		return text
	case expr.KeyBeginsWith:
		return text + " AND begins_with(" + q.Sort.Name + ", ?)"
	case expr.KeyBetween:
		return text + " AND " + q.Sort.Name + " BETWEEN ? AND ?"
	}
	return text + " AND " + q.Sort.Name + " " + string(q.Sort.Operator) + " ?"
}
