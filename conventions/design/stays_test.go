package design_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/conventions/design"
	"github.com/kugiri-db/kugiri/conventions/design/designfile"
)

// staying has jobs that go from SCHEDULED to RUNNING, and then to DONE.
const staying = `
table: jobs
models:
  - name: Job
    key: [id]
    items: 1_000_000
    puts: 2
    updates: [{of: state, rate: 4}]
    attributes:
      - {name: id, format: ulid}
      - {name: due, format: timestamp}
      - {name: state, values: 3, begins: SCHEDULED, stays: {SCHEDULED: 2h, RUNNING: 10m}}
patterns:
  - {name: a job, model: Job, equal: [id], one: true, rate: 10}
  - {name: jobs, model: Job, where: {state: SCHEDULED}, order: due, rate: 5}
`

// planOf plans a design with texts replaced.
func planOf(file string, replaced ...string) (*design.Plan, error) {
	return designfile.Plan([]byte(strings.NewReplacer(replaced...).Replace(file)))
}

// TestStays shows the size, the writes and the reads of an index of a state. Little's law gives the
// items: 2 a second x 7,200 s = 14,400 SCHEDULED, 2 x 600 = 1,200 RUNNING, and the other 984,400 of
// the 1,000,000 DONE. An entry takes 28 bytes of PK with the id, 6 of GSI1PK with the state, 30 of
// GSI1SK with the time, 25 of the state, and 100 that the service adds: 198 where the state has 9
// letters.
func TestStays(t *testing.T) {
	for _, c := range []struct {
		name     string
		replaced []string
		bytes    float64
		writes   float64 // entries a second
		result   float64 // items
	}{
		{"where items begin", nil, 14_400 * 198, 2 + 2, 10},
		{"a later state, which all come through", []string{"where: {state: SCHEDULED}",
			"where: {state: RUNNING}"}, 1_200 * 196, 2 + 2, 10},
		{"the last state, which none leaves", []string{"where: {state: SCHEDULED}",
			"where: {state: DONE}"}, 984_400 * 193, 2, 10},
		{"fewer items than a result has otherwise", []string{"where: {state: SCHEDULED}",
			"where: {state: RUNNING}", "10m", "3s"}, 6 * 196, 2 + 2, 6},
		{"the last two states, which share the rest: 984,400 items, and the changes that take " +
			"SCHEDULED and RUNNING nowhere: 6 - 2 - 2, with 6 / 3 into each state", []string{
			"values: 3", "values: 4", "rate: 4", "rate: 6", "where: {state: SCHEDULED}",
			"where: {state: DONE}"}, 984_400 / 2 * 193, 2 + 1, 10},
		{"two changes of the state", []string{"{of: state, rate: 4}",
			"{of: state, rate: 1}, {of: [state, due], rate: 3}"}, 14_400 * 198, 2 + 2, 10},
		{"updates of what the index holds, of the items that are in it: 100 x 1.44 %", []string{
			"{of: state, rate: 4}", "{of: state, rate: 4}, {of: due, rate: 100}"},
			14_400 * 198, 4 + 2*1.44, 10},
		{"no stays, and a third of the items", []string{
			", stays: {SCHEDULED: 2h, RUNNING: 10m}", ""}, 333_333 * 198, 4, 10},
		{"no stays, and two changes: no more than are put leave the state", []string{
			", stays: {SCHEDULED: 2h, RUNNING: 10m}", "", "{of: state, rate: 4}",
			"{of: state, rate: 1}, {of: [state, due], rate: 3}"}, 333_333 * 198, 4, 10},
		{"no stays, and two changes: of a later state", []string{
			", stays: {SCHEDULED: 2h, RUNNING: 10m}", "", "{of: state, rate: 4}",
			"{of: state, rate: 1}, {of: [state, due], rate: 3}", "where: {state: SCHEDULED}",
			"where: {state: DONE}"}, 333_333 * 193, (4 + 2) / 2, 10},
		{"stays of other states only", []string{"SCHEDULED: 2h, ", ""}, 499_400 * 198, 4, 10},
	} {
		t.Run(c.name, func(t *testing.T) {
			plan, err := planOf(staying, c.replaced...)
			require.NoError(t, err)
			require.Len(t, plan.Indexes, 1)
			index := plan.Cost(design.ListPrices()).Indexes[0]
			assert.InDelta(t, c.bytes, index.Bytes, 1)
			assert.InDelta(t, c.writes, index.WriteUnits, 1e-9)
			assert.InDelta(t, c.result, plan.Design.Evaluated(&plan.Design.Patterns[1]), 1e-9)
		})
	}
}

