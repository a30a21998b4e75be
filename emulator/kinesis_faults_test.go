package emulator

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/kugiri-db/kugiri/emulator/fault"
)

func TestDuplicateKinesisRecord(t *testing.T) {
	x, sink := newKinesisTest(t)
	f := x.emulator.AddFault(fault.Fault{
		When: fault.Key("pk", "a"), Do: fault.DuplicateKinesisRecord(),
	})
	x.putKey("a")
	x.putKey("b")
	records := sink.await(t, 3)
	assert.ElementsMatch(t, []string{"INSERT a", "INSERT a", "INSERT b"}, changesIn(t, records))
	assert.EqualValues(t, 1, f.Hits())
	x.putKey("c")
	assert.Equal(t, []string{"INSERT c"}, changesIn(t, sink.await(t, 1)),
		"nothing else is sent twice")
}

// TestKinesisFaultsByStream: a fault applies to the changes that go to the stream that it names.
func TestKinesisFaultsByStream(t *testing.T) {
	for stream, want := range map[string]int{songsStream: 2, songsStream + "-other": 1} {
		t.Run(stream, func(t *testing.T) {
			x, sink := newKinesisTest(t)
			f := x.emulator.AddFault(fault.Fault{
				When: fault.KinesisStream(stream), Do: fault.DuplicateKinesisRecord(),
			})
			x.putKey("a")
			sink.await(t, want)
			assert.EqualValues(t, want-1, f.Hits())
			f.Remove()
			x.putKey("b")
			assert.Equal(t, []string{"INSERT b"}, changesIn(t, sink.await(t, 1)))
		})
	}
}

func TestDisorderKinesisRecord(t *testing.T) {
	x, sink := newKinesisTest(t)
	f := x.emulator.AddFault(fault.Fault{When: fault.First(2), Do: fault.DisorderKinesisRecord()})
	x.putKey("a")
	x.put("plain", `{"pk":{"S":"a"},"v":{"N":"2"}}`)
	x.putKey("b")
	assert.Equal(t, []string{"INSERT b", "INSERT a", "MODIFY a"}, changesIn(t, sink.await(t, 3)))
	assert.EqualValues(t, 2, f.Hits())

	x.emulator.SetFaults(fault.Fault{Do: fault.DisorderKinesisRecord()})
	x.putKey("c")
	x.putKey("d")
	x.emulator.SetFaults(fault.Fault{
		When: fault.Key("pk", "nobody"), Do: fault.DuplicateKinesisRecord(),
	})
	assert.Equal(t, []string{"INSERT c", "INSERT d"}, changesIn(t, sink.await(t, 2)),
		"they go once the fault is removed")
}

// TestKinesisRecordsWaitWithoutEnd closes an emulator whose records wait for others.
func TestKinesisRecordsWaitWithoutEnd(t *testing.T) {
	x, _ := newKinesisTest(t)
	x.emulator.AddFault(fault.Fault{Do: fault.DisorderKinesisRecord()})
	x.putKey("a") // the end of the test closes the emulator
}
