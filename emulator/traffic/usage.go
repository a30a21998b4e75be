package traffic

import (
	"time"

	"github.com/kugiri-db/kugiri/emulator"
)

// Consumed counts what requests consume.
type Consumed struct {
	ReadUnits  float64 `json:"readUnits"`
	WriteUnits float64 `json:"writeUnits"`

	// Of vector indexes, which have no units.
	ReadBytes  float64 `json:"readBytes,omitempty"`
	WriteBytes float64 `json:"writeBytes,omitempty"`
}

func (c *Consumed) add(other Consumed) {
	c.ReadUnits += other.ReadUnits
	c.WriteUnits += other.WriteUnits
	c.ReadBytes += other.ReadBytes
	c.WriteBytes += other.WriteBytes
}

// access is how often an access was used, and what it consumed.
type access struct {
	requests int64
	Consumed
}

// place is a table, or an index of it.
type place struct{ table, index string }

// minute finds the largest sums of units in one minute of a place.
type minute struct {
	start                 time.Time
	read, write           float64 // units of the present minute
	mostRead, mostWritten float64
}

// add adds what a request consumes at a time. A request that is late counts for the present minute.
func (m *minute) add(at time.Time, c *emulator.Capacity) {
	if start := at.Truncate(time.Minute); start.After(m.start) {
		m.start, m.read, m.write = start, 0, 0
	}
	m.read += c.Read
	m.write += c.Write
	m.mostRead, m.mostWritten = max(m.mostRead, m.read), max(m.mostWritten, m.write)
}
