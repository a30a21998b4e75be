package policy_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/conventions/policy"
	"github.com/kugiri-db/kugiri/expr"
	"github.com/kugiri-db/kugiri/storage/item"
)

// amended returns an amendment as a condition.
func amended(t *testing.T, a policy.Amendment) *expr.Condition {
	t.Helper()
	var names []expr.Name
	for placeholder, attribute := range a.Names {
		names = append(names, expr.Name{Placeholder: placeholder, Attribute: attribute})
	}
	var attributes []item.Attribute
	for placeholder, v := range a.Values {
		attributes = append(attributes, item.Attribute{Name: placeholder, Value: v})
	}
	var values item.Item
	if attributes != nil {
		values = item.New(attributes...)
	}
	s, err := expr.NewScope(names, values)
	require.NoError(t, err)
	c, err := s.Condition(expr.KindCondition, a.Expression)
	require.NoError(t, err)
	require.NoError(t, s.Unused())
	return c
}
