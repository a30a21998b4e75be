package designs

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/conventions/design/source"
	"github.com/kugiri-db/kugiri/emulator/traffic"
	"github.com/kugiri-db/kugiri/expr"
)

// TestConditionOf checks how conditions of recorded requests are read.
func TestConditionOf(t *testing.T) {
	for _, c := range []struct {
		name, condition, values string
		want                    source.Condition
		fails                   bool
	}{
		{"a key of one attribute", "", `[{"S":"a"}]`, source.Condition{Partition: "a"}, false},
		{"a key of two attributes", "", `[{"S":"a"},{"N":"1"}]`,
			source.Condition{Partition: "a", Operator: expr.KeyEqual, From: "1"}, false},
		{"a partition", "pk = ?", `[{"S":"a"}]`, source.Condition{Partition: "a"}, false},
		{"begins_with", "pk = ? AND begins_with(sk, ?)", `[{"S":"a"},{"S":"b"}]`,
			source.Condition{Partition: "a", Operator: expr.KeyBeginsWith, From: "b"}, false},
		{"BETWEEN", "pk = ? AND sk BETWEEN ? AND ?", `[{"S":"a"},{"S":"b"},{"S":"c"}]`,
			source.Condition{Partition: "a", Operator: expr.KeyBetween, From: "b", To: "c"}, false},
		{"a comparison", "pk = ? AND a b >= ?", `[{"S":"a"},{"S":"b"}]`,
			source.Condition{Partition: "a", Operator: expr.KeyAtLeast, From: "b"}, false},
		{"several partitions", "pk = ? AND in several partitions", `[{"S":"a"}]`,
			source.Condition{}, true},
		{"a key of several attributes", "a = ? AND b = ? AND c = ? AND d = ?",
			`[{"S":"a"},{"S":"b"},{"S":"c"},{"S":"d"}]`, source.Condition{Partition: "a",
				Also: []string{"b", "c"}, Operator: "=", From: "d"}, false},
		{"a range after several", "a = ? AND b = ? AND c BETWEEN ? AND ?",
			`[{"S":"a"},{"S":"b"},{"S":"c"},{"S":"d"}]`, source.Condition{Partition: "a",
				Also: []string{"b"}, Operator: "BETWEEN", From: "c", To: "d"}, false},
		{"more values than attributes", "a = ?", `[{"S":"a"},{"S":"b"},{"S":"c"},{"S":"d"}]`,
			source.Condition{}, true},
		{"fewer", "a = ? AND b = ? AND c = ?", `[{"S":"a"}]`, source.Condition{}, true},
		{"a value of no key", "", `[{"L":[]}]`, source.Condition{}, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			var values []json.RawMessage
			require.NoError(t, json.Unmarshal([]byte(c.values), &values))
			got, err := conditionOf(&traffic.KeyReport{KeyCondition: c.condition}, values)
			assert.Equal(t, c.fails, err != nil, "%v", err)
			if !c.fails {
				assert.Equal(t, c.want, got)
			}
		})
	}
}
