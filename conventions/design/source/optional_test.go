package source

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/conventions/design"
)

// TestSparseIndex: an index that few items are in stays, with the part that they are.
func TestSparseIndex(t *testing.T) {
	text := func(format string, args ...any) Value {
		v := fmt.Sprintf(format, args...)
		return Value{Type: "S", Text: v, Bytes: len(v)}
	}
	table := Table{Name: "complaints", Key: design.Key{Partition: "pk", Sort: "sk"}, Count: 100_000,
		Indexes: []TableIndex{{Name: "escalated", Key: design.Key{Partition: "agent",
			Sort: "since"}}}}
	for n := range 100 {
		it := Item{Attributes: map[string]Value{"pk": text("CUSTOMER#c%d", n%7),
			"sk": text("COMPLAINT#2026-01-01T00:00:%02dZ", n), "topic": text("t%d", n%5)}}
		if n%50 == 0 {
			it.Attributes["agent"] = text("agent%d", n)
			it.Attributes["since"] = text("2026-02-01T00:00:%02dZ", n%60)
		}
		table.Items = append(table.Items, it)
	}
	draft, err := ReadTable(table)
	require.NoError(t, err)
	m := draft.Design.Models[0]
	assert.InDelta(t, 0.02, m.Attribute("agent").Optional, 1e-9)
	plan, err := design.Make(&draft.Design)
	require.NoError(t, err)
	require.Len(t, plan.Indexes, 1)
	assert.True(t, plan.Indexes[0].Sparse)
	assert.Zero(t, m.Attribute("topic").Optional)
}
