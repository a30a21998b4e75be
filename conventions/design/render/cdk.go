package render

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"github.com/kugiri-db/kugiri/conventions/design"
)

// cdk writes a construct of the AWS CDK in TypeScript, or one for each of several tables and one
// with all of them. Its template is that of cloudFormation.
func (t tables) cdk() ([]byte, error) {
	s := &script{}
	if len(t) == 1 {
		s.line("// The table %s for the AWS CDK: new %s(stack, \"Table\").", t.names(), t[0].construct)
	} else {
		s.line("// The tables %s for the AWS CDK: new Tables(stack, \"Tables\").", t.names())
	}
	s.line(`import { RemovalPolicy } from "aws-cdk-lib";`)
	s.line(`import * as dynamodb from "aws-cdk-lib/aws-dynamodb";`)
	s.line("import { Construct } from \"constructs\";\n")
	for i, r := range t {
		if i > 0 {
			s.line("")
		}
		if err := r.cdk(s); err != nil {
			return nil, err
		}
	}
	if len(t) > 1 {
		t.constructs(s)
	}
	return []byte(s.String()), nil
}

// constructs writes the construct that has those of all tables.
func (t tables) constructs(s *script) {
	names, properties := newScope("constructor", "node", "toString", "with"), []string{}
	for _, r := range t {
		properties = append(properties, names.add(unexported(r.plan.Design.Table)))
	}
	s.line("\n/** All of the tables. */\nexport class Tables extends Construct {")
	for i, r := range t {
		s.line("  readonly %s: %s;", properties[i], r.construct)
	}
	s.line("\n  constructor(scope: Construct, id: string) {\n    super(scope, id);")
	for i, r := range t {
		s.line("    this.%s = new %s(this, %s);", properties[i], r.construct,
			scriptQuote(r.construct))
	}
	s.line("  }\n}")
}

// cdk writes the construct of the table.
func (r *renderer) cdk(t *script) error {
	types, err := r.attributeTypes()
	if err != nil {
		return err
	}
	t.line("export class %s extends Construct {", r.construct)
	t.line("  readonly table: dynamodb.Table;\n")
	t.line("  constructor(scope: Construct, id: string) {\n    super(scope, id);")
	t.line("    this.table = new dynamodb.Table(this, \"Table\", {")
	t.line("      tableName: %s,", scriptQuote(r.plan.Design.Table))
	t.keys("      ", r.plan.Key, types)
	t.line("      billingMode: dynamodb.BillingMode.PAY_PER_REQUEST,")
	if r.plan.TTL != "" {
		t.line("      timeToLiveAttribute: %s,", scriptQuote(r.plan.TTL))
	}
	if r.plan.Streams() {
		t.line("      stream: dynamodb.StreamViewType.%s,", design.StreamView)
	}
	t.line("      removalPolicy: RemovalPolicy.RETAIN,\n    });")
	for i := range r.plan.Indexes {
		t.index(&r.plan.Indexes[i], types)
	}
	if err := r.overrides(t); err != nil {
		return err
	}
	t.line("  }\n}")
	return nil
}

// attributeTypes returns the types of key attributes, as the CDK names them.
func (r *renderer) attributeTypes() (map[string]string, error) {
	text, err := json.Marshal(r.plan.CreateTable())
	if err != nil {
		return nil, err
	}
	var in createTable
	if err := json.Unmarshal(text, &in); err != nil {
		return nil, err
	}
	types := map[string]string{}
	for _, a := range in.AttributeDefinitions {
		types[a.AttributeName] = map[string]string{"S": "STRING", "N": "NUMBER",
			"B": "BINARY"}[a.AttributeType]
	}
	return types, nil
}

// overrides writes what versions of the CDK have no property for, as it is in the template: vector
// indexes, and global indexes if the key of one has several attributes.
func (r *renderer) overrides(t *script) error {
	names := []string{"AttributeDefinitions"}
	if len(r.plan.VectorIndexes) > 0 {
		names = append(names, "VectorIndexes")
	}
	if slices.ContainsFunc(r.plan.Indexes,
		func(x design.Index) bool { return x.Key.Several() }) {
		names = append(names, "GlobalSecondaryIndexes")
	}
	if len(names) == 1 {
		return nil
	}
	create := r.plan.CreateTable()
	t.line("    const template = this.table.node.defaultChild as dynamodb.CfnTable;")
	for _, name := range names {
		text, err := json.MarshalIndent(create[name], "    ", "  ")
		if err != nil {
			return err
		}
		t.line("    template.addPropertyOverride(%s, %s);", scriptQuote(name), text)
	}
	return nil
}

// script is code in TypeScript.
type script struct{ lines }

func (t *script) line(format string, args ...any) { t.add(format, args...) }

// keys writes the properties of a key.
func (t *script) keys(indent string, k design.Key, types map[string]string) {
	for _, property := range []struct{ name, attribute string }{
		{"partitionKey", k.Partition}, {"sortKey", k.Sort}} {
		if property.attribute != "" {
			t.line("%s%s: { name: %s, type: dynamodb.AttributeType.%s },", indent, property.name,
				scriptQuote(property.attribute), types[property.attribute])
		}
	}
}

// index writes an index. A local one has the partition key of the table.
func (t *script) index(index *design.Index, types map[string]string) {
	if index.Key.Several() {
		return // see overrides
	}
	method, key := "addGlobalSecondaryIndex", index.Key
	if index.Local {
		method, key.Partition = "addLocalSecondaryIndex", ""
	}
	t.line("    this.table.%s({", method)
	t.line("      indexName: %s,", scriptQuote(index.Name))
	t.keys("      ", key, types)
	t.line("      projectionType: dynamodb.ProjectionType.%s,",
		cmp.Or(index.Projection.Type, design.All))
	if names := index.Projection.Attributes; len(names) > 0 {
		quoted := make([]string, len(names))
		for i, name := range names {
			quoted[i] = scriptQuote(name)
		}
		t.line("      nonKeyAttributes: [%s],", strings.Join(quoted, ", "))
	}
	t.line("    });")
}
