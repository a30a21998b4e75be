package emulator

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestTableVersions: the version of a table changes with a write of its items, and only then. A
// fork's versions are those of its access key.
func TestTableVersions(t *testing.T) {
	x := newItemTest(t)
	e := x.emulator
	before := e.Inspect().TableVersions("AKIDEXAMPLE", "us-east-1")
	require.Contains(t, before, "plain")
	require.Equal(t, before, e.Inspect().TableVersions("AKIDEXAMPLE", "us-east-1"))

	e.Delegate("fork", e.ForkAs("AKIDEXAMPLE", "fork"))
	ofFork := e.Inspect().TableVersions("fork", "us-east-1")
	require.Contains(t, ofFork, "plain")
	x.put("plain", `{"pk":{"S":"a"}}`)
	after := e.Inspect().TableVersions("AKIDEXAMPLE", "us-east-1")
	assert.NotEqual(t, before["plain"], after["plain"])
	assert.Equal(t, before["ranged"], after["ranged"])
	assert.Equal(t, ofFork, e.Inspect().TableVersions("fork", "us-east-1"))
}
