package render

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"github.com/kugiri-db/kugiri/conventions/design"
)

// cdk writes a construct of the AWS CDK in TypeScript. Its template is that of cloudFormation.
func (r *renderer) cdk() ([]byte, error) {
	types, err := r.attributeTypes()
	if err != nil {
		return nil, err
	}
	t := &script{}
	t.line("// The table %s for the AWS CDK: new %s(stack, \"Table\").", r.plan.Design.Table,
		r.construct())
	t.line(`import { RemovalPolicy } from "aws-cdk-lib";`)
	t.line(`import * as dynamodb from "aws-cdk-lib/aws-dynamodb";`)
	t.line("import { Construct } from \"constructs\";\n")
	t.line("export class %s extends Construct {", r.construct())
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
		return nil, err
	}
	t.line("  }\n}")
	return []byte(t.String()), nil
}

// construct is the name of the construct's class.
func (r *renderer) construct() string { return exported(r.plan.Design.Table) + "Table" }

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
