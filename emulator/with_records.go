package emulator

import (
	"slices"
	"strconv"

	"github.com/kugiri-db/kugiri/emulator/internal/feature/triggers"
	"github.com/kugiri-db/kugiri/emulator/trigger"
)

// WithRecords makes the service call a function with the records of a table's stream, as an event
// source mapping of AWS Lambda does:
//
//	e := emulator.New(emulator.WithRecords(trigger.NewMapping("orders"),
//		func(ctx context.Context, event []byte) ([]byte, error) { ... }))
//
// The function is called in the background after the records are durable. Writes never wait for
// it: records that wait are in the stream, which holds them for 24 hours. Calls for different
// shards, and for different namespaces, may overlap. The table need not exist yet, and is without
// effect while it has no stream. The mapping applies to tables of that name in all namespaces.
//
// Forks call the function with their own changes, and leave those from before to the original.
// Restore and Reset end the calls for what they replace. With Open, what was handled is in the
// journal: the next Open goes on with the records after it. A record can be passed twice if the
// process ends during a call.
//
// The journal knows a function by its place among the options WithRecords; WithTrigger gives it a
// name. WithRecords panics if the mapping is not valid: see trigger.Mapping.Check.
func WithRecords(m trigger.Mapping, f trigger.Function) Option {
	return func(s *settings) {
		t, err := trigger.New(m, "function "+strconv.Itoa(len(s.mappings)+1), f)
		if err != nil {
			panic("emulator: WithRecords: " + err.Error())
		}
		WithTrigger(t)(s)
	}
}

// WithTrigger is WithRecords for a trigger with a name of its own. It panics if there is one of the
// same table and name.
func WithTrigger(t *trigger.Trigger) Option {
	return func(s *settings) {
		for _, other := range s.mappings {
			if other.Name() == t.Name() {
				panic("emulator: there are two triggers " + t.Name())
			}
		}
		s.mappings = append(slices.Clip(s.mappings), t)
	}
}

// Consumption hands out the batches of a trigger to who calls its function himself: see
// NewConsumption. It must not be used concurrently.
type Consumption struct{ of *triggers.Consumption }

// Place is where a batch comes from: a shard, and one of the parts that it is split into if
// the trigger handles several batches of a shard at once.
type Place struct {
	Table string
	Shard uint64
	Part  int
}

// HasStream reports whether the trigger's table has a stream now.
func (c *Consumption) HasStream() bool { return c.of.HasStream() }

// Waiting returns the places that have records for the function, sorted. That of a shard waits for
// those of its parent. Waiting goes on after records that the filters pass over.
func (c *Consumption) Waiting() ([]Place, error) {
	waiting, err := c.of.Waiting()
	var list []Place
	for _, p := range waiting {
		list = append(list, Place(p))
	}
	return list, err
}

// Take returns the next batch of a place that the last Waiting has returned, and goes on after it.
func (c *Consumption) Take(p Place) (trigger.Batch, error) { return c.of.Take(triggers.Place(p)) }

// NewConsumption returns the batches of a trigger for the tables of an access key and a region, for
// who calls its function himself. The trigger must not be one of WithTrigger. A Consumption of a
// fork begins with the fork's own changes. It must not be used concurrently.
func NewConsumption(e *Emulator, accessKey, region string,
	t *trigger.Trigger) *Consumption {
	ns := e.service.Namespaces.Borrow(e.HTTPClient(accessKey, region).caller)
	defer ns.GiveBack()
	return &Consumption{triggers.NewConsumption(e.service, ns.Account, t)}
}
