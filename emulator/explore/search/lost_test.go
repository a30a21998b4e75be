package search

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/kugiri-db/kugiri/conventions/policy/request"
	"github.com/kugiri-db/kugiri/storage/item"
)

// TestOverwritten: which changes of others between a worker's read and its write are lost.
func TestOverwritten(t *testing.T) {
	state := func(n, m string) item.Item {
		return item.New(item.Attribute{Name: "n", Value: item.String(n)},
			item.Attribute{Name: "m", Value: item.String(m)})
	}
	put := &request.Write{Kind: request.Put}
	for _, c := range []struct {
		name   string
		states []item.Item // the state that was read, and then the state after each change
		write  *request.Write
		change int // the step that is lost; 0 for none
		lost   []string
	}{
		{"a change", []item.Item{state("1", "1"), state("2", "1")}, put, 1, []string{"n"}},
		{"an item that comes and goes", []item.Item{"", state("1", "1"), ""}, put, 0, nil},
		{"a change that is taken back", []item.Item{state("1", "1"), state("2", "1"),
			state("1", "1")}, put, 0, nil},
		{"one of two changes is taken back", []item.Item{state("1", "1"), state("1", "2"),
			state("2", "2"), state("1", "2")}, put, 1, []string{"m"}},
		{"two changes", []item.Item{state("1", "1"), state("2", "1"), state("2", "2")}, put, 2,
			[]string{"m", "n"}},
		{"a deletion", []item.Item{state("1", "1"), ""}, put, 1, []string{"m", "n"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			at := func(worker int, operation string, before, after item.Item) *step {
				return &step{proc: proc{worker: worker}, operation: operation,
					print: &footprint{items: []touch{{table: "t", old: before, new: after}}}}
			}
			steps := []*step{at(0, "GetItem", c.states[0], c.states[0])}
			for i := 1; i < len(c.states); i++ {
				steps = append(steps, at(1, "PutItem", c.states[i-1], c.states[i]))
			}
			steps = append(steps, at(0, "PutItem", c.states[len(c.states)-1], state("9", "9")))
			k := len(steps) - 1
			l := (&Search{}).overwritten(steps, k, &steps[k].print.items[0], c.write)
			if c.change == 0 {
				assert.Nil(t, l)
				return
			}
			assert.Equal(t, c.change, l.change)
			assert.Equal(t, c.lost, l.attributes)
			assert.Equal(t, c.states[0], l.seen)
		})
	}
}