// TestStaysNotes shows what a plan says of states in which items stay for a time.
func TestStaysNotes(t *testing.T) {
	byState := []string{"where: {state: SCHEDULED}", "equal: [state]"}
	for _, c := range []struct {
		name     string
		replaced []string
		want     string
		not      string
	}{
		{"a state", nil,
			"Job: about 14,400 items are SCHEDULED at a time, because 2 a second stay 2 h", ""},
		{"a later state", nil,
			"Job: about 1,200 items are RUNNING at a time, because 2 a second stay 10 min", ""},
		{"the rest", nil, "Job: the rest, about 984,400 items, in the other value of state", ""},
		{"the rest in several states", []string{"values: 3", "values: 5", "rate: 4", "rate: 8"},
			"Job: the rest, about 328,133 items each, in the 3 other values of state", ""},
		{"one item", []string{"10m", "0.5s"},
			"Job: about 1 item is RUNNING at a time, because 2 a second stay 0.5 s", ""},
		{"days", []string{"2h", "1d"},
			"about 172,800 items are SCHEDULED at a time, because 2 a second stay 1 day", ""},
		{"puts of a transaction", []string{"puts: 2", "puts: 1", "rate: 4", "rate: 2",
			"patterns:", "transactions: [{name: put, puts: [Job], rate: 1}, {name: move, " +
				"updates: [{model: Job, of: state}], rate: 2}]\npatterns:"},
			"about 14,400 items are SCHEDULED at a time, because 2 a second stay 2 h", ""},
		// 5,000 reads of half a unit, and 98.44 % read DONE
		{"reads of the state that most items are in", append([]string{"rate: 5}", "rate: 10000}"},
			byState...), "jobs: reads 4922 units per second of the most frequent partition key", ""},
		{"writes where items begin", append([]string{"puts: 2", "puts: 60", "rate: 4",
			"rate: 120"}, byState...),
			"so the SCHEDULED partition key gets 120 write units per second", ""},
		// 80 come into RUNNING and 80 leave it; 60 are put and leave SCHEDULED
		{"writes of a later state", append([]string{"puts: 2", "puts: 60", "rate: 4", "rate: 160"},
			byState...), "so the RUNNING partition key gets 160 write units per second", ""},
		// 1,000,000,000 x 180,000 bytes x 0.0144 % in SCHEDULED
		{"a partition key with the items of a small state", []string{"1_000_000", "1_000_000_000",
			"{name: due,", "{name: text, bytes: 180000}\n      - {name: due,"}, "14,400 items are",
			"No limit is on that"},
		{"a partition key with the items of a large state", []string{"1_000_000", "1_000_000_000",
			"{name: due,", "{name: text, bytes: 180000}\n      - {name: due,",
			"where: {state: SCHEDULED}", "where: {state: DONE}"}, "No limit is on that", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			plan, err := planOf(staying, c.replaced...)
			require.NoError(t, err)
			var all []string
			for _, n := range plan.Notes {
				all = append(all, n.String())
			}
			text := strings.Join(all, "\n")
			assert.Contains(t, text, c.want)
			if c.not != "" {
				assert.NotContains(t, text, c.not)
			}
		})
	}
}

