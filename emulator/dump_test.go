package emulator

import (
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func (x *requestTest) dump(table string) string {
	x.Helper()
	var b strings.Builder
	require.NoError(x, x.emulator.Dump(&b, "AKIDEXAMPLE", "us-east-1", table))
	return b.String()
}

func TestDump(t *testing.T) {
	x := newItemTest(t)
	assert.Empty(t, x.dump("ranged"))
	x.put("ranged", `{"pk":{"S":"b"},"sk":{"N":"1"}}`)
	x.put("ranged", `{"pk":{"S":"a"},"sk":{"N":"10"},"z":{"BOOL":true},"not plain":{"NULL":true}}`)
	x.put("ranged",
		`{"pk":{"S":"a"},"sk":{"N":"-2.50"},"m":{"M":{"x":{"L":[{"N":"1"},{"L":[]},{"M":{}}]},"a b":{"S":"\"q\"\n"}}},
		"ss":{"SS":["b","a"]},"ns":{"NS":["10","9"]},"bs":{"BS":["AQ==","AA=="]},"b":{"B":"aGk="}}`)
	assert.Equal(t, `pk: "a"
sk: -2.5
  b: b"aGk="
  bs: <<b"AA==", b"AQ==">>
  m: {"a b": "\"q\"\n", x: [1, [], {}]}
  ns: <<9, 10>>
  ss: <<"a", "b">>

pk: "a"
sk: 10
  "not plain": null
  z: true

pk: "b"
sk: 1
`, x.dump("ranged"))
}

func TestDumpErrors(t *testing.T) {
	x := newItemTest(t)
	assert.EqualError(t, x.emulator.Dump(nil, "AKIDEXAMPLE", "us-east-1", "none"),
		`emulator: no table "none" of the access key "AKIDEXAMPLE" in us-east-1: it has binary, indexed, plain, ranged`)
	x.put("plain", `{"pk":{"S":"a"}}`)
	assert.Equal(t, errBroken, x.emulator.Dump(brokenWriter{}, "AKIDEXAMPLE", "us-east-1", "plain"))
}

var errBroken = errors.New("broken")

type brokenWriter struct{}

func (brokenWriter) Write([]byte) (int, error) { return 0, errBroken }
