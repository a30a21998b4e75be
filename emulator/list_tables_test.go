package emulator

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestListTables(t *testing.T) {
	x := newTableTest(t)
	assert.JSONEq(t, `{"TableNames":[]}`, x.ok("ListTables", `{}`))
	for _, name := range []string{"ccc", "aaa", "bbb", "Zzz"} {
		x.create(name, defs("pk"), keySchema("pk"), onDemandBilling)
	}
	for _, k := range []struct{ name, request, want string }{
		{"all", `{}`, `{"TableNames":["Zzz","aaa","bbb","ccc"]}`},
		{"a page", `{"Limit":2}`, `{"TableNames":["Zzz","aaa"],"LastEvaluatedTableName":"aaa"}`},
		{"exactly all", `{"Limit":4}`, `{"TableNames":["Zzz","aaa","bbb","ccc"]}`},
		{"after a table", `{"ExclusiveStartTableName":"aaa"}`, `{"TableNames":["bbb","ccc"]}`},
		{"after a table that there is not", `{"ExclusiveStartTableName":"aab","Limit":1}`,
			`{"TableNames":["bbb"],"LastEvaluatedTableName":"bbb"}`},
		{"after the last", `{"ExclusiveStartTableName":"ccc"}`, `{"TableNames":[]}`},
	} {
		t.Run(k.name,
			func(t *testing.T) { assert.JSONEq(t, k.want, x.ok("ListTables", k.request)) })
	}
}

func TestListTablesPagesOfHundred(t *testing.T) {
	x := newTableTest(t)
	for i := range 101 {
		x.create(fmt.Sprintf("table%03d", i), defs("pk"), keySchema("pk"), onDemandBilling)
	}
	assert.Equal(t, `"table099"`, x.member("ListTables", `{}`, "LastEvaluatedTableName"))
	assert.JSONEq(t, `{"TableNames":["table100"]}`,
		x.ok("ListTables", `{"ExclusiveStartTableName":"table099"}`))
}
