package proof

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/kugiri-db/kugiri/conventions/design"
	"github.com/kugiri-db/kugiri/conventions/design/designfile"
)

// telemetry has the readings of devices in a table of their own.
const telemetry = `table: devices
models:
  - name: Device
    key: [id]
    items: 100_000
    attributes: [{name: id, format: uuid}, {name: firmware, mutable: true}]
  - name: Reading
    table: readings
    key: [device, at]
    items: 500_000_000
    puts: 1_500
    attributes:
      - {name: device, of: Device.id}
      - {name: at, format: timestamp}
      - {name: firmware, of: Device.firmware, kept: never}
  - name: Setting
    table: readings
    key: [device, name]
    items: 1_000_000
    attributes: [{name: device, of: Device.id}, name]
patterns:
  - {name: a device, model: Device, equal: [id], one: true, rate: 1}
  - {name: readings of a device, model: Reading, equal: [device], range: at, rate: 5}
  - {name: readings and settings, models: [Setting, Reading], equal: [device], rate: 5}
`

func plansOf(t *testing.T, text string) []*design.Plan {
	t.Helper()
	plans, err := designfile.Tables([]byte(text))
	require.NoError(t, err)
	return plans
}

// TestVerifyTables proves each of two tables, whose models refer to each other, and that each
// mistake in one of them is noticed.
func TestVerifyTables(t *testing.T) {
	for _, plan := range plansOf(t, telemetry) {
		for seed := range uint64(3) {
			report, err := Verify(plan, Options{Seed: seed, Rows: 500})
			require.NoError(t, err)
			assert.True(t, report.OK(), "%+v", report)
			for _, p := range report.Patterns {
				assert.Positive(t, p.Items, p.Name)
			}
			mutations, err := Mutate(plan, Options{Seed: seed, Rows: 500})
			require.NoError(t, err)
			for _, m := range mutations {
				assert.NotEmpty(t, m.Found, "%s, seed %d: %s", plan.Design.Table, seed, m.Name)
			}
		}
	}
}

// TestPublishedInTables plans the ticketing in three tables, as its author has it, for what the
// page of designs says that it costs.
func TestPublishedInTables(t *testing.T) {
	text, err := os.ReadFile("../../conventions/design/published/ticketing.yaml")
	require.NoError(t, err)
	apart := strings.NewReplacer(
		"name: Reservation\n", "name: Reservation\n    table: reservations\n",
		"name: Booking\n", "name: Booking\n    table: bookings\n").Replace(string(text))
	month, indexes := 0.0, 0
	for _, plan := range plansOf(t, apart) {
		month += plan.Cost(design.ListPrices()).Total()
		indexes += len(plan.Indexes)
	}
	page, err := os.ReadFile("../../conventions/docs/design.md")
	require.NoError(t, err)
	assert.Contains(t, strings.Join(strings.Fields(string(page)), " "), fmt.Sprintf(
		"three plans with %d indexes together cost %.2f a month", indexes, month))
}

// drawTables returns time series, each in a table of its own or in that of others, whose values may
// be those of the series before.
func drawTables(t *rapid.T) *design.Design {
	d := drawSeries(t)
	for i := range d.Models {
		if i > 0 {
			d.Models[i].Table = rapid.SampledFrom([]string{"", "second", "third"}).Draw(t, "table")
		}
	}
	return d
}

// TestRandomTables is TestRandomDesigns for designs of several tables.
func TestRandomTables(t *testing.T) {
	for n := range drawn(4, 300) {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			t.Parallel()
			plans, err := design.MakeTables(rapid.Custom(drawTables).Example(n), design.Make)
			require.NoError(t, err)
			for _, plan := range plans {
				requireProof(t, plan)
			}
		})
	}
}

// TestLoadTables checks that the load of a table goes by how many items another one has to which
// its items refer: 100,000 devices share the writes of their readings, and two do not.
func TestLoadTables(t *testing.T) {
	load := func(text string) *LoadReport {
		report, err := Load(plansOf(t, text)[1], LoadOptions{Seconds: 5})
		require.NoError(t, err)
		return report
	}
	many := load(telemetry)
	assert.True(t, many.OK())
	assert.Less(t, many.Hot[0].Units, 100.0)
	few := load(strings.Replace(telemetry, "items: 100_000\n", "items: 2\n", 1))
	assert.Greater(t, few.Hot[0].Units, 500.0)
}

// TestRowsOfTables checks that no two rows have one key where they refer to another table: fewer
// rows refer to fewer of its items, so that there are fewer keys.
func TestRowsOfTables(t *testing.T) {
	plan := plansOf(t, `
table: first
models:
  - name: Reading
    key: [device, at]
    items: 100
    attributes: [{name: device, format: uuid}, {name: at, format: timestamp}]
  - name: Slot
    table: second
    key: [device, slot]
    items: 100
    attributes: [{name: device, of: Reading.device}, {name: slot, type: number, values: 7}]
patterns:
  - {name: readings of a device, model: Reading, equal: [device], rate: 1}
  - {name: slots of a device, model: Slot, equal: [device], rate: 1}
`)[1]
	v := newVerification(plan, Options{Rows: 300}, nil)
	seen := map[string]bool{}
	require.NoError(t, v.eachRow(func(m *design.Model, n int64, row design.Row) error {
		key := equalKey(m.Key, row)
		assert.False(t, seen[key], "row %d: %v", n, row)
		seen[key] = true
		return nil
	}))
	assert.NotEmpty(t, seen)
}
