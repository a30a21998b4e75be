package seed

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/kugiri-db/kugiri/storage/growth"
)

// long are seeds that are long. Each has a part that repeats, and %d in it is another number each
// time.
var long = []struct{ name, begin, more, end, wrong string }{
	{"tiny items", "", `{"a":{"S":""}}`, "", ""},
	{"items on lines", "", `{"a":{"S":"x"}}` + "\n", "", ""},
	{"no members", "", "{}", "", "no form of a seed has these members"},
	{"blanks", "", " ", "", ""},
	{"brackets", "", "[", "", "no JSON"},
	{"lists in a value", `{"a":{"L":`, "[", "", "no JSON"},
	{"members", "{", `"a%d":{"S":""},`, `"a":{"S":""}}`, ""},
	{"members of a value", `{"a":{`, `"a%d":0,`, `"a":0}}`, "no form of a seed"},
	{"items of scan", `{"Items":[`, `{"":{"S":""}},`, `{"":{"S":""}}]}`, ""},
	{"items without members", `{"Items":[`, `{},`, `{}]}`, "want an item"},
	{"items that are numbers", `{"Items":[`, `0,`, `0]}`, "want an item"},
	{"items in lists", `{"Items":[`, `[],`, `[]]}`, "want an item"},
	{"tables with nothing", `{"RequestItems":{`, `"t%d":[],`, `"t":[]}}`, "no list of PutRequest"},
	{"requests", `{"t":[`, `{"PutRequest":{"Item":{}}},`, `{"DeleteRequest":{"Key":{}}}]}`, ""},
	{"requests without members", `{"t":[`, `{},`, `{}]}`, "no form of a seed"},
	{"one request for each table", `{"RequestItems":{`, `"t%d":[{"PutRequest":{"Item":{}}}],`,
		`"t":[]}}`, ""},
	{"puts", "", `{"TableName":"t","Item":{}}`, "", ""},
	{"tables", "", `{"TableName":"t%d","KeySchema":0}`, "", "at most 10000 tables"},
	{"descriptions", "", `{"Table":{"TableName":"t%d"}}`, "", "at most 10000 tables"},
	{"indexes of a table", `{"Table":{"TableName":"t","GlobalSecondaryIndexes":[`, `{},`, `{}]}}`,
		"may have"},
	{"times to live", "", `{"TimeToLiveSpecification":{},"TableName":"t%d"}`, "", ""},
	{"tables of a model", `{"DataModel":[`, `{"TableName":"a"},`, `{"TableName":"a"}]}`,
		"at most 10000 tables"},
	{"empty tables of a model", `{"DataModel":[`, `{},`, `{}]}`, "there is no TableName"},
	{"members of a model", `{"DataModel":[{`, `"a%d":0,`, `"a":0}]}`, "may have"},
	{"unknown members", `{"DataModel":[{"TableName":"a","SampleDataFormats":{}},{`, `"a%d":0,`,
		`"TableName":"a"}]}`, "may have"},
	{"indexes of a model", `{"DataModel":[{"GlobalSecondaryIndexes":[`, `{},`, `{}]}]}`,
		"may have"},
	{"items of a model", `{"DataModel":[{"TableName":"a","TableData":[`, `{"":0},`, `{"":0}]}]}`, ""},
	{"a long text", `{"a":{"S":"`, `x`, `"}}`, ""},
	{"a text of escapes", `{"a":{"S":"`, `\u0041`, `"}}`, ""},
	{"bytes that are no text", `{"a":{"S":"`, "\xff", `"}}`, "UTF-8"},
}

// TestCostsGrowWithSeeds: no part of a seed makes it cost more than its length is worth, neither
// time nor memory. Ordinarily it is small; the largest is 16 MB.
func TestCostsGrowWithSeeds(t *testing.T) {
	size, full := 1<<20, os.Getenv("TEST_FULL") != ""
	if full {
		size = 16 << 20
	}
	var table growth.Table
	for _, l := range long {
		t.Run(l.name, func(t *testing.T) {
			read := func(n int) (err error) {
				text := growth.Text(l.begin, l.more, l.end, n)
				var d *Data
				if d, err = Read("t.json", strings.NewReader(text)); err == nil {
					d.Definitions()
				}
				return err
			}
			var err error
			peak := growth.Peak(func() { err = read(size / len(l.more)) })
			switch {
			case err != nil && full && strings.Contains(err.Error(), "more than 262144 members"):
				// what is larger has a limit of its own
			case l.wrong == "":
				assert.NoError(t, err)
			default:
				assert.ErrorContains(t, err, l.wrong)
			}
			// the test itself holds two: the text and its reader
			assert.LessOrEqual(t, peak, int64((growth.MostTimes+2)*size+growth.MostBytes))
			t.Logf("%d bytes in use for %d", peak, size)
			if full {
				costs, tooFast := growth.MeasureCPU(func(n int) { read(32 * n / len(l.more)) })
				table.Add("seed", l.name, costs)
				assert.False(t, tooFast, "it costs %v for the sizes %v", costs, growth.Sizes)
			}
		})
	}
	t.Logf("the widest growth:\n%s", &table)
}
