package emulator

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestLongTokens: 36 characters may be up to 108 bytes.
func TestLongTokens(t *testing.T) {
	const write = `{"ClientRequestToken":"%s","TransactItems":[{"Put":{"TableName":"plain","Item":{"pk":{"S":"%s"}}}}]}`
	x := newDurableTest(t, WithHeldClock(NewClock(clockStart)))
	x.mustDo("CreateTable", itemTables[0])
	one, two := strings.Repeat("日", 36), strings.Repeat("日", 35)+"本"
	x.want(`{}`, "TransactWriteItems", fmt.Sprintf(write, one, "a"))
	for range 2 {
		x.want(`{}`, "TransactWriteItems", fmt.Sprintf(write, one, "a"))
		require.Contains(t, x.do("TransactWriteItems", fmt.Sprintf(write, one, "b")),
			"IdempotentParameterMismatchException: ")
		x.want(`{}`, "TransactWriteItems", fmt.Sprintf(write, two, "b"))
		x.reopen()
	}
	require.Contains(t,
		x.do("TransactWriteItems", fmt.Sprintf(write, strings.Repeat("日", 37), "a")),
		"failed to satisfy constraint")
}
