package policy_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/conventions/policy"
	"github.com/kugiri-db/kugiri/conventions/policy/request"
	"github.com/kugiri-db/kugiri/expr"
	"github.com/kugiri-db/kugiri/storage/item"
)

const (
	ulid1 = "01HX7MBJK3V9WQBZ7XNDK5ZT2M"
	ulid2 = "01HX7MBJK3V9WQBZ7XNDK5ZT2N"
)

func compile(t testing.TB, p policy.Policy) *policy.Engine {
	t.Helper()
	e, err := policy.Compile(p)
	require.NoError(t, err)
	return e
}

var (
	tenant1 = request.Caller{AccessKey: "AK1"}
	admin   = request.Caller{AccessKey: "ADMIN"}
)

// it makes an item of strings, given as name, value, name, value; a value that begins with "=" is a
// number.
func it(pairs ...string) item.Item {
	var attributes []item.Attribute
	for i := 0; i < len(pairs); i += 2 {
		v := item.String(pairs[i+1])
		if len(pairs[i+1]) > 1 && pairs[i+1][0] == '=' {
			v = item.Value(`{"N":"` + pairs[i+1][1:] + `"}`)
		}
		attributes = append(attributes, item.Attribute{Name: pairs[i], Value: v})
	}
	return item.New(attributes...)
}

func key(pk, sk string) item.Item { return it("pk", pk, "sk", sk) }

// values of expressions, :one to :five and :text.
func scope(t testing.TB) *expr.Scope {
	t.Helper()
	s, err := expr.NewScope(
		[]expr.Name{{Placeholder: "#v", Attribute: "version"},
			{Placeholder: "#s", Attribute: "status"}}, it(
			":zero", "=0", ":one", "=1", ":two", "=2", ":three", "=3", ":four", "=4", ":five", "=5",
			":text", "text"))
	require.NoError(t, err)
	return s
}

func condition(t testing.TB, src string) *expr.Condition {
	t.Helper()
	c, err := scope(t).Condition(expr.KindCondition, src)
	require.NoError(t, err)
	return c
}

func update(t testing.TB, src string) *expr.Update {
	t.Helper()
	u, err := scope(t).Update(src)
	require.NoError(t, err)
	return u
}

// ids are the rules of findings, in order.
func ids(findings []policy.Finding) []string {
	list := []string{}
	for _, f := range findings {
		list = append(list, f.Rule.ID)
	}
	return list
}
