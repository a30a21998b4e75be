package emulator

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestListTablesPagesOfHundred(t *testing.T) {
	x := newTableTest(t)
	for i := range 101 {
		x.create(fmt.Sprintf("table%03d", i), defs("pk"), keySchema("pk"), onDemandBilling)
	}
	assert.Equal(t, `"table099"`, x.member("ListTables", `{}`, "LastEvaluatedTableName"))
	assert.JSONEq(t, `{"TableNames":["table100"]}`,
		x.ok("ListTables", `{"ExclusiveStartTableName":"table099"}`))
}
