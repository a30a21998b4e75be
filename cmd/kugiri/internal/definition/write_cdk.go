package definition

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"
)

// writeCDK writes a stack with the tables in TypeScript. CfnTable has all that CloudFormation has,
// under the names that the CDK makes of its names.
func writeCDK(tables []*Described) []byte {
	var b bytes.Buffer
	b.WriteString(
		"import { CfnTable } from \"aws-cdk-lib/aws-dynamodb\";\nimport { RemovalPolicy, Stack, StackProps } from \"aws-cdk-lib\";\n" +
			"import { Construct } from \"constructs\";\n\nexport class TablesStack extends Stack {\n" +
			"  constructor(scope: Construct, id: string, props?: StackProps) {\n    super(scope, id, props);\n")
	for i, name := range logicalNames(tables) {
		fmt.Fprintf(&b, "\n    new CfnTable(this, %s, ", quoted(name))
		typeScript(&b, membersOf(reflect.ValueOf(*tables[i].properties)), "    ")
		b.WriteString(").applyRemovalPolicy(RemovalPolicy.RETAIN);\n")
	}
	b.WriteString("  }\n}\n")
	return b.Bytes()
}

// typeScript writes a value.
func typeScript(b *bytes.Buffer, v any, indent string) {
	switch v := v.(type) {
	case []member:
		b.WriteString("{\n")
		for _, m := range v {
			fmt.Fprintf(b, "%s  %s: ", indent, camel(m.name))
			typeScript(b, m.value, indent+"  ")
			b.WriteString(",\n")
		}
		b.WriteString(indent + "}")
	case []any:
		b.WriteString("[")
		for i, each := range v {
			if i > 0 {
				b.WriteString(", ")
			}
			typeScript(b, each, indent)
		}
		b.WriteString("]")
	case map[string]any: // a policy: its names stay
		b.WriteString("{\n")
		for _, name := range sortedKeys(v) {
			fmt.Fprintf(b, "%s  %s: ", indent, nameInTypeScript(name))
			typeScript(b, v[name], indent+"  ")
			b.WriteString(",\n")
		}
		b.WriteString(indent + "}")
	default:
		b.WriteString(quoted(v))
	}
}

// quoted writes a scalar as TypeScript and JSON have it.
func quoted(v any) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		panic(err) // strings, numbers and booleans have a form
	}
	return strings.TrimSuffix(b.String(), "\n")
}

func nameInTypeScript(name string) string {
	if identifier().MatchString(name) {
		return name
	}
	return quoted(name)
}

// camel returns the CDK's name of a property: its first word in small letters.
func camel(name string) string {
	letters := []rune(name)
	end := slices.IndexFunc(letters, func(r rune) bool { return !unicode.IsUpper(r) })
	switch {
	case end < 0:
		end = len(letters)
	case end > 1:
		end-- // the last capital begins the next word
	}
	return strings.ToLower(string(letters[:end])) + string(letters[end:])
}

var identifier = sync.OnceValue(
	func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z_$][\w$]*$`) })
