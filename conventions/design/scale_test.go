package design_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/conventions/design"
	"github.com/kugiri-db/kugiri/conventions/design/designfile"
)

// readings is a design whose number of a case is in a key beside another part.
const readings = `
table: readings
models:
  - name: Reading
    key: [id]
    items: 1000
    attributes: [id, sensor, kind, {name: value, %s}]
patterns:
  - {name: by value, model: Reading, equal: [sensor, kind], order: value, rate: 1}
`

// TestScaledNumbers shows what a key holds of numbers, beside another part.
func TestScaledNumbers(t *testing.T) {
	for _, c := range []struct {
		name  string
		part  design.Part
		value any
		want  string
		wrong string
	}{
		{"a whole number", design.Part{Digits: 15}, int64(7), "000000000000007", ""},
		{"one below 0", design.Part{Digits: 15}, int64(-7), "",
			"only whole numbers of up to 15 digits, not below 0, can be part of a string"},
		{"one that may be below 0", design.Part{Digits: 15, Negative: true}, int64(-7),
			"499999999999993", ""},
		{"0 among those", design.Part{Digits: 15, Negative: true}, int64(0), "500000000000000", ""},
		{"hundredths", design.Part{Digits: 15, Decimals: 2}, 0.07, "000000000000007", ""},
		{"thousandths in place of hundredths", design.Part{Digits: 15, Decimals: 2}, 0.071, "",
			"only numbers of up to 15 digits, 2 of them after the point, not below 0, can be"},
		{"both", design.Part{Digits: 15, Decimals: 1, Negative: true}, -0.5, "499999999999995", ""},
		{"the highest", design.Part{Digits: 15, Negative: true}, int64(499_999_999_999_999),
			"999999999999999", ""},
		{"one more", design.Part{Digits: 15, Negative: true}, int64(500_000_000_000_000), "",
			"half of them below 0"},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.part.Attribute = "n"
			q := design.Query{Pattern: "p", Partition: design.Stored{Name: "PK",
				Value: design.Value{{Text: "a#"}, c.part}}}
			bound, err := q.Bind(design.Row{"n": c.value})
			if c.wrong != "" {
				assert.ErrorContains(t, err, c.wrong)
				return
			}
			require.NoError(t, err)
			assert.Equal(t, "a#"+c.want, bound.PartitionValue)
		})
	}
}

// TestNumberChecks shows which attributes may say what their numbers are.
func TestNumberChecks(t *testing.T) {
	for _, c := range []struct{ name, fields, wrong string }{
		{"decimals", "type: number, decimals: 2", ""},
		{"below 0", "type: number, negative: true", ""},
		{"too many decimals", "type: number, decimals: 10",
			"models[0].attributes[3].decimals: want 0 to 9"},
		{"a string with decimals", "decimals: 2",
			"models[0].attributes[3].decimals: only numbers have decimals"},
		{"a string below 0", "negative: true",
			"models[0].attributes[3].negative: only numbers are negative"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := designfile.Parse([]byte(fmt.Sprintf(readings, c.fields)))
			if c.wrong == "" {
				require.NoError(t, err)
				return
			}
			assert.ErrorContains(t, err, c.wrong)
		})
	}
}
