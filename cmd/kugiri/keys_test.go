package main

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestKeysRecommend(t *testing.T) {
	out, _, err := runs(t, "keys", "recommend", "--data", "parent-child", "--independent-children",
		"no")
	require.NoError(t, err)
	assert.Contains(t, out, "Pattern: hierarchy (shared partition key) (hierarchical)\n")
	assert.Contains(t, out, "SK:      TYPE#parentId[#childId]\n")
	assert.Contains(t, out, "SK ORDER_ITEM#01HX7MBJK3V9WQBZ7XNDK5ZT2M#001\n")
	assert.Contains(t, out, `Key design patterns, "Pattern 2: hierarchical entities"`)
}

func TestKeysRecommendErrors(t *testing.T) {
	for _, c := range []struct {
		name string
		args []string
		says string
	}{
		{"no answer", nil,
			"--data is needed. What kind of data do you store?\n  --data standalone: entities that stand alone (products, customers)\n"},
		{"an open question", []string{"--data", "parent-child"},
			"--independent-children is needed. Do the children need to be accessed on their own?\n" +
				"  --independent-children yes: yes, without their parent\n  --independent-children no: no, only with their parent"},
		{"no such answer", []string{"--data", "rows"},
			`--data is needed: it cannot be "rows". What kind`},
		{"an answer too many", []string{"--data", "events", "--independent-children", "no"},
			`the answer to "independent-children" does not matter here: leave it out`},
		{"an argument", []string{"events"}, `unknown argument "events"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			out, _, err := runs(t, append([]string{"keys", "recommend"}, c.args...)...)
			require.ErrorContains(t, err, c.says)
			assert.Empty(t, out)
		})
	}
}

func TestKeysHelp(t *testing.T) {
	out, _, err := runs(t, "keys")
	require.NoError(t, err)
	assert.Contains(t, out, "recommend")
	out, _, err = runs(t, "keys", "recommend", "--help")
	require.NoError(t, err)
	assert.Contains(t, out, "own? (yes|no)")
	out, _, err = runs(t, "__complete", "keys", "recommend", "--data", "")
	require.NoError(t, err)
	assert.Contains(t, out, "standalone\nparent-child\n")
}
