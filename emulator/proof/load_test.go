package proof

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/conventions/design"
	"github.com/kugiri-db/kugiri/conventions/design/designfile"
)

// events is a design with one busy kind of events.
func events(shards int) *design.Design {
	return &design.Design{
		Table: "events",
		Models: []design.Model{{Name: "Event", Key: []string{"id"}, Items: 1_000_000,
			Puts: 2500, Attributes: []design.Attribute{
				{Name: "id", Type: design.String, Format: design.ULID},
				{Name: "kind", Type: design.String, Values: 2},
				{Name: "at", Type: design.String, Format: design.Timestamp},
			}}},
		Patterns: []design.Pattern{
			{Name: "events of a kind", Model: "Event", Equal: []string{"kind"}, Order: "at",
				Shards: shards, Rate: 5},
			{Name: "an event", Model: "Event", Equal: []string{"id"}, One: true, Rate: 20},
		},
	}
}

// TestLoad checks that a hot index throttles the writes to it, that shards keep it from that, and
// that the same seed sends the same requests.
func TestLoad(t *testing.T) {
	run := func(t *testing.T, shards int) *LoadReport {
		plan, err := design.Make(events(shards))
		require.NoError(t, err)
		report, err := Load(plan, LoadOptions{Options: Options{Rows: 500}, Seconds: 3, Zipf: 1.1})
		require.NoError(t, err)
		return report
	}
	t.Run("one partition for each kind", func(t *testing.T) {
		report := run(t, 0)
		assert.False(t, report.OK())
		assert.Equal(t, int64(7500), report.Writes[0].Requests)
		assert.Positive(t, report.Writes[0].ThrottledBy["GSI1"])
		require.NotEmpty(t, report.Hot)
		assert.Equal(t, "GSI1", report.Hot[0].Where)
		assert.GreaterOrEqual(t, report.Hot[0].Units, report.Hot[0].Limit)
		assert.Equal(t, report, run(t, 0))
	})
	t.Run("ten shards of each kind", func(t *testing.T) {
		report := run(t, 10)
		assert.True(t, report.OK(), report.Writes)
		assert.Less(t, report.Hot[0].Units, report.Hot[0].Limit)
	})
}

// TestLoadOfForms: a load sends what designs of each form say: attributes that some rows have not,
// reads of several items and of several values, and filters.
func TestLoadOfForms(t *testing.T) {
	for _, name := range []string{"several", "optional", "takes"} {
		t.Run(name, func(t *testing.T) {
			plan, err := designfile.PlanFile("testdata/" + name + ".yaml")
			require.NoError(t, err)
			report, err := Load(plan, LoadOptions{Options: Options{Rows: 300}, Seconds: 3})
			require.NoError(t, err)
			for i, p := range report.Patterns {
				if plan.Design.Patterns[i].Rate >= 1 {
					assert.Positive(t, p.Requests, p.Name)
				}
			}
		})
	}
}

// TestLoadOfStates checks that a load puts items in the state with which they begin, and at the
// rates of the busiest hour.
func TestLoadOfStates(t *testing.T) {
	for _, c := range []struct {
		name       string
		begins     string
		puts, peak float64
		throttled  bool
	}{
		{"states as frequent as each other", "", 1500, 0, false},
		{"all begin in one", "scheduled", 1500, 0, true},
		{"few begin in one", "scheduled", 150, 0, false},
		{"few in the mean", "scheduled", 150, 10, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := events(0)
			d.Models[0].Puts, d.Models[0].Peak = c.puts, c.peak
			d.Models[0].Attributes[1].Values, d.Models[0].Attributes[1].Begins = 8, c.begins
			plan, err := design.Make(d)
			require.NoError(t, err)
			report, err := Load(plan, LoadOptions{Options: Options{Rows: 500}, Seconds: 3})
			require.NoError(t, err)
			assert.Equal(t, !c.throttled, report.OK())
			assert.Equal(t, c.throttled, slices.ContainsFunc(plan.Notes, func(n design.Note) bool {
				return n.Warning && strings.Contains(n.Text, "add shards")
			}), "the plan warns of it")
		})
	}
}

