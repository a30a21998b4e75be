package emulator

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestTokenIDProperty(t *testing.T) {
	texts := map[tokenID]string{}
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringOfN(rapid.RuneFrom([]rune("a\x00é😀")), 1, 36, -1).Draw(t, "text")
		id := newTokenID(text)
		if known, ok := texts[id]; ok && known != text {
			t.Fatalf("%q and %q have the same ID", known, text)
		}
		texts[id] = text
		if again := keptTokenID(id.kept()); again != id {
			t.Fatalf("the ID of %q is %x once it was kept, not %x", text, again, id)
		}
	})
}

func TestTokenIDIsTheTextIfThatIsShort(t *testing.T) {
	for _, text := range []string{"a", "a\x00", "5e9b9c9e-64b7-4f4d-9a8e-2e8a2f1a7b11", strings.Repeat("a", tokenIDText)} {
		id := newTokenID(text)
		assert.Equal(t, text, id.kept())
	}
	id := newTokenID(strings.Repeat("a", tokenIDText+1))
	assert.Len(t, id.kept(), len(id))
	assert.NotContains(t, id.kept(), "aaaa")
}

// TestLongTokens: 36 characters may be up to 108 bytes.
func TestLongTokens(t *testing.T) {
	const write = `{"ClientRequestToken":"%s","TransactItems":[{"Put":{"TableName":"plain","Item":{"pk":{"S":"%s"}}}}]}`
	x := newDurableTest(t, WithHeldClock(NewClock(clockStart)))
	x.mustDo("CreateTable", itemTables[0])
	one, two := strings.Repeat("日", 36), strings.Repeat("日", 35)+"本"
	x.want(`{}`, "TransactWriteItems", fmt.Sprintf(write, one, "a"))
	for range 2 {
		x.want(`{}`, "TransactWriteItems", fmt.Sprintf(write, one, "a"))
		require.Contains(t, x.do("TransactWriteItems", fmt.Sprintf(write, one, "b")), "IdempotentParameterMismatchException: ")
		x.want(`{}`, "TransactWriteItems", fmt.Sprintf(write, two, "b"))
		x.reopen()
	}
	require.Contains(t, x.do("TransactWriteItems", fmt.Sprintf(write, strings.Repeat("日", 37), "a")), "failed to satisfy constraint")
}
