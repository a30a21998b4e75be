package emulator

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestTableSizes(t *testing.T) {
	x := newItemTest(t)
	for _, item := range []string{
		`{"pk":{"S":"a"},"sk":{"S":"1"},"gh":{"S":"g"},"gr":{"N":"1"}}`,
		`{"pk":{"S":"a"},"sk":{"S":"2"}}`,
	} {
		x.put("indexed", item)
	}
	x.put("plain", `{"pk":{"S":"a"},"x":{"B":"AAAA"}}`)
	want := []TableSize{
		{"binary", "", 0, 0},
		{"indexed", "", 2, 19}, {"indexed", "gsi1", 1, 13}, {"indexed", "gsi2", 1, 10}, {"indexed", "lsi1", 0, 0},
		{"plain", "", 1, 7}, {"ranged", "", 0, 0},
	}
	sizes := x.emulator.TableSizes()
	assert.Equal(t, want, sizes)

	x.emulator.Restore(x.emulator.Snapshot())
	assert.Equal(t, want, x.emulator.TableSizes())
	x.emulator.Reset()
	assert.Empty(t, x.emulator.TableSizes())
}