// TestLoadOfStays checks that a load writes and reads each state as often as a plan says: items
// come into SCHEDULED and RUNNING and leave them, stay in the last state, and are read as often as
// they are there.
func TestLoadOfStays(t *testing.T) {
	plan, err := designfile.PlanFile("testdata/stays.yaml")
	require.NoError(t, err)
	report, err := Load(plan, LoadOptions{Options: Options{Rows: 300}, Seconds: 5})
	require.NoError(t, err)
	require.True(t, report.OK())
	units := map[HotKey]float64{}
	for _, hot := range report.Hot {
		units[HotKey{Where: hot.Where, Key: hot.Key, Write: hot.Write}] = hot.Units
	}
	for _, c := range []struct {
		state string
		write bool
		least float64
		most  float64
	}{
		{"SCHEDULED", true, 40, 45}, // 20 come and 20 leave, and few notes change
		{"RUNNING", true, 40, 45},
		{"job", true, 20, 30},  // the value of the rest: 20 come, and 10 notes change
		{"job", false, 39, 46}, // 84.4 % of 100 reads of half a unit
	} {
		found := units[HotKey{Where: "GSI1", Key: `"` + c.state + `"`, Write: c.write}]
		assert.True(t, found >= c.least && found <= c.most, "%s: %v of %v", c.state, found,
			report.Hot)
	}
}

// TestLoadDrawsSkewedKeys checks that a load writes and reads a partition key as often as a design
// says.
func TestLoadDrawsSkewedKeys(t *testing.T) {
	for _, c := range []struct {
		name      string
		change    func(device *design.Attribute)
		throttled bool
	}{
		{"all devices alike", func(*design.Attribute) {}, false},
		{"a device with four fifths of all records",
			func(device *design.Attribute) { device.Largest = 800_000 }, true},
		{"Zipf's law", func(device *design.Attribute) { device.Zipf = 2.5 }, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			device := design.Attribute{Name: "device", Type: design.String, Format: design.UUID,
				Values: 1000}
			c.change(&device)
			plan, err := design.Make(&design.Design{
				Table: "fleet",
				Models: []design.Model{{Name: "Record", Key: []string{"device", "at"},
					Items: 1_000_000, Puts: 3000, Attributes: []design.Attribute{device,
						{Name: "at", Type: design.String, Format: design.Timestamp}}}},
				Patterns: []design.Pattern{{Name: "records", Model: "Record",
					Equal: []string{"device"}, Order: "at", Rate: 100}},
			})
			require.NoError(t, err)
			report, err := Load(plan, LoadOptions{Options: Options{Rows: 500}, Seconds: 3})
			require.NoError(t, err)
			assert.Equal(t, c.throttled, report.Writes[0].Throttled > 0, report.Hot)
			require.NotEmpty(t, report.Hot)
			assert.Equal(t, c.throttled, report.Hot[0].Units >= report.Hot[0].Limit, report.Hot)
		})
	}
}

func TestLoadRefuses(t *testing.T) {
	for _, c := range []struct {
		name string
		puts float64
		zipf float64
		says string
	}{
		{"an exponent that no law has", 1, 0.9, "above 1"},
		{"more requests than there may be", 1_000_000, 1.1, "at most 2000000"},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := events(0)
			d.Models[0].Puts = c.puts
			plan, err := design.Make(d)
			require.NoError(t, err)
			_, err = Load(plan, LoadOptions{Zipf: c.zipf})
			require.ErrorContains(t, err, c.says)
		})
	}
}

// TestLoadOfParents: a load spreads children over as many parents as the design has, or over so
// many that none of them is hot.
func TestLoadOfParents(t *testing.T) {
	for _, c := range []struct {
		name      string
		parents   int64
		throttled bool
	}{
		{"two", 2, true},
		{"a hundred thousand", 100_000, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			plan, err := design.Make(&design.Design{Table: "readings",
				Models: []design.Model{
					{Name: "Sensor", Key: []string{"sensor"}, Items: c.parents,
						Attributes: []design.Attribute{
							{Name: "sensor", Type: design.String, Format: design.UUID}}},
					{Name: "Reading", Key: []string{"sensor", "at"}, Items: 1_000_000_000,
						Puts: 30_000, Attributes: []design.Attribute{
							{Name: "sensor", Type: design.String, Of: "Sensor.sensor"},
							{Name: "at", Type: design.String, Format: design.Timestamp}}}},
				Patterns: []design.Pattern{{Name: "readings of a sensor", Model: "Reading",
					Equal: []string{"sensor"}, Range: "at", Rate: 1}}})
			require.NoError(t, err)
			report, err := Load(plan, LoadOptions{Seconds: 1})
			require.NoError(t, err)
			assert.Equal(t, !c.throttled, report.OK())
			assert.Equal(t, c.throttled, slices.ContainsFunc(plan.Notes, func(n design.Note) bool {
				return n.Warning && strings.Contains(n.Text, "gets 15000 write units")
			}), "the plan warns of it")
		})
	}
}
