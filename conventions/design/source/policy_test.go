package source

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/conventions/design"
	"github.com/kugiri-db/kugiri/conventions/design/designfile"
)

// policyOf writes the policy of a plan: its entities with the patterns of their keys.
func policyOf(plan *design.Plan) string {
	var b strings.Builder
	entities := func(indent string, k design.Key) {
		for i := range plan.Entities {
			e, m := &plan.Entities[i], &plan.Design.Models[i]
			partition, sort := keyPattern(e, m, k.Partition), keyPattern(e, m, k.Sort)
			if partition != "" && (k.Sort == "" || sort != "") {
				fmt.Fprintf(&b, "%s  - {name: %s, tenant: none, partition: %q, sort: %q}\n", indent, e.Model, partition, sort)
			}
		}
	}
	key := func(k design.Key) string {
		if k.Sort == "" {
			return fmt.Sprintf("{partition: %s}", k.Partition)
		}
		return fmt.Sprintf("{partition: %s, sort: %s}", k.Partition, k.Sort)
	}
	fmt.Fprintf(&b, "tables:\n  - name: %s\n    role: plain\n    key: %s\n    entities:\n", plan.Design.Table, key(plan.Key))
	entities("    ", plan.Key)
	if len(plan.Indexes) > 0 {
		b.WriteString("    indexes:\n")
	}
	for _, index := range plan.Indexes {
		fmt.Fprintf(&b, "      - name: %s\n        key: %s\n        entities:\n", index.Name, key(index.Key))
		entities("        ", index.Key)
	}
	return b.String()
}

// keyPattern returns what an entity has in a key attribute, as policies write it, or "".
func keyPattern(e *design.Entity, m *design.Model, name string) string {
	i := slices.IndexFunc(e.Keys, func(s design.Stored) bool { return s.Name == name })
	if i < 0 {
		return ""
	}
	var b strings.Builder
	for _, part := range e.Keys[i].Value {
		a := attributeOf(m, part.Attribute)
		switch {
		case a == nil:
			b.WriteString(part.Text)
		case a.Format == design.ULID || a.Format == design.Timestamp:
			fmt.Fprintf(&b, "{%s:%s}", a.Name, a.Format)
		default:
			fmt.Fprintf(&b, "{%s}", a.Name)
		}
	}
	return b.String()
}

// TestPolicyOfPlan checks that the policy of a planned table comes back as its design: the same models,
// whose keys hold the same attributes, and all patterns. No policy can tell the keys of the guide's example
// apart: its posts, comments and likes are under their ids.
func TestPolicyOfPlan(t *testing.T) {
	for _, file := range []string{"../../../emulator/proof/testdata/shop.yaml", "../../../emulator/proof/testdata/game.yaml"} {
		t.Run(filepath.Base(file), func(t *testing.T) {
			plan, err := designfile.PlanFile(file)
			require.NoError(t, err)
			text := policyOf(plan)
			d, err := Read([]byte(text), Options{})
			require.NoError(t, err, text)
			written := string(designfile.Write(&d.Design, d.Comments))
			require.Len(t, d.Design.Models, len(plan.Design.Models), written)
			for i, m := range plan.Design.Models {
				found := d.Design.Models[i]
				assert.Equal(t, m.Name, found.Name)
				assert.Subset(t, found.Key, m.Key, written)
			}
			for _, p := range plan.Design.Patterns {
				found := slices.ContainsFunc(d.Design.Patterns, func(q design.Pattern) bool { return q.Model == p.Model && slices.Equal(q.Equal, p.Equal) })
				assert.True(t, found || p.One, "%+v in\n%s", p, written)
			}
			again, err := design.Make(&d.Design)
			require.NoError(t, err, written)
			assert.LessOrEqual(t, len(again.Indexes), len(plan.Indexes), written)
		})
	}
}
