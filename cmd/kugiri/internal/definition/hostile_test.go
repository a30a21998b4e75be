package definition

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestHostile reads small files that refer to themselves or stand for something large. Each says so
// in time.
func TestHostile(t *testing.T) {
	double := "service: s\ncustom:\n  a0: " + strings.Repeat("x", 100) + "\n"
	list := "service: s\ncustom:\n  a0: [" + strings.Repeat("x,", 9) + "x]\n"
	locals := "locals {\n  a0 = \"0123456789\"\n"
	tuples := "locals {\n  a0 = [1]\n"
	conditions := "Conditions:\n  C0: !Equals [a, a]\n"
	for i := 1; i <= 30; i++ {
		before := fmt.Sprintf("${self:custom.a%d}", i-1)
		double += fmt.Sprintf("  a%d: %s\n", i, strings.Repeat(before, 4))
		list += fmt.Sprintf("  a%d: [%s]\n", i, strings.Repeat("'"+before+"',", 4))
		locals += fmt.Sprintf("  a%d = \"%s\"\n", i,
			strings.Repeat(fmt.Sprintf("${local.a%d}", i-1), 10))
		tuples += fmt.Sprintf("  a%d = [%s]\n", i,
			strings.Repeat(fmt.Sprintf("local.a%d,", i-1), 10))
		conditions += fmt.Sprintf("  C%d: !And [!Condition C%d, !Condition C%d]\n", i, i-1, i-1)
	}
	uses := "resources: {Resources: {T: {Type: AWS::DynamoDB::Table, Properties: {TableName: t, " +
		pk + ", Tags: [{Key: k, Value: '${self:custom.a30}'}]}}}}"
	resource := "resource \"aws_dynamodb_table\" \"t\" {\n  name = \"t\"\n  hash_key = \"pk\"\n" +
		"  tags = { a = jsonencode(%s) }\n}\n"
	ranges := "[for a in range(1000): [for b in range(1000): [for c in range(1000): " +
		"[for d in range(1000): a]]]]"
	table := "Type: AWS::DynamoDB::Table, Properties: {" + pk + ", TableName: "
	for _, c := range []struct{ name, file, text, says string }{
		{"two names of each other", "t.yaml", "Resources:\n  Aaa: {" + table + "!Ref Bbb}}\n" +
			"  Bbb: {" + table + "!Sub '${Aaa}'}}\n",
			"a circle: resource Aaa refers to resource Bbb refers to resource Aaa"},
		{"a name of itself", "t.yaml", "Resources:\n  Aaa: {" + table + "!GetAtt Aaa.Arn}}\n",
			"a circle: resource Aaa refers to resource Aaa"},
		{"conditions of each other", "t.yaml", "Conditions: {A: !Not [!Condition B], B: !Not [!Condition A]}\n" +
			"Resources:\n  Aaa: {Condition: A, " + table + "aaa}}\n",
			"a circle: condition A refers to condition B refers to condition A"},
		{"conditions twice each", "t.yaml", conditions +
			"Resources:\n  Aaa: {Condition: C30, " + table + "!Ref Bbb}}\n", "Bbb cannot be resolved"},
		{"names that double", "t.yaml", "Resources:\n" + doubling(40, "  T%d: {"+table+
			"'x'}}\n", "  T%d: {"+table+"!Sub '${T%d}${T%[2]d}'}}\n"), "more than"},
		{"texts that double", "s.yml", double + uses, "more than"},
		{"lists that double", "s.yml", list + uses, "more than"},
		{"variables of each other", "s.yml", "service: s\ncustom: {a: '${self:custom.b}', b: '${self:custom.a}'}\n" +
			strings.ReplaceAll(uses, "a30", "a"), "refers to ${self:custom.b} refers to ${self:custom.a}"},
		{"a file in itself", "s.yml", "service: s\ncustom: {a30: '${file(s.yml):custom.a30}'}\n" + uses,
			"a circle: ${file(s.yml):custom.a30}"},
		{"the whole file in itself", "s.yml", "service: s\ncustom: {a30: '${self:}'}\n" + uses,
			"a circle: ${self:}"},
		{"locals that grow", "m.tf", locals + "}\n" +
			fmt.Sprintf(resource, "local.a30"), "more than"},
		{"tuples that grow", "m.tf", tuples + "}\n" +
			fmt.Sprintf(resource, "local.a30"), "more than"},
		{"locals of each other", "m.tf", "locals {\n  a = local.b\n  b = local.a\n}\n" +
			fmt.Sprintf(resource, "local.a"), "a circle: local.a refers to local.b refers to local.a"},
		{"a variable of its table", "m.tf", fmt.Sprintf(resource, "aws_dynamodb_table.t.tags"),
			"a circle: aws_dynamodb_table.t.tags refers to aws_dynamodb_table.t.tags"},
		{"nested ranges", "m.tf", fmt.Sprintf(resource, ranges), "more than"},
		{"try and ranges", "m.tf", fmt.Sprintf(resource, "try("+ranges+", 1)"), "more than"},
		{"a product", "m.tf", fmt.Sprintf(resource,
			"setproduct(range(1000), range(1000), range(1000))"), "more than"},
		{"a separator", "m.tf", fmt.Sprintf(resource,
			"join(join(\"0123456789\", range(1000)), [for a in range(1000): range(100)]...)"), "more than"},
		{"a width", "m.tf", fmt.Sprintf(resource, `format("%1000000000s", "a")`), "more than"},
		{"an indent", "m.tf", fmt.Sprintf(resource, `indent(1000000000, "a\nb")`), "more than"},
		{"a number in a text", "m.tf", fmt.Sprintf(resource, `"a${1e600000000}"`),
			"more than 4096 digits"},
		{"a small number in a text", "m.tf", fmt.Sprintf(resource, `"a${1e-600000000}"`),
			"more than 4096 digits"},
		{"a number as a name", "m.tf", fmt.Sprintf(resource, `{(1e600000000) = 1}`),
			"more than 4096 digits"},
		{"a sum of numbers", "m.tf", fmt.Sprintf(resource, `1e600000000 + 1`),
			"more than 4096 digits"},
		{"a product of numbers", "m.tf", fmt.Sprintf(resource, "[for a in [1e1000] : "+
			"a*a*a*a*a]"), "more than 4096 digits"},
		{"a number in JSON", "m.tf", fmt.Sprintf(resource, `jsondecode("1e600000000")`),
			"more than 4096 digits"},
		{"a long number", "m.tf", fmt.Sprintf(resource, strings.Repeat("1", 1<<20)),
			"more than 4096 digits"},
		{"a text that is a long number", "m.tf",
			fmt.Sprintf(resource, `tonumber("`+strings.Repeat("1", 1<<20)+`")`), "more than"},
		{"a network with a huge number", "m.tf",
			fmt.Sprintf(resource, `cidrsubnet("10.0.0.0/8", 8, 1e600000000)`), "more than 4096 digits"},
		{"a network with too few bits", "m.tf", fmt.Sprintf(resource, `cidrsubnet("10.0.0.0/8", -1, 0)`),
			"a prefix of 8 bits cannot be longer by -1 bits"},
		{"a network with too many bits", "m.tf",
			fmt.Sprintf(resource, `cidrsubnet("10.0.0.0/8", 1e300, 0)`),
			"a prefix of 8 bits cannot be longer by 1e+300 bits"},
		{"a host with a huge number", "m.tf",
			fmt.Sprintf(resource, `cidrhost("10.0.0.0/8", 1e300)`),
			"1e+300 is no whole number of at most 128 bits"},
		{"a count", "m.tf",
			strings.Replace(fmt.Sprintf(resource, "1"), "{", "{\n  count = 1e9\n", 1),
			"it is no number up to 1000"},
		{"YAML in an expression", "m.tf", fmt.Sprintf(resource,
			`yamldecode("a: &a [1,1,1,1,1,1,1,1]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a]\n`+
				`c: &c [*b,*b,*b,*b,*b,*b,*b,*b]\nd: &d [*c,*c,*c,*c,*c,*c,*c,*c]\n`+
				`e: &e [*d,*d,*d,*d,*d,*d,*d,*d]\nf: &f [*e,*e,*e,*e,*e,*e,*e,*e]\ng: [*f,*f,*f,*f,*f,*f,*f,*f]")`),
			"too large"},
		{"a module in itself", "m.tf", "module \"m\" { source = \"./\" }\n", "a circle"},
		{"JSON that is deep", "m.tf.json",
			`{"locals": {"a": "${` + strings.Repeat("(", 9999) + `"}}`,
			"levels deep"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := write(t, map[string]string{c.file: c.text})
			d, err := Read(t.Context(), values(), filepath.Join(dir, c.file))
			if err != nil {
				require.ErrorContains(t, err, c.says)
				return
			}
			var notes []string
			for _, n := range d.Notes {
				notes = append(notes, n.String())
			}
			assert.Contains(t, strings.Join(notes, "\n"), c.says)
		})
	}
}

// doubling returns lines. Each refers to the one before.
func doubling(n int, first, others string) string {
	var b strings.Builder
	fmt.Fprintf(&b, first, 100)
	for i := 1; i < n; i++ {
		fmt.Fprintf(&b, others, 100+i, 99+i)
	}
	return b.String()
}