// TestStaysErrors shows which stays a design may not have.
func TestStaysErrors(t *testing.T) {
	const field = "models[0].attributes[2].stays"
	for _, c := range []struct {
		name     string
		replaced []string
		want     string
	}{
		{"no state in which items begin", []string{"begins: SCHEDULED, ", ""},
			field + ": say in which state items begin, as in begins: SCHEDULED"},
		{"no number of states", []string{"values: 3, ", ""},
			field + ": say how many states there are, as in values: 5"},
		{"no number of items", []string{"    items: 1_000_000\n", ""},
			field + ": say how many items Job has, as in items: 100_000"},
		{"a skew", []string{"values: 3", "values: 3, skew: zipf 1.1"},
			field + ": there is a skew or a largest, too"},
		{"a stay of each state", []string{"10m", "10m, DONE: 30d"},
			field + ": state has 3 values, " +
				"and each has a stay: leave the last state out, which keeps the rest of the items"},
		{"a state that is none of the values", []string{"RUNNING: 10m", "RUNING: 10m",
			"state: SCHEDULED}", "state: RUNNING}", "values: 3", "values: 2", "SCHEDULED: 2h, ",
			""}, field + ": state has 2 values, and the design names 3: "},
		{"more items than there are", []string{"1_000_000", "15_000"}, field + ": 15,600 items " +
			"would be in these states at a time, and Job has 15,000: about 14,400 items are SCHEDULED"},
		{"nothing is put", []string{"puts: 2", "puts: 0"}, field + ".SCHEDULED: no items are put: " +
			"say how many a second, as in puts: 2 of Job"},
		{"nothing changes", []string{"rate: 4", "rate: 0"},
			field + ".RUNNING: no items come into " +
				"RUNNING: say how often state changes, as in updates: [{of: state, rate: 2}] of Job"},
		{"more come than leave", []string{"rate: 4", "rate: 2"}, field + ": 3 items a second " +
			"leave these states, as many as come into them, and state changes 2 times a second"},
		{"no unit", []string{"2h", "\"2\""}, field + ".SCHEDULED: want a time such as 30s, 10m, 2h " +
			"or 3d"},
		{"a number", []string{"2h", "2"}, field + ".SCHEDULED: this is a number and should be text"},
		{"no time", []string{"2h", "0h"}, field + ".SCHEDULED: want a time such as 30s"},
		{"more than a hundred years", []string{"2h", "36501d"}, field + ".SCHEDULED: want a time"},
		{"a result of more items than there are", []string{"rate: 5", "rate: 5, returned: 14401"},
			"patterns[1].returned: want at most what stays gives: about 14,400 items " +
				"are SCHEDULED at a time"},
		{"two attributes", []string{"  - {name: state", "  - {name: kind, values: 9, begins: A, " +
			"stays: {A: 1h}}\n      - {name: state"}, "another attribute of Job says how long items " +
			"stay, too: one can"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := planOf(staying, c.replaced...)
			assert.ErrorContains(t, err, c.want)
		})
	}
}

// TestParseStay checks that stays are read and written in the longest unit.
func TestParseStay(t *testing.T) {
	for _, c := range []struct {
		text string
		want time.Duration
		back string
	}{
		{"30s", 30 * time.Second, "30s"},
		{"90s", 90 * time.Second, "90s"},
		{"120s", 2 * time.Minute, "2m"},
		{"1.5h", 90 * time.Minute, "90m"},
		{"48h", 48 * time.Hour, "2d"},
		{"0.25s", 250 * time.Millisecond, "0.25s"},
	} {
		t.Run(c.text, func(t *testing.T) {
			stay, err := design.ParseStay(c.text)
			require.NoError(t, err)
			assert.Equal(t, c.want, stay)
			assert.Equal(t, c.back, design.FormatStay(stay))
		})
	}
	for _, text := range []string{"", "h", "2", "-2h", "1e3h", "2 h", "1h30m", "0.00001s"} {
		_, err := design.ParseStay(text)
		assert.Error(t, err, text)
	}
	d, err := designfile.Parse([]byte(staying))
	require.NoError(t, err)
	assert.Contains(t, string(designfile.Write(d, nil)),
		"begins: SCHEDULED, stays: {RUNNING: 10m, SCHEDULED: 2h}}")
}
